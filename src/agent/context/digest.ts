// Old records as text: for the request that summarizes them, and as the summary itself when no model
// can be asked.

import { readText } from "../../lib/read-field.js";
import type { StoredRecord, TranscriptRecord } from "../../sessions/index.js";
import { textOfContent } from "../../sessions/index.js";

const MAX_RESULT_CHARS = 2_000;
const MAX_ARGUMENT_CHARS = 500;
const MAX_USER_CHARS = 500;
const MAX_DIGEST_CHARS = 8_000;

const HEARTBEAT_OK = "HEARTBEAT_OK";

/** Oldest lines are dropped until it fits. */
export function renderForSummary(records: readonly StoredRecord[], maxChars: number): string {
  const lines = records.flatMap(({ record }) => renderRecord(record));
  let chars = 0;
  const kept = lines.findLastIndex((line) => {
    chars += line.length + 1;
    return chars > maxChars;
  });
  return lines.slice(kept + 1).join("\n");
}

function renderRecord(record: TranscriptRecord): string[] {
  if (record.type === "compaction") return [`Earlier summary: ${record.summary}`];
  if (record.type === "user") return [`User: ${textOfContent(record.content)}`];
  if (record.type === "result") {
    return [`Result of ${record.name}: ${cut(textOfContent(record.content), MAX_RESULT_CHARS)}`];
  }
  if (record.type !== "assistant") return [];
  return record.content.flatMap((part) => {
    if (part.type === "text") return [`Agent: ${part.text}`];
    if (part.type !== "toolCall") return [];
    return [`Agent calls ${part.name} ${cut(JSON.stringify(part.arguments), MAX_ARGUMENT_CHARS)}`];
  });
}

/** What the user said, which tools were called and which files were changed. */
export function toDigest(records: readonly StoredRecord[]): string {
  const said: string[] = [];
  const calls = new Map<string, number>();
  const files = new Set<string>();
  for (const { record } of records) {
    if (record.type === "compaction") said.push(cut(record.summary, MAX_DIGEST_CHARS / 2));
    if (record.type === "user")
      said.push(`User: ${cut(textOfContent(record.content), MAX_USER_CHARS)}`);
    if (record.type !== "assistant") continue;
    for (const part of record.content) {
      if (part.type !== "toolCall") continue;
      calls.set(part.name, (calls.get(part.name) ?? 0) + 1);
      const path = readText(part.arguments, "path");
      if (path !== undefined && part.name !== "read") files.add(path);
    }
  }
  const tail = [
    `Tools called: ${[...calls].map(([name, count]) => `${name} (${count})`).join(", ") || "none"}`,
    `Files named in calls: ${[...files].join(", ") || "none"}`,
  ].map((line) => cut(line, MAX_DIGEST_CHARS / 4));
  const room = MAX_DIGEST_CHARS - tail.join("\n").length;
  let chars = 0;
  const first = said.findLastIndex((line) => {
    chars += line.length + 1;
    return chars > room;
  });
  const gone = first === -1 ? [] : [`(${first + 1} earlier messages are left out.)`];
  return [...gone, ...said.slice(first + 1), ...tail].join("\n");
}

/** A heartbeat that had nothing to say, with its answer. */
export function wasQuietHeartbeat({ record }: StoredRecord, all: readonly StoredRecord[]): boolean {
  if (record.type !== "user" && record.type !== "assistant") return false;
  const ofRun = all.flatMap((other) =>
    (other.record.type === "user" || other.record.type === "assistant") &&
    other.record.run === record.run
      ? [other.record]
      : [],
  );
  const answers = ofRun.filter(({ type }) => type === "assistant");
  return (
    ofRun.every((other) => other.type !== "user" || other.kind === "heartbeat") &&
    answers.length > 0 &&
    answers.every(({ content }) => textOfContent(content).trim() === HEARTBEAT_OK)
  );
}

function cut(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}
