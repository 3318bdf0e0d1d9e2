// The configured, created and default profiles with their colours and ports.

import { createServer } from "node:net";
import { join } from "node:path";
import { ToolError, ToolInputError } from "../../../core/index.js";
import {
  type BrowserSettings,
  DEFAULT_PROFILE,
  FIRST_CDP_PORT,
  LAST_CDP_PORT,
  type ProfileChoice,
} from "../settings.js";
import type { BookContent } from "./profile-book.js";

const USER_DATA = "user-data";
const LOOPBACK_HOSTS = ["localhost", "[::1]"];
const COLORS = [
  "#FF4500",
  "#0066CC",
  "#00AA00",
  "#9933FF",
  "#FF6699",
  "#00CCCC",
  "#FF9900",
  "#6666FF",
  "#CC3366",
  "#339966",
] as const;
const NAME_FORM = /^[a-z0-9][a-z0-9-]*$/;
const MAX_NAME_CHARS = 64;
const SHOWN_CHARS = 80;

export interface Profile {
  readonly name: string;
  readonly source: "config" | "created" | "default";
  readonly isDefault: boolean;
  readonly kind: "managed" | "attached";
  readonly color: string;
  /** The configured port, else the last one. */
  readonly cdpPort: number | undefined;
  readonly hasFixedPort: boolean;
  readonly cdpUrl: string | undefined;
  readonly isRemote: boolean;
  readonly attachOnly: boolean;
  readonly headless: boolean | undefined;
  readonly executablePath: string | undefined;
  readonly folder: string;
  /** Absolute. */
  readonly userDataDir: string;
}

interface ProfileSource {
  readonly settings: BrowserSettings;
  readonly book: BookContent;
  /** The folder of all profiles; absolute. */
  readonly folder: string;
}

export function listProfiles(source: ProfileSource): readonly Profile[] {
  const { settings, book } = source;
  const configured = Object.keys(settings.profiles).toSorted();
  const created = Object.keys(book.created).toSorted();
  const names = [...new Set([settings.defaultProfile, DEFAULT_PROFILE, ...configured, ...created])];
  const colors: string[] = [];
  return names.map((name) => {
    const profile = toProfile(source, { name, taken: colors });
    colors.push(profile.color);
    return profile;
  });
}

/** Throws `invalid_input` / `browser_profile_invalid` or `not_found` / `browser_profile_unknown`. */
export function findProfile(name: string | undefined, source: ProfileSource): Profile {
  const wanted = name ?? source.settings.defaultProfile;
  assertProfileName(wanted);
  const profiles = listProfiles(source);
  const found = profiles.find((profile) => profile.name === wanted);
  if (found) return found;
  const names = profiles.map((profile) => profile.name);
  throw new ToolError(
    "not_found",
    `Unknown browser profile "${wanted}"; known: ${names.join(", ")}. Create it with action create-profile.`,
    { reason: "browser_profile_unknown", details: { profile: wanted, profiles: names } },
  );
}

interface NamedProfile {
  readonly name: string;
  readonly taken: readonly string[];
}

function toProfile({ settings, book, folder }: ProfileSource, { name, taken }: NamedProfile) {
  const isDefault = name === settings.defaultProfile;
  const written = Object.hasOwn(settings.profiles, name) ? settings.profiles[name] : undefined;
  const created = Object.hasOwn(book.created, name) ? book.created[name] : undefined;
  const choice: ProfileChoice = written ?? created ?? {};
  // The address in the section itself belongs to the default profile.
  const cdpUrl =
    choice.cdpUrl ?? (isDefault && choice.cdpPort === undefined ? settings.cdpUrl : undefined);
  const own = join(folder, name);
  const profile: Profile = {
    name,
    source: written ? "config" : created ? "created" : "default",
    isDefault,
    kind: cdpUrl === undefined ? "managed" : "attached",
    color: choice.color ?? (isDefault ? settings.color : undefined) ?? chooseColor(taken),
    cdpPort: choice.cdpPort ?? book.ports[name],
    hasFixedPort: choice.cdpPort !== undefined,
    cdpUrl,
    isRemote: cdpUrl !== undefined && !isLoopbackUrl(cdpUrl),
    attachOnly: choice.attachOnly ?? settings.attachOnly ?? false,
    headless: choice.headless ?? settings.headless,
    executablePath: choice.executablePath ?? settings.executablePath,
    folder: own,
    userDataDir: choice.userDataDir ?? join(own, USER_DATA),
  };
  return profile;
}

export function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname } = new URL(text);
  return LOOPBACK_HOSTS.includes(hostname) || /^127(?:\.\d+){3}$/.test(hostname);
}

export function chooseColor(taken: readonly (string | undefined)[]): string {
  const upper = taken.map((color) => color?.toUpperCase());
  const free = COLORS.find((color) => !upper.includes(color));
  return free ?? COLORS[taken.length % COLORS.length] ?? COLORS[0];
}

/** Throws `invalid_input` / `browser_profile_invalid`. */
export function assertProfileName(name: string): void {
  if (NAME_FORM.test(name) && name.length <= MAX_NAME_CHARS) return;
  const message = `"${name.slice(0, SHOWN_CHARS)}" is not a valid browser profile name; use up to ${MAX_NAME_CHARS} lower-case letters, digits and hyphens, not starting with a hyphen.`;
  throw new ToolInputError(message, { reason: "browser_profile_invalid" });
}

/** Throws `limit` / `browser_ports_full`. */
export function reservePort(name: string, profiles: readonly Profile[]): number {
  const others = profiles.filter((other) => other.name !== name);
  const taken = new Set(others.flatMap(({ cdpPort }) => cdpPort ?? []));
  for (let port = FIRST_CDP_PORT; port <= LAST_CDP_PORT; port++) {
    if (!taken.has(port)) return port;
  }
  const message = `Every port from ${FIRST_CDP_PORT} to ${LAST_CDP_PORT} belongs to a browser profile; delete a profile before you create "${name}".`;
  throw new ToolError("limit", message, { reason: "browser_ports_full" });
}

/** Chromium silently starts without a port that is taken. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
}
