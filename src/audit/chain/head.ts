// The head: which row was the last when the audit was last brought to the disk. It is in a file of
// its own, so that rows cut off at the end are missed.

import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../../lib/errno.js";
import { readPlainFile } from "../../lib/system/open-plain.js";
import { HEAD_FILE } from "../names.js";
import { isHash, isSequence, type Link } from "./row.js";

const FILE_MODE = 0o600;
const MAX_HEAD_BYTES = 1_000;

export type FoundHead =
  | { readonly kind: "found"; readonly link: Link }
  | { readonly kind: "none" }
  | { readonly kind: "unreadable" };

export async function readHead(folder: string): Promise<FoundHead> {
  try {
    const bytes = await readPlainFile(join(folder, HEAD_FILE), MAX_HEAD_BYTES);
    const link = bytes && parseHead(bytes.toString());
    return link === undefined ? { kind: "unreadable" } : { kind: "found", link };
  } catch (error) {
    if (isMissing(error)) return { kind: "none" };
    throw error;
  }
}

/** The caller it holds the lock. Replaced as a whole. */
export async function writeHead(folder: string, { sequence, hash }: Link): Promise<void> {
  const draft = join(folder, `${HEAD_FILE}.new`);
  await writeFile(draft, `${JSON.stringify({ sequence, hash })}\n`, { mode: FILE_MODE });
  await rename(draft, join(folder, HEAD_FILE));
}

function parseHead(text: string): Link | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const sequence: unknown = Reflect.get(value, "sequence");
    const hash: unknown = Reflect.get(value, "hash");
    return isSequence(sequence) && isHash(hash) ? { sequence, hash } : undefined;
  } catch {
    // Changed by someone: reported by anyone who reads it.
    return undefined;
  }
}
