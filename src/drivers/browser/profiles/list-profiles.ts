// The profiles there are: those of the configuration, those that were created, and the default one.

import { join } from "node:path";
import { ToolError } from "../../../core/index.js";
import { type BrowserSettings, DEFAULT_PROFILE, type ProfileChoice } from "../settings.js";
import type { BookContent } from "./profile-book.js";
import { chooseColor } from "./profile-colors.js";
import { assertProfileName } from "./profile-name.js";

const USER_DATA = "user-data";
const LOOPBACK_HOSTS = ["localhost", "[::1]"];

/** A profile with everything that is said of it, for itself or for all. */
export interface Profile {
  readonly name: string;
  readonly source: "config" | "created" | "default";
  readonly isDefault: boolean;
  readonly kind: "managed" | "attached";
  readonly color: string;
  /** Where it listens when it runs; what was configured counts before what it had last. */
  readonly cdpPort: number | undefined;
  readonly hasFixedPort: boolean;
  readonly cdpUrl: string | undefined;
  readonly isRemote: boolean;
  readonly attachOnly: boolean;
  readonly headless: boolean | undefined;
  readonly executablePath: string | undefined;
  /** Of this profile alone, below the state folder; absolute. */
  readonly folder: string;
  /** Absolute. */
  readonly userDataDir: string;
}

export interface ProfileSource {
  readonly settings: BrowserSettings;
  readonly book: BookContent;
  /** The folder of all profiles; absolute. */
  readonly folder: string;
}

/** The default one first, then by name. */
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
  // An address for all is that of the one browser no one said more of.
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

/** False for what is not an address; anyone who connects tells that. */
export function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname } = new URL(text);
  return LOOPBACK_HOSTS.includes(hostname) || /^127(?:\.\d+){3}$/.test(hostname);
}
