// Which parts of the system a sandboxed command sees, all of them read-only: programs and libraries,
// and of /etc only what programs need in order to run. No keys, no passwords, no settings of services.

import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../../lib/is-inside.js";

const PROGRAM_FOLDERS = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/opt",
  "/nix",
  "/gnu",
];

/** Each mount costs time at every start, so only what programs cannot do without. */
const SETTINGS = [
  "alternatives",
  "fonts",
  "gitconfig",
  "group",
  "ld.so.cache",
  "localtime",
  "nsswitch.conf",
  "os-release",
  "passwd",
  "ssl/openssl.cnf",
];

const NETWORK_SETTINGS = [
  "ca-certificates",
  "crypto-policies",
  "gai.conf",
  "host.conf",
  "hosts",
  "pki",
  "protocols",
  "resolv.conf",
  "services",
  "ssl/certs",
];

/** bwrap's arguments for them. A link of the system stays a link. */
export function systemFolderArguments(request: { readonly allowsNetwork: boolean }): string[] {
  const settings = request.allowsNetwork ? [...SETTINGS, ...NETWORK_SETTINGS] : SETTINGS;
  return [
    ...PROGRAM_FOLDERS.flatMap(bindFolder),
    ...settings.flatMap((name) => showSetting(join("/etc", name))),
  ];
}

function bindFolder(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isSymbolicLink()) return ["--symlink", readlinkSync(path), path];
  return ["--ro-bind", path, path];
}

/** The content is in the place of the name, wherever the name leads: resolv.conf is a link. */
function showSetting(path: string): string[] {
  try {
    const target = realpathSync(path);
    // What a link of the system leads to is there already.
    return isInside(target, "/usr") ? ["--symlink", target, path] : ["--ro-bind", target, path];
  } catch {
    // Not on this system, or a link that leads nowhere: then no one needs it inside either.
    return [];
  }
}
