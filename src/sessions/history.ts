// A transcript as people and other agents read it: messages without internal records.

import type { Store } from "../core/index.js";
import type { HistoryMessage } from "../core/server.js";
import { textOfContent } from "./fold.js";
import type { StoredRecord, TranscriptRecord } from "./records.js";
import { readNewest, readTranscript } from "./transcript.js";

const MAX_TEXT_CHARS = 4_000;
const PAGE = 200;
/** Records that are looked at for one page of messages. */
const MAX_SCAN = 10_000;

export interface HistoryRequest {
  readonly limit: number;
  readonly before?: number | undefined;
  readonly includeTools?: boolean | undefined;
  /** Characters of one text; default 4,000. */
  readonly maxChars?: number | undefined;
}

interface SessionLog {
  readonly store: Store;
  readonly sessionId: string;
}

/** Messages oldest first, and where older ones begin. */
export async function readHistory(log: SessionLog, request: HistoryRequest) {
  const newestFirst: HistoryMessage[] = [];
  let { before } = request;
  let scanned = 0;
  do {
    // One more than asked for says whether there are older ones.
    const limit = scanned === 0 ? request.limit + 1 : PAGE;
    const page = await readNewest(log, { before, limit });
    for (const stored of page.records) {
      scanned += 1;
      const message = toHistoryMessage(stored, request);
      if (message === undefined) continue;
      if (newestFirst.length === request.limit) {
        return { messages: newestFirst.reverse(), before: stored.sequence + 1 };
      }
      newestFirst.push(message);
    }
    before = page.next;
  } while (before !== undefined && scanned < MAX_SCAN);
  return { messages: newestFirst.reverse(), before };
}

function toHistoryMessage(
  { sequence, atMs, record }: StoredRecord,
  { includeTools = false, maxChars = MAX_TEXT_CHARS }: Partial<HistoryRequest>,
): HistoryMessage | undefined {
  const text = textOfRecord(record, includeTools);
  if (text === undefined || text === "") return undefined;
  const shown =
    text.length > maxChars ? `${text.slice(0, maxChars)}\n… (${text.length} characters)` : text;
  const base = { id: String(sequence), atMs, content: [{ type: "text" as const, text: shown }] };
  if (record.type === "user")
    return { ...base, role: "user", runId: record.about.at(-1) ?? record.run };
  if (record.type === "assistant") return { ...base, role: "assistant", runId: record.run };
  if (record.type !== "result") return undefined;
  const { name: toolName, isError, call } = record;
  return { ...base, role: "toolResult", runId: call, toolName, isError };
}

function textOfRecord(record: TranscriptRecord, includeTools: boolean): string | undefined {
  if (record.type === "user") return textOfContent(record.content);
  if (record.type === "result") return includeTools ? textOfContent(record.content) : undefined;
  if (record.type !== "assistant") return undefined;
  const text = textOfContent(record.content);
  if (!includeTools) return text;
  const calls = record.content.flatMap((part) =>
    part.type === "toolCall"
      ? [`[${part.name} ${part.argumentsText ?? JSON.stringify(part.arguments)}]`]
      : [],
  );
  return [text, ...calls].filter((line) => line !== "").join("\n");
}

/** Every record as one line of JSON, oldest first. */
export async function* exportLines(log: SessionLog): AsyncGenerator<string> {
  let after = 0;
  for (;;) {
    const records = await readTranscript(log, { after, limit: PAGE });
    for (const { sequence, atMs, record } of records) {
      yield JSON.stringify({ sequence, at: new Date(atMs).toISOString(), ...record });
    }
    const last = records.at(-1);
    if (last === undefined) return;
    after = last.sequence;
  }
}
