// Reads git settings without git, which may start programs.

import { dirname } from "node:path";
import { errnoOf } from "../../../lib/errno.js";
import { isInside } from "../../../lib/paths.js";
import { readPlainFile } from "../../../lib/system/open-plain.js";
import { assertWholePath, wholeRealPath } from "../../../lib/system/real-path.js";
import { findRealPath } from "../find-program.js";

const MAX_BYTES = 1024 * 1024;
const MAX_INCLUDES = 10;
const SYSTEM_FOLDERS = ["/etc", "/usr/local/etc", "/opt/homebrew/etc"];
const USER_FILES = [".config/git/config", ".gitconfig"];
const INCLUDE = /^include(?:if\..*)?\.path$/;
/** Which files a filter runs on is chosen by the repository. LFS is harmless. */
const FOREIGN_FILTER = /^filter\.(?!lfs\.)/;
/** Blanks, a comment, a section, or a key with its value. */
const TOKEN =
  /[ \t\r\n]+|[#;][^\n]*|\[([\w.-]+)(?:[ \t\r]+"((?:[^"\\\n]|\\[^\n])*)")?\]|([a-z][a-z0-9-]*)[ \t]*(?:=((?:[^"\\\n;#]|\\[\s\S]|"(?:[^"\\\n]|\\[\s\S])*")*))?/giy;

type Setting = readonly [key: string, value: string];

interface GitAuthor {
  readonly name: string;
  readonly email: string;
}

/** Throws when a file is not understood to its end. */
export async function readConfig(path: string): Promise<readonly Setting[]> {
  const bytes = await readThroughLinks(path, MAX_BYTES);
  const text = assertWholePath(bytes?.toString() ?? "").replaceAll("\r\n", "\n");
  const settings: Setting[] = [];
  let section = "";
  let end = 0;
  for (const [token, name, part, key, value = ""] of text.matchAll(TOKEN)) {
    end += token.length;
    if (name !== undefined) section = part === undefined ? name : `${name}.${toPlain(part)}`;
    if (key !== undefined) {
      settings.push([`${section}.${key}`.toLowerCase(), toPlain(value.trim())]);
    }
  }
  if (end !== text.length) throw new Error(`git settings not understood: ${path}`);
  return settings;
}

function toPlain(text: string): string {
  return text.replace(/\\([\s\S])|"/g, (_, sign = "") => (sign === "\n" ? "" : sign));
}

/** undefined when missing. Throws for anything but a file of at most `maxBytes`. */
export async function readThroughLinks(path: string, maxBytes: number) {
  try {
    const bytes = await readPlainFile(wholeRealPath(path), maxBytes);
    if (bytes === undefined) throw new Error(`not a file that is read: ${path}`);
    return bytes;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** From the home only, without included files. */
export async function readGitAuthor(home: string | undefined): Promise<Partial<GitAuthor>> {
  const files = home === undefined ? [] : USER_FILES.map((name) => `${home}/${name}`);
  // An unreadable file names no one.
  const settings = await Promise.all(files.map((path) => readConfig(path).catch(() => [])));
  const find = (key: string) => settings.flat().findLast(([name]) => name === key)?.[1];
  const [name, email] = [find("user.name"), find("user.email")];
  return { ...(name && { name }), ...(email && { email }) };
}

/** Filters, and all keys of files inside the root. */
export async function listForeignKeys(root: string): Promise<readonly string[]> {
  const home = process.env.HOME;
  const files = [
    ...SYSTEM_FOLDERS.map((folder) => `${folder}/gitconfig`),
    ...(home === undefined ? [] : USER_FILES.map((name) => `${home}/${name}`)),
  ];
  return (await Promise.all(files.map((path) => listKeys(path, { root })))).flat();
}

async function listKeys(
  path: string,
  { root, depth = 0 }: { readonly root: string; readonly depth?: number },
): Promise<readonly string[]> {
  if (depth > MAX_INCLUDES) throw new Error(`too many includes: ${path}`);
  const real = findRealPath(path, "/");
  const isNear = real === undefined || isInside(real, root) || isInside(path, root);
  const keys: string[] = [];
  for (const [key, value] of await readConfig(path)) {
    if (isNear || FOREIGN_FILTER.test(key)) keys.push(key);
    if (!INCLUDE.test(key)) continue;
    keys.push(...(await listKeys(toIncluded(value, path), { root, depth: depth + 1 })));
  }
  return keys;
}

function toIncluded(value: string, from: string): string {
  if (value.startsWith("~/")) return `${process.env.HOME}${value.slice(1)}`;
  if (/^[~%]/.test(value)) throw new Error(`include not understood: ${value}`);
  return value.startsWith("/") ? value : `${dirname(from)}/${value}`;
}
