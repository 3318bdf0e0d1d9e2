// Builds the documented events out of pieces of an answer: opens and ends blocks, joins the arguments
// of calls, and lets exactly one terminal event through.

import type { StreamEvent, UsageInfo } from "../../core/connector.js";
import { parseJson } from "../../lib/json/parse-json.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { StreamFault } from "./read-fault.js";

const MAX_ANSWER_CHARS = 16 * 1024 * 1024;

interface OpenCall {
  readonly id: string;
  readonly name: string;
  json: string;
}

interface OpenBlock {
  readonly type: "text" | "thinking";
  content: string;
}

export type UsageCounts = { readonly [Key in keyof UsageInfo]: UsageInfo[Key] | undefined };

interface Signature {
  readonly type: OpenBlock["type"];
  readonly value: string;
}

export type Assembler = ReturnType<typeof createAssembler>;

export function createAssembler() {
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
    if (chars > MAX_ANSWER_CHARS) done("length");
  };
  const extend = (type: OpenBlock["type"], delta: string) => {
    if (delta === "") return;
    if (block?.type !== type) {
      endBlock();
      block = { type, content: "" };
    }
    block.content += delta;
    emit({ type: `${type}_delta`, delta });
    count(delta);
  };

  /** Ends the open text or thinking. A signature without any text is a block of its own. */
  function endBlock(signature?: Signature): void {
    const type = signature?.type ?? block?.type;
    if (type === undefined) return;
    if (block !== undefined && block.type !== type) endBlock();
    emit({
      type: `${type}_end`,
      content: block?.content ?? "",
      ...(signature && { signature: signature.value }),
    });
    block = undefined;
  }

  /** `json` replaces what was joined. */
  function endCall(key: string, end: { json?: string; signature?: string } = {}): void {
    const call = calls.get(key);
    if (call === undefined) return;
    calls.delete(key);
    const { id, name } = call;
    const { signature, json = call.json } = end;
    const given = readArguments(json);
    const toolCall = { id, name, ...given, ...(signature !== undefined && { signature }) };
    emit({ type: "toolcall_end", toolCall });
  }

  /** Ends every open block. `stop` becomes `toolUse` when there were calls. */
  function done(stopReason: "stop" | "length"): void {
    endBlock();
    for (const key of [...calls.keys()]) endCall(key);
    const reason = stopReason === "stop" && callCount > 0 ? "toolUse" : stopReason;
    finish({ type: "done", stopReason: reason, ...(usage && { usage }) });
  }

  return {
    ...{ endBlock, endCall, done },
    text: (delta: string) => extend("text", delta),
    thinking: (delta: string) => extend("thinking", delta),
    redacted(data: string): void {
      endBlock();
      emit({ type: "thinking_end", content: data, redacted: true });
    },
    /** `key` tells the calls of one answer apart. */
    startCall(key: string, call: { readonly id: string; readonly name: string }): void {
      endBlock();
      const id = call.id === "" ? `call_${callCount}` : call.id;
      callCount += 1;
      calls.set(key, { id, name: call.name, json: "" });
      emit({ type: "toolcall_start", id });
    },
    hasCall: (key: string) => calls.has(key),
    extendCall(key: string, delta: string): void {
      const call = calls.get(key);
      if (call === undefined || delta === "") return;
      call.json += delta;
      emit({ type: "toolcall_delta", delta, id: call.id });
      count(delta);
    },
    /** Counts that are undefined are not known. */
    usage(counts: UsageCounts): void {
      usage = { ...usage, ...withoutUndefined(counts) };
    },
    fail: (fault: StreamFault) => finish({ type: "error", ...fault }),
    isOver: () => isOver,
    /** The events since the last time. */
    take(): StreamEvent[] {
      const taken = events;
      events = [];
      return taken;
    },
  };
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
