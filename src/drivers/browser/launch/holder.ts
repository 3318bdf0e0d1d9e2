// Who holds a profile: Chromium's lock link, our note about the running browser, and the lock of a
// start or removal over all processes, because Chromium's own lock is too late.

import { readFile, readlink, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { type Clock, type RandomSource, ToolError } from "../../../core/index.js";
import { readField, readNumber, readText } from "../../../lib/read-field.js";
import { type ProcessOwners, withLock } from "../../../lib/system/rename-lock.js";
import type { Profile } from "../profiles/list-profiles.js";
import { isAlive, type MarkedProcess, markProcess } from "./processes.js";

const LOCK_NAME = "SingletonLock";
const LOCK_FORM = /^(.+)-(\d{1,10})$/;
const LOCK_FOLDER = ".starting";
const MAX_LOCK_WAIT_MS = 35_000;
const FILE_NAME = "running.json";
const FILE_MODE = 0o600;
const NONCE_BYTES = 6;
export const SANDBOX_ON = "on";

type Holder = NonNullable<Awaited<ReturnType<typeof readHolder>>>;

/** undefined: free, or a system where Chromium makes no link. */
export async function readHolder(userDataDir: string) {
  const text = await readlink(join(userDataDir, LOCK_NAME)).catch(() => undefined);
  const [, host, pid] = LOCK_FORM.exec(text ?? "") ?? [];
  if (host === undefined || pid === undefined) return undefined;
  const isOfThisMachine = host === hostname();
  return {
    host,
    pid: Number(pid),
    isOfThisMachine,
    isAlive: !isOfThisMachine || isRunning(Number(pid)),
  };
}

function isRunning(pid: number): boolean {
  if (markProcess(pid).start !== undefined) return true;
  const canSeeStarts = markProcess(process.pid).start !== undefined;
  return !canSeeStarts && isAlive({ pid });
}

interface Held {
  readonly holder: Pick<Holder, "pid" | "host" | "isOfThisMachine"> | undefined;
  readonly why: string;
}

export function profileHeld(
  { name: profile, userDataDir }: Pick<Profile, "name" | "userDataDir">,
  { holder, why }: Held,
): ToolError {
  const advice =
    holder === undefined || holder.isOfThisMachine
      ? "end it, or use another profile"
      : `if nothing runs there any more, delete "${join(userDataDir, LOCK_NAME)}"; else use another profile`;
  const message = `Browser profile "${profile}" is held by ${describe(holder)} and ${why}; ${advice}.`;
  return new ToolError("conflict", message, {
    reason: "browser_profile_held",
    details: { profile, ...(holder ? { pid: holder.pid, host: holder.host } : {}) },
  });
}

function describe(holder: Held["holder"]): string {
  if (holder === undefined) return "another process";
  const { pid, host, isOfThisMachine } = holder;
  return isOfThisMachine ? `process ${pid}` : `process ${pid} of the machine "${host}"`;
}

export interface RunningNote {
  readonly browser: MarkedProcess;
  readonly owner: MarkedProcess;
  readonly port?: number | undefined;
  readonly socketPath?: string | undefined;
  readonly policyKey: string;
  readonly headless: boolean;
  /** `on`, or why Chromium's sandbox is off. */
  readonly sandbox?: string | undefined;
}

export async function writeNote(
  folder: string,
  { note, random }: { readonly note: RunningNote; readonly random: RandomSource },
): Promise<void> {
  await replaceFile(join(folder, FILE_NAME), { text: JSON.stringify(note), random });
}

export async function replaceFile(
  path: string,
  { text, random }: { readonly text: string; readonly random: RandomSource },
): Promise<void> {
  const draft = `${path}.${random.hex(NONCE_BYTES)}`;
  try {
    await writeFile(draft, text, { mode: FILE_MODE, flag: "wx" });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

export async function readNote(folder: string): Promise<RunningNote | undefined> {
  try {
    return parseNote(JSON.parse(await readFile(join(folder, FILE_NAME), "utf8")));
  } catch {
    // Missing or damaged: starting will find out.
    return undefined;
  }
}

export async function removeNote(folder: string, browser: MarkedProcess): Promise<void> {
  const found = await readNote(folder);
  if (found === undefined || found.browser.pid !== browser.pid) return;
  await rm(join(folder, FILE_NAME), { force: true });
}

function parseNote(value: unknown): RunningNote | undefined {
  const browser = parseMark(readField(value, "browser"));
  const owner = parseMark(readField(value, "owner"));
  const policyKey = readText(value, "policyKey");
  if (!browser || !owner || policyKey === undefined) return undefined;
  return {
    ...{ browser, owner, policyKey },
    headless: readField(value, "headless") === true,
    socketPath: readText(value, "socketPath"),
    port: readNumber(value, "port"),
    sandbox: readText(value, "sandbox"),
  };
}

function parseMark(value: unknown): MarkedProcess | undefined {
  const pid = readNumber(value, "pid");
  if (!Number.isSafeInteger(pid) || pid === undefined || pid <= 1) return undefined;
  return { pid, start: readText(value, "start") };
}

export interface StartLockPorts {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly owners: ProcessOwners;
}

/** Rejects with `conflict` / `browser_profile_held`. */
export function withStartLock<Value>(
  { profile, clock, random, owners }: StartLockPorts & { readonly profile: Profile },
  work: () => Promise<Value>,
): Promise<Value> {
  return withLock(
    {
      ...{ clock, random, owners },
      folder: join(dirname(profile.folder), LOCK_FOLDER, profile.name),
      maxWaitMs: MAX_LOCK_WAIT_MS,
      busy: () =>
        new ToolError(
          "conflict",
          `Another process has been starting browser profile "${profile.name}" for ${MAX_LOCK_WAIT_MS / 1_000} s; try again, or use another profile.`,
          { reason: "browser_profile_held", details: { profile: profile.name } },
        ),
    },
    work,
  );
}
