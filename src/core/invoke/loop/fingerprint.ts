// Short fingerprints of arguments and results. Only the ends of long texts count; it never throws.

import { wordSet } from "../../../lib/word-set.js";
import { isRecord, toSortedJson } from "../../schema/json-value.js";
import type { ContentBlock, ToolResult } from "../../tool.js";

const MAX_TEXT_CHARS = 64 * 1024;
const MAX_MASKED_CHARS = 200;
const VOLATILE_FIELDS = wordSet(
  "pid durationMs sessionId startedAt endedAt runtimeMs messageId timestamp",
);
const FNV_START = 0x811c9dc5;
const OTHER_START = 0x1b873593;
const FNV_PRIME = 0x01000193;
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

export function fingerprintCall(toolName: string, params: unknown): string {
  return hash(`${toolName} ${writeValue(params)}`);
}

export function fingerprintResult({ content, details, isError }: ToolResult): string {
  const facts = readFacts(details);
  const kept = facts?.filter(([name]) => !VOLATILE_FIELDS.has(name));
  const mask = createMask((facts ?? []).filter(([name]) => VOLATILE_FIELDS.has(name)));
  const shown = content.map((block) => writeBlock(block, mask));
  return hash(
    `${isError === true} ${writeValue(shown)} ${writeValue(kept ? Object.fromEntries(kept) : details)}`,
  );
}

function readFacts(details: unknown): Array<[string, unknown]> | undefined {
  if (!isRecord(details) || ArrayBuffer.isView(details)) return undefined;
  return Object.entries(details);
}

type Mask = (text: string) => string;

function createMask(volatile: ReadonlyArray<[name: string, value: unknown]>): Mask {
  const values = volatile
    .map(([, value]) => (typeof value === "number" ? String(value) : value))
    .filter((value) => typeof value === "string")
    .filter((value) => value !== "" && value.length <= MAX_MASKED_CHARS)
    .map((value) => value.replace(SYNTAX, "\\$&"));
  if (values.length === 0) return (text) => text;
  // The longest first, so that none is masked in half by another.
  const longest = values.sort((left, right) => right.length - left.length);
  const words = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${longest.join("|")})(?![\\p{L}\\p{N}_])`, "gu");
  return (text) => text.replace(words, "");
}

function writeBlock(block: ContentBlock, mask: Mask): string {
  if (block.type === "text") return mask(shorten(block.text));
  return `${block.mimeType} ${shorten(block.data)}`;
}

function writeValue(value: unknown): string {
  try {
    return shorten(
      toSortedJson(value, (_name, item) => (typeof item === "string" ? shorten(item) : item)),
    );
  } catch {
    // It throws when read or holds itself: such values are all alike to a loop.
    return "unreadable";
  }
}

function shorten(text: string): string {
  if (text.length <= MAX_TEXT_CHARS) return text;
  const half = MAX_TEXT_CHARS / 2;
  return `${text.length} ${text.slice(0, half)}${text.slice(-half)}`;
}

function hash(text: string): string {
  let first = FNV_START;
  let second = OTHER_START;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    first = Math.imul(first ^ code, FNV_PRIME);
    second = Math.imul(second ^ code, FNV_PRIME);
  }
  return `${(first >>> 0).toString(36)}-${(second >>> 0).toString(36)}`;
}
