// What a row says of a call: the facts of the core's row, every text bounded so that a row has a size.

import { createHmac } from "node:crypto";
import { type AuditRow, isSecretName } from "../core/index.js";
import { cutChars } from "../lib/unicode-text.js";
import type { RowBody } from "./row.js";

const MAX_TEXT_CHARS = 500;
const MAX_SOURCES = 20;
const MAX_SOURCE_CHARS = 100;

interface CallHashes {
  readonly argumentsHash: string;
  readonly resultHash: string | undefined;
}

export function toCallBody(row: AuditRow, { argumentsHash, resultHash }: CallHashes): RowBody {
  return {
    kind: "call",
    at: new Date(row.atMs).toISOString(),
    durationMs: Math.round(row.durationMs),
    toolCallId: cutText(row.toolCallId),
    toolName: cutText(row.toolName),
    agentId: cutText(row.agentId),
    sessionKey: cutText(row.sessionKey),
    sender: cutText(row.sender),
    owner: row.owner,
    entryPoint: row.entryPoint,
    stage: row.stage,
    outcome: row.outcome,
    code: cutText(row.code),
    reason: cutText(row.reason),
    rule: cutText(row.rule),
    approvedBy: cutText(row.approvedBy),
    ...(row.taintedBy.length > 0 && {
      taintedBy: row.taintedBy
        .slice(0, MAX_SOURCES)
        .map((source) => cutChars(source, MAX_SOURCE_CHARS)),
    }),
    argumentsHash,
    resultHash,
  };
}

export function cutText<Text extends string | undefined>(text: Text): string | Text {
  return text === undefined ? text : cutChars(text, MAX_TEXT_CHARS);
}

const REDACTED = '"[redacted]"';
const LONG_CHARS = 256;
const MAX_DEPTH = 130;
const MAX_VALUES = 100_000;
/** Arguments that are JSON text of this length are hashed as text. */
const MAX_PARSED_CHARS = 1024 * 1024;

type Piece = string | { readonly long: string };
export type Snapshot = readonly Piece[];

interface Writing {
  readonly pieces: Piece[];
  text: string;
  valuesLeft: number;
}

/** Never throws, whatever is given. */
export function takeSnapshot(value: unknown): Snapshot {
  const writing: Writing = { pieces: [], text: "", valuesLeft: MAX_VALUES };
  try {
    write(value, { writing, depth: 0 });
  } catch {
    return ['"[unreadable]"'];
  }
  return [...writing.pieces, writing.text];
}

/** Models send arguments as an object or as the text of one; both are the same call. */
export function readArgumentsText(given: unknown): unknown {
  if (typeof given !== "string" || given.length > MAX_PARSED_CHARS) return given;
  try {
    return JSON.parse(given);
  } catch {
    // The call was refused for it; the text itself is what was asked.
    return given;
  }
}

/** Without the key no one can find the value by trying what it may have been. */
export function hashSnapshot(snapshot: Snapshot, key: Buffer): string {
  const hmac = createHmac("sha256", key);
  for (const piece of snapshot) {
    hmac.update(typeof piece === "string" ? piece : JSON.stringify(piece.long));
  }
  return hmac.digest("hex");
}

interface At {
  readonly writing: Writing;
  readonly depth: number;
}

function write(value: unknown, at: At): void {
  const { writing, depth } = at;
  if (typeof value === "string" && value.length > LONG_CHARS) {
    writing.pieces.push(writing.text, { long: value });
    writing.text = "";
    return;
  }
  if (typeof value !== "object" || value === null) {
    writing.text += writeScalar(value);
    return;
  }
  if (depth >= MAX_DEPTH || writing.valuesLeft-- <= 0) {
    writing.text += '"[too large]"';
    return;
  }
  if (Array.isArray(value)) writeList(value, { writing, depth: depth + 1 });
  else if (ArrayBuffer.isView(value)) writing.text += `{"bytes":${value.byteLength}}`;
  else if (value instanceof Date) writing.text += JSON.stringify(String(value.getTime()));
  else writeObject(value, { writing, depth: depth + 1 });
}

function writeScalar(value: unknown): string {
  if (typeof value === "bigint") return `"${value}n"`;
  return JSON.stringify(value) ?? "null";
}

function writeList(list: readonly unknown[], at: At): void {
  const { writing } = at;
  writing.text += "[";
  for (let index = 0; index < list.length && writing.valuesLeft-- > 0; index++) {
    if (index > 0) writing.text += ",";
    write(list[index], at);
  }
  writing.text += "]";
}

function writeObject(value: object, at: At): void {
  const { writing } = at;
  writing.text += "{";
  let count = 0;
  for (const name of Object.keys(value).sort()) {
    if (writing.valuesLeft-- <= 0) break;
    const field: unknown = Reflect.get(value, name);
    if (field === undefined || typeof field === "function") continue;
    writing.text += `${count++ > 0 ? "," : ""}${JSON.stringify(name)}:`;
    if (isSecretName(name)) writing.text += REDACTED;
    else write(field, at);
  }
  writing.text += "}";
}
