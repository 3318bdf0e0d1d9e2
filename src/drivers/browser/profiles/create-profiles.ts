// Lists, finds, creates and removes profiles.

import { lstat, realpath, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Browsers } from "../../../core/browser.js";
import { type RandomSource, ToolError, ToolInputError } from "../../../core/index.js";
import { isMissing } from "../../../lib/errno.js";
import { endOrphan } from "../launch/end-browser.js";
import { profileHeld, readHolder, type StartLockPorts, withStartLock } from "../launch/holder.js";
import { makeScratch, removeFolder } from "../launch/processes.js";
import { readCdpUrl } from "../policy/cdp-url.js";
import type { BrowserPorts, BrowserSettings } from "../settings.js";
import {
  assertProfileName,
  chooseColor,
  findProfile,
  listProfiles,
  type Profile,
  reservePort,
} from "./list-profiles.js";
import { createProfileBook, type ProfileBook } from "./profile-book.js";

const NONCE_BYTES = 6;
const FOLDER = "browser";

interface ProfilesSource extends StartLockPorts {
  readonly settings: BrowserSettings;
  readonly home: Home;
  /** Rejects with `denied` for an address that a call may not name. */
  readonly judge: (url: string, signal: AbortSignal) => Promise<void>;
  readonly removeConfigured: BrowserPorts["removeConfigured"];
}

export function createProfiles(source: ProfilesSource) {
  const { home, random, judge, removeConfigured } = source;
  let { settings } = source;
  let opened: ProfileBook | undefined;

  async function openBook(): Promise<ProfileBook> {
    opened ??= createProfileBook({ folder: await home.folder(), random });
    return opened;
  }
  async function read() {
    const book = await openBook();
    return { settings, book: await book.read(), folder: await home.folder() };
  }
  async function removeData(profile: Profile): Promise<void> {
    await withStartLock({ ...source, profile }, async () => {
      await assertFree(profile);
      await removeProfileData(profile, random);
    });
  }

  return {
    list: async () => listProfiles(await read()),
    find: async (name: string | undefined) => findProfile(name, await read()),
    async create({ profile: name, cdpUrl, signal }: Parameters<Browsers["createProfile"]>[0]) {
      assertProfileName(name);
      const all = listProfiles(await read());
      if (all.some((other) => other.name === name)) throw exists(name);
      if (cdpUrl !== undefined) await judge(readCdpUrl(cdpUrl).url.href, signal);
      const color = chooseColor(all.map((other) => other.color));
      const port = cdpUrl === undefined ? { [name]: reservePort(name, all) } : {};
      const book = await openBook();
      await book.change(({ created, ports }) => ({
        created: { ...created, [name]: { color, ...(cdpUrl === undefined ? {} : { cdpUrl }) } },
        ports: { ...ports, ...port },
      }));
      return findProfile(name, await read());
    },
    /** Throws `browser_profile_invalid`. */
    assertDeletable(profile: Profile) {
      assertDeletable(profile);
      if (profile.source === "config") assertRemovable(profile, removeConfigured);
    },
    assertLocal,
    /** Ends an orphaned browser; keeps its data. Throws `browser_profile_held`. */
    release: (profile: Profile) => withStartLock({ ...source, profile }, () => assertFree(profile)),
    async remove(profile: Profile) {
      if (profile.kind === "managed") await removeData(profile);
      const book = await openBook();
      await book.change(({ created, ports }) => ({
        created: without(created, profile.name),
        ports: without(ports, profile.name),
      }));
      if (profile.source !== "config") return;
      // Last, so that a failure can be retried.
      await removeConfigured?.(profile.name);
      settings = { ...settings, profiles: without(settings.profiles, profile.name) };
    },
  };
}

function without<Value>(record: Readonly<Record<string, Value>>, name: string) {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
}

function assertDeletable({ name, source, isDefault }: Profile): void {
  if (!isDefault && source !== "default") return;
  throw refused(`"${name}" is always there and cannot be deleted.`);
}

/** Data outside our folder belongs to the user. */
function assertRemovable(
  { name, kind, folder, userDataDir }: Profile,
  removeConfigured: BrowserPorts["removeConfigured"],
): void {
  const isOurs = kind === "managed" && dirname(userDataDir) === folder;
  if (isOurs && removeConfigured !== undefined) return;
  throw refused(`"${name}" is defined in the config; remove browser.profiles.${name} there.`);
}

function assertLocal({ name, kind }: Profile): void {
  if (kind !== "attached") return;
  throw refused(`"${name}" attaches to a running browser; only local profiles can be reset.`);
}

async function assertFree(profile: Profile): Promise<void> {
  const note = await endOrphan(profile);
  const holder = await readHolder(profile.userDataDir);
  if (note === undefined && !holder?.isAlive) return;
  const owner = note && { pid: note.owner.pid, host: "", isOfThisMachine: true };
  throw profileHeld(profile, { holder: holder ?? owner, why: "is using its data" });
}

function refused(message: string): ToolInputError {
  return new ToolInputError(message, { reason: "browser_profile_invalid" });
}

function exists(name: string): ToolError {
  return new ToolError(
    "conflict",
    `There is a browser profile "${name}" already; use it, or choose another name.`,
    { reason: "browser_profile_exists", details: { profile: name } },
  );
}

async function removeProfileData(
  profile: Pick<Profile, "name" | "folder">,
  random: RandomSource,
): Promise<void> {
  assertProfileName(profile.name);
  const base = await realpath(dirname(profile.folder)).catch(ifMissing);
  const folder = base && join(base, profile.name);
  const found = folder && (await lstat(folder).catch(ifMissing));
  if (!base || !folder || !found) return;
  // The link is ours, its target is not.
  if (found.isSymbolicLink()) return unlink(folder);
  if (!found.isDirectory()) throw notOurs(folder);
  // Renamed first, so that a browser never starts on half the data.
  const removed = join(base, `.removed-${random.hex(NONCE_BYTES)}`);
  await rename(folder, removed);
  await removeFolder(removed);
}

function ifMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

function notOurs(folder: string): ToolError {
  const message = `"${folder}" is not a folder, so it cannot hold a browser profile; remove it by hand.`;
  return new ToolError("failed", message, { reason: "browser_profile_invalid" });
}

type Home = ReturnType<typeof createHome>;

export function createHome(stateDir: string | undefined) {
  if (stateDir !== undefined) {
    const folder = join(stateDir, FOLDER);
    return { folder: async () => folder, close: async () => undefined };
  }
  let made: Promise<string> | undefined;
  return {
    folder() {
      made ??= makeScratch().then(({ folder }) => join(folder, FOLDER));
      return made;
    },
    async close() {
      if (made !== undefined) await removeFolder(join(await made, ".."));
    },
  };
}
