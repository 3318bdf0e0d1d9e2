// A session in memory: the fold of its transcript. Nothing is decided here that is not in a record, so
// folding again after a crash gives the same.

import type { ContextMessage } from "../core/connector.js";
import type { OpenRun, StoredRecord, TranscriptRecord, UserRecord } from "./records.js";

const SUMMARY_HEAD = "Summary of the conversation so far:\n\n";

export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly isBegun: boolean;
}

export interface Fold {
  /** Sequence numbers of the first record that is sent to the model, and of the last one. */
  readonly first: number;
  readonly last: number;
  readonly through: number;
  /** What the model is sent, oldest first; calls that are still open have a placeholder. */
  readonly messages: readonly ContextMessage[];
  /** In the order in which the model made them. */
  readonly openCalls: readonly OpenCall[];
  readonly openRun: OpenRun | undefined;
  readonly lastDate: string | undefined;
  /** Tokens of the context when the model counted last, and characters added since. */
  readonly counted: { readonly tokens: number; readonly charsSince: number };
  apply(stored: StoredRecord): void;
}

type FoldState = { -readonly [Key in keyof Fold]: Fold[Key] };

interface Slot {
  readonly index: number;
  readonly call: OpenCall;
}

type RecordOf<Type extends TranscriptRecord["type"]> = Extract<TranscriptRecord, { type: Type }> & {
  readonly type: Type;
};

type RecordTable = {
  readonly [Type in TranscriptRecord["type"]]: (record: RecordOf<Type>, at: StoredRecord) => void;
};

export function createFold({ through = 0 } = {}): Fold {
  const messages: ContextMessage[] = [];
  const slots = new Map<string, Slot>();
  const counted = { tokens: 0, charsSince: 0 };
  const state: FoldState = {
    ...{ first: 0, last: 0, through, lastDate: undefined, openRun: undefined },
    ...{ messages, counted },
    get openCalls() {
      return [...slots.values()].map(({ call }) => call);
    },
    apply(stored) {
      state.first ||= stored.sequence;
      state.last = stored.sequence;
      applyRecord(table, stored.record, stored);
    },
  };
  const push = (message: ContextMessage) => {
    messages.push(message);
    counted.charsSince += charsOf(message);
  };
  const table: RecordTable = {
    user(record, { sequence, atMs }) {
      state.through = Math.max(state.through, record.through);
      state.lastDate = record.date ?? state.lastDate;
      const { openRun } = state;
      // A steered message goes on with its chain; one of a person begins a new one.
      const hops = record.hops ? Math.max(openRun?.hops ?? 0, record.hops) : 0;
      state.openRun = openRun
        ? { ...openRun, about: [...openRun.about, ...record.about], hops }
        : startRun(record, { sequence, atMs });
      // A message of its own, so that the text of the user stays as it was written.
      if (record.date !== undefined) push({ role: "user", content: `Date: ${record.date}` });
      push({ role: "user", content: [...record.content] });
    },
    assistant(record) {
      const { content, origin, usage } = record;
      push({ role: "assistant", content: [...content], origin: { ...origin } });
      const { openRun } = state;
      if (openRun) {
        const text = textOfContent(content);
        const turns = openRun.turns + (record.stop === "notice" ? 0 : 1);
        state.openRun = {
          ...openRun,
          turns,
          resumes: 0,
          text: text || openRun.text,
          inputTokens: openRun.inputTokens + (usage?.inputTokens ?? 0),
          outputTokens: openRun.outputTokens + (usage?.outputTokens ?? 0),
          usd: openRun.usd + (record.usd ?? 0),
        };
      }
      if (usage?.inputTokens !== undefined) {
        counted.tokens = usage.inputTokens + (usage.outputTokens ?? 0);
        counted.charsSince = 0;
      }
      for (const part of content) {
        if (part.type !== "toolCall") continue;
        const { id, name, argumentsText } = part;
        const call = { id, name, arguments: argumentsText ?? part.arguments, isBegun: false };
        slots.set(id, { index: messages.length, call });
        messages.push(toResultMessage({ call: id, name, content: [], isError: true }));
      }
    },
    begin({ calls }) {
      for (const id of calls) {
        const slot = slots.get(id);
        if (slot) slots.set(id, { ...slot, call: { ...slot.call, isBegun: true } });
      }
    },
    result(record) {
      const slot = slots.get(record.call);
      if (slot === undefined) return;
      slots.delete(record.call);
      const message = toResultMessage(record);
      messages[slot.index] = message;
      counted.charsSince += charsOf(message);
    },
    compaction({ summary, through, openRun }) {
      state.through = Math.max(state.through, through);
      state.openRun = openRun ?? state.openRun;
      // The reader begins at `keep`, so everything before it is already gone.
      messages.unshift({ role: "user", content: SUMMARY_HEAD + summary });
      counted.tokens = 0;
      counted.charsSince = messages.reduce((sum, message) => sum + charsOf(message), 0);
    },
    drop({ through: dropped }) {
      state.through = Math.max(state.through, dropped);
    },
    resume() {
      if (state.openRun) state.openRun = { ...state.openRun, resumes: state.openRun.resumes + 1 };
    },
    end() {
      state.openRun = undefined;
    },
  };
  return state;
}

function applyRecord<Type extends TranscriptRecord["type"]>(
  table: RecordTable,
  record: RecordOf<Type>,
  stored: StoredRecord,
): void {
  table[record.type](record, stored);
}

function startRun(record: UserRecord, at: { sequence: number; atMs: number }): OpenRun {
  // One plain literal: merging spread objects took a quarter of the time to open a long session.
  return {
    run: record.run,
    about: record.about,
    kind: record.kind,
    from: record.from,
    hops: record.hops ?? 0,
    firstSequence: at.sequence,
    startedAtMs: at.atMs,
    turns: 0,
    resumes: 0,
    text: "",
    inputTokens: 0,
    outputTokens: 0,
    usd: 0,
  };
}

function toResultMessage({
  call,
  name,
  content,
  isError,
}: Pick<Extract<TranscriptRecord, { type: "result" }>, "call" | "name" | "content" | "isError">) {
  return { role: "toolResult" as const, toolCallId: call, toolName: name, content, isError };
}

export function textOfContent(content: readonly { type: string; text?: string }[]): string {
  return content.flatMap(({ type, text }) => (type === "text" && text ? [text] : [])).join("\n");
}

/** An image counts as a fixed number of characters: about 1,500 tokens. */
const IMAGE_CHARS = 6_000;

function charsOf({ content }: ContextMessage): number {
  if (content === null) return 0;
  if (typeof content === "string") return content.length;
  return content.reduce((sum, part) => {
    if (part.type === "text") return sum + part.text.length;
    if (part.type === "thinking") return sum + part.thinking.length;
    if (part.type === "toolCall") return sum + JSON.stringify(part.arguments).length + 40;
    return sum + IMAGE_CHARS;
  }, 0);
}
