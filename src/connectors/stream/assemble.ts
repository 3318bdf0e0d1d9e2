// Builds the documented events out of pieces of an answer: opens and ends blocks, joins the arguments
// of calls, and lets exactly one terminal event through.

import type { StreamEvent, UsageInfo } from "../../core/connector.js";
import type { StreamFault } from "./read-fault.js";
import { parseJson } from "./sse.js";

const MAX_ANSWER_CHARS = 16 * 1024 * 1024;

interface OpenCall {
  id: string;
  readonly name: string;
  json: string;
}

interface OpenBlock {
  readonly type: "text" | "thinking";
  content: string;
}

export type UsageCounts = { readonly [Key in keyof UsageInfo]: UsageInfo[Key] | undefined };

export interface Assembler {
  text(delta: string): void;
  thinking(delta: string): void;
  /** Ends the open text or thinking. A signature without any text is a block of its own. */
  endBlock(signature?: { readonly type: "text" | "thinking"; readonly value: string }): void;
  redacted(data: string): void;
  /** `key` tells the calls of one answer apart. */
  startCall(key: string, call: { readonly id: string; readonly name: string }): void;
  hasCall(key: string): boolean;
  extendCall(key: string, delta: string): void;
  /** `json` replaces what was joined. */
  endCall(key: string, end?: { readonly json?: string; readonly signature?: string }): void;
  endCalls(): void;
  /** Counts that are undefined are not known. */
  usage(counts: UsageCounts): void;
  /** Ends every open block. `stop` becomes `toolUse` when there were calls. */
  done(stopReason: "stop" | "length"): void;
  fail(fault: StreamFault): void;
  isOver(): boolean;
  /** The events since the last time. */
  take(): StreamEvent[];
}

export function createAssembler(): Assembler {
  let events: StreamEvent[] = [];
  let block: OpenBlock | undefined;
  const calls = new Map<string, OpenCall>();
  let callCount = 0;
  let chars = 0;
  let usage: UsageInfo | undefined;
  let isOver = false;

  const emit = (event: StreamEvent) => {
    if (!isOver) events.push(event);
  };
  const finish = (event: StreamEvent) => {
    emit(event);
    isOver = true;
  };
  const count = (delta: string) => {
    chars += delta.length;
    // The rest is not waited for; `length` keeps the loop from running calls that may be cut.
    if (chars > MAX_ANSWER_CHARS) assembler.done("length");
  };
  const extend = (type: OpenBlock["type"], delta: string) => {
    if (delta === "") return;
    if (block?.type !== type) {
      assembler.endBlock();
      block = { type, content: "" };
    }
    block.content += delta;
    emit({ type: `${type}_delta`, delta });
    count(delta);
  };

  const assembler: Assembler = {
    text: (delta) => extend("text", delta),
    thinking: (delta) => extend("thinking", delta),
    endBlock(signature) {
      const type = signature?.type ?? block?.type;
      if (type === undefined) return;
      const isOther = block !== undefined && block.type !== type;
      if (isOther) assembler.endBlock();
      emit({
        type: `${type}_end`,
        content: block?.content ?? "",
        ...(signature && { signature: signature.value }),
      });
      block = undefined;
    },
    redacted(data) {
      assembler.endBlock();
      emit({ type: "thinking_end", content: data, redacted: true });
    },
    startCall(key, { id, name }) {
      assembler.endBlock();
      callCount += 1;
      calls.set(key, { id: id === "" ? `call_${callCount - 1}` : id, name, json: "" });
      emit({ type: "toolcall_start", id: calls.get(key)?.id ?? id });
    },
    hasCall: (key) => calls.has(key),
    extendCall(key, delta) {
      const call = calls.get(key);
      if (call === undefined || delta === "") return;
      call.json += delta;
      emit({ type: "toolcall_delta", delta, id: call.id });
      count(delta);
    },
    endCall(key, end = {}) {
      const call = calls.get(key);
      if (call === undefined) return;
      calls.delete(key);
      const { id, name } = call;
      const { signature, json = call.json } = end;
      emit({
        type: "toolcall_end",
        toolCall: {
          id,
          name,
          ...readArguments(json),
          ...(signature !== undefined && { signature }),
        },
      });
    },
    endCalls() {
      for (const key of [...calls.keys()]) assembler.endCall(key);
    },
    usage(counts) {
      for (const [name, count] of Object.entries(counts))
        if (count !== undefined) usage = { ...usage, [name]: count };
    },
    done(stopReason) {
      assembler.endBlock();
      assembler.endCalls();
      const reason = stopReason === "stop" && callCount > 0 ? "toolUse" : stopReason;
      finish({ type: "done", stopReason: reason, ...(usage && { usage }) });
    },
    fail: (fault) => finish({ type: "error", ...fault }),
    isOver: () => isOver,
    take() {
      const taken = events;
      events = [];
      return taken;
    },
  };
  return assembler;
}

/** Nothing is repaired: what is not a JSON object goes on as the text it was. */
function readArguments(json: string): {
  arguments: Record<string, unknown>;
  argumentsText?: string;
} {
  if (json.trim() === "") return { arguments: {} };
  const value = parseJson(json);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? { arguments: { ...value } } : { arguments: {}, argumentsText: json };
}
