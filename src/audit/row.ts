// One audit row as a line of text. Its hash covers every byte before it and the previous hash.
import { createHash } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../lib/errno.js";
import { readPlainFile } from "../lib/system/open-plain.js";

export const NO_HASH = "0".repeat(64);
const HASH_TAIL = /^,"hash":"([0-9a-f]{64})"\}$/;
const TAIL_BYTES = 75;
const HASH_FORM = /^[0-9a-f]{64}$/;

/**
 * `call`: one call. `begin`: the first row of a file. `torn`: the line before it was not written to
 * its end. `missing`: the head named rows that are not there. `late`: rows could not be written in time.
 */
const ROW_KINDS = ["call", "begin", "torn", "missing", "late"] as const;
type RowKind = (typeof ROW_KINDS)[number];

export interface RowBody {
  readonly kind: RowKind;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly [field: string]: unknown;
}

export interface Link {
  readonly sequence: number;
  readonly hash: string;
}

interface AuditLine extends Link {
  readonly text: string;
}

export interface StoredRow extends Link {
  readonly previous: string;
  readonly computed: string;
  readonly body: RowBody;
}

export const CHAIN_START: Link = { sequence: 0, hash: NO_HASH };

export function writeRow(body: RowBody, before: Link): AuditLine {
  const sequence = before.sequence + 1;
  const whole = JSON.stringify({ sequence, ...body, previous: before.hash });
  const covered = whole.slice(0, -1);
  const hash = hashText(covered);
  return { sequence, hash, text: `${covered},"hash":"${hash}"}` };
}

/** undefined for a line that is not a row; the caller compares the hashes. */
export function readRow(line: Buffer): StoredRow | undefined {
  const end = line.length - TAIL_BYTES;
  const hash = HASH_TAIL.exec(line.toString("latin1", end))?.[1];
  const fields = hash === undefined ? undefined : parseObject(line.toString());
  if (hash === undefined || fields === undefined) return undefined;
  const { sequence, previous, hash: _hash, ...rest } = fields;
  if (!isSequence(sequence) || !isHash(previous)) return undefined;
  const { kind, at } = rest;
  const known = ROW_KINDS.find((one) => one === kind);
  if (known === undefined || typeof at !== "string") return undefined;
  const computed = hashText(line.subarray(0, end));
  return { sequence, previous, hash, computed, body: { ...rest, kind: known, at } };
}

function hashText(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}

function isHash(value: unknown): value is string {
  return typeof value === "string" && HASH_FORM.test(value);
}

export function isSequence(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    // A parse border: a JSON object, read field by field as unknown.
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

const FILE_MODE = 0o600;
const MAX_HEAD_BYTES = 1_000;
/** A larger number was not written by an audit, and would leave none for the rows that follow. */
const MAX_HEAD_SEQUENCE = 2 ** 40;

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

/** "Rows 3 to 5 are". */
export function nameRows(first: number, last: number): string {
  return first === last ? `Row ${first} is` : `Rows ${first} to ${last} are`;
}

/** The caller holds the lock. Replaces the whole file. */
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
    const isLink = isSequence(sequence) && sequence <= MAX_HEAD_SEQUENCE && isHash(hash);
    return isLink ? { sequence, hash } : undefined;
  } catch {
    return undefined;
  }
}

export const AUDIT_FILE = "audit.jsonl";
export const HEAD_FILE = "audit.head.json";
export const KEY_FILE = "audit.key";
export const LOCK_FOLDER = "audit.lock";

export const AUDIT_NAMES = {
  [AUDIT_FILE]: "file",
  [HEAD_FILE]: "file",
  [KEY_FILE]: "file",
  [LOCK_FOLDER]: "folder",
} as const;

const NUMBER_DIGITS = 6;
const ARCHIVE_FORM = /^audit\.(\d{6,12})\.jsonl$/;

export function archiveName(file: number): string {
  return `audit.${String(file).padStart(NUMBER_DIGITS, "0")}.jsonl`;
}

export function archiveNumbers(names: readonly string[]): number[] {
  return names
    .flatMap((name) => ARCHIVE_FORM.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other);
}
