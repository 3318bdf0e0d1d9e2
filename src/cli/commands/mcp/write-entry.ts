// Adds the server to a client's config file, keeps the rest, and makes one copy of the old file.

import { isUtf8 } from "node:buffer";
import { constants, existsSync } from "node:fs";
import { copyFile, rename, rm } from "node:fs/promises";
import { editDocument, replaceFile } from "../../../config/edit/index.js";
import { readConfigValue } from "../../../config/index.js";
import { ToolError, ToolInputError } from "../../../core/index.js";
import { errnoOf, isMissing } from "../../../lib/errno.js";
import { toPrintable } from "../../../lib/printable.js";
import { readPlainFile } from "../../../lib/system/open-plain.js";
import { splitByteOrderMark } from "../../../lib/unicode-text.js";

const NEW_FILE = "{}\n";
/** Some clients keep whole histories next to their servers. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Only an HTTP server has these. */
const HTTP_FIELDS = ["url", "serverUrl", "headers"];

interface EntryRequest {
  readonly file: string;
  readonly key: string;
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  /** Of a new file. */
  readonly mode: number;
}

export interface Outcome {
  readonly written: boolean;
  readonly backup?: string;
}

export async function writeEntry(request: EntryRequest): Promise<Outcome> {
  const { file, mode } = request;
  const before = await readOld(file);
  const old = before === undefined ? NEW_FILE : decode(before, file);
  const start = old.trim() === "" ? NEW_FILE : old;
  const found = await readEntry(start, request);
  const text = await editEntry(start, { request, found });
  if (before !== undefined && text === old) return { written: false };
  if (before === undefined) {
    await replaceFile({ path: file, before, text, mode });
    return { written: true };
  }
  return await replaceWithCopy({ path: file, before, text, mode }, { isOurs: found !== undefined });
}

/** The entry for our server; undefined without one. */
export async function readInstalled(place: Omit<EntryRequest, "entry" | "mode">): Promise<unknown> {
  const before = await readOld(place.file);
  return before === undefined ? undefined : await readEntry(decode(before, place.file), place);
}

type Replacement = Parameters<typeof replaceFile>[0];

/** A copy without our entry is worth more than one with it. */
async function replaceWithCopy(
  replacement: Replacement,
  { isOurs }: { readonly isOurs: boolean },
): Promise<Outcome> {
  const copy = `${replacement.path}.before-clawtools`;
  const draft = `${copy}.new`;
  try {
    await rm(draft, { force: true });
    await copyFile(replacement.path, draft, constants.COPYFILE_EXCL);
    await replaceFile(replacement);
    if (isOurs && existsSync(copy)) return { written: true };
    await rename(draft, copy);
    return { written: true, backup: copy };
  } catch (error) {
    const errno = errnoOf(error);
    throw errno === "" ? error : unwritable(replacement.path, error);
  } finally {
    await rm(draft, { force: true });
  }
}

async function readOld(file: string): Promise<Buffer | undefined> {
  try {
    const bytes = await readPlainFile(file, MAX_FILE_BYTES);
    if (bytes !== undefined) return bytes;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unwritable(file, error);
  }
  throw notEditable(file, `is not a file of at most ${MAX_FILE_BYTES / 1024 / 1024} MiB`);
}

function decode(bytes: Buffer, file: string): string {
  if (!isUtf8(bytes)) throw notEditable(file, "is not UTF-8 text");
  return bytes.toString();
}

/** A parse error is reported by the edit. */
async function readEntry(
  text: string,
  { file, key, name }: Omit<EntryRequest, "entry" | "mode">,
): Promise<unknown> {
  const { parse } = (await import("json5")).default;
  const servers = readConfigValue(parseOr(parse, splitByteOrderMark(text).body), key);
  if (servers === undefined || isObject(servers)) return readConfigValue(servers, name);
  throw notEditable(file, `has a "${key}" that is not an object`);
}

function parseOr(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text);
  } catch {
    // Reported by the edit.
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Keeps what we do not set, such as `env` and `disabled`. */
async function editEntry(
  text: string,
  { request, found }: { readonly request: EntryRequest; readonly found: unknown },
): Promise<string> {
  const { file, key, name, entry } = request;
  if (!isObject(found))
    return await edit(text, { file, change: { path: [key, name], value: entry } });
  let edited = text;
  for (const field of HTTP_FIELDS.filter((one) => Object.hasOwn(found, one))) {
    edited = await edit(edited, { file, change: { path: [key, name, field], remove: true } });
  }
  for (const [field, value] of Object.entries(entry)) {
    if (field === "env" && Object.hasOwn(found, field)) continue;
    edited = await edit(edited, { file, change: { path: [key, name, field], value } });
  }
  return edited;
}

async function edit(
  text: string,
  options: { readonly file: string; readonly change: Parameters<typeof editDocument>[1] },
): Promise<string> {
  const { file, change } = options;
  const edited = await editDocument(text, change).catch((error: unknown) => {
    // The search patterns fail on very long texts.
    if (error instanceof RangeError)
      throw notEditable(file, "holds a text that is too long", error);
    throw error;
  });
  if (!edited.ok) throw notEditable(file, edited.why);
  return edited.text;
}

function notEditable(file: string, why: string, cause?: unknown): ToolInputError {
  return new ToolInputError(`"${toPrintable(file, 4_096)}" ${why}; nothing was changed.`, {
    reason: "file_not_editable",
    cause,
  });
}

function unwritable(file: string, cause: unknown): ToolError {
  return new ToolError(
    "unavailable",
    `"${toPrintable(file, 4_096)}" cannot be read or written (${errnoOf(cause)}); nothing was changed.`,
    { reason: "file_unwritable", cause },
  );
}
