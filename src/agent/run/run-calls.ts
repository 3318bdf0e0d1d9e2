// The calls of one answer: begun in the transcript before they run, at most eight at a time, each
// result appended as it comes.

import {
  type InvokeResult,
  isToolError,
  type StoreOperation,
  type Toolkit,
} from "../../core/index.js";
import { isRace, type OpenCall, type ResultRecord, type Transcript } from "../../sessions/index.js";
import type { AgentEventBody } from "../events.js";

export const MAX_PARALLEL = 8;

export interface CallsRequest {
  readonly transcript: Transcript;
  readonly toolkit: Pick<Toolkit, "invoke" | "annotations">;
  readonly turn: string;
  readonly signal: AbortSignal;
  readonly emit: (event: AgentEventBody) => void;
  /** A newer message waits that the model should see first. */
  readonly isSteered: () => Promise<boolean>;
  /** What must be written together with the result of this call. */
  readonly alsoWrite: (callId: string) => readonly StoreOperation[];
  /** Calls begun by a process that is gone run again. For tests of the rule against it. */
  readonly rerunBegun?: boolean | undefined;
}

/** Until every call of the transcript has a result. Calls that an earlier process began are settled first. */
export async function runCalls(
  request: CallsRequest,
  ownCalls: ReadonlySet<string>,
): Promise<void> {
  const { transcript, signal } = request;
  const left = transcript.fold.openCalls;
  const [lost, waiting] = split(left, (call) => isLost(call, request, ownCalls));
  const unknown = lost.map((call) => missing(call, "unknown"));
  if (unknown.length > 0) await transcript.append(unknown);
  const queue = [...waiting];
  let isSkipping = false;
  let started = 0;
  const worker = async () => {
    for (let call = queue.shift(); call !== undefined; call = queue.shift()) {
      started += 1;
      if (started > MAX_PARALLEL) isSkipping ||= await request.isSteered();
      if (signal.aborted) await transcript.append([missing(call, "not_run")]);
      else if (isSkipping) await transcript.append([missing(call, "skipped")]);
      else await runCall(call, request, ownCalls.has(call.id));
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL, queue.length) }, worker));
}

function isLost(
  call: OpenCall,
  { toolkit, rerunBegun }: CallsRequest,
  own: ReadonlySet<string>,
): boolean {
  if (!call.isBegun || own.has(call.id) || rerunBegun === true) return false;
  return !toolkit.annotations(call.name).readOnly;
}

async function runCall(call: OpenCall, request: CallsRequest, isBegun: boolean): Promise<void> {
  const { transcript, toolkit, turn, signal, emit } = request;
  const { id: toolCallId, name } = call;
  if (!isBegun && !call.isBegun) await transcript.append([{ type: "begin", calls: [toolCallId] }]);
  emit({ type: "call", toolCallId, name, arguments: call.arguments });
  let record: ResultRecord;
  try {
    const result = await toolkit.invoke({
      id: toolCallId,
      name,
      arguments: call.arguments,
      signal,
      turn,
    });
    record = toResult(call, result);
  } catch (error) {
    // The door throws only the caller's own abort; everything else is a result.
    if (!signal.aborted && !isToolError(error)) throw error;
    record = missing(call, "unknown");
  }
  try {
    await transcript.append([record], { also: request.alsoWrite(toolCallId) });
  } catch (error) {
    if (!isRace(error)) throw error;
    // Another process announces the reply that this call waited for.
    record = missing(call, "unknown", "The reply to this call arrives as a message.");
    await transcript.append([record]);
  }
  const { content, isError } = record;
  emit({ type: "result", toolCallId, name, content, isError });
}

function toResult({ id, name }: OpenCall, { content, isError }: InvokeResult): ResultRecord {
  return { type: "result", call: id, name, content, isError };
}

const MISSING_TEXT = {
  unknown:
    "This call was stopped on its way. It may have done all, part or none of its work: check before you repeat it.",
  not_run: "This call was not run.",
  skipped: "This call was skipped: a newer message came first.",
} as const;

export function missing(
  { id, name }: Pick<OpenCall, "id" | "name">,
  why: keyof typeof MISSING_TEXT,
  text: string = MISSING_TEXT[why],
): ResultRecord {
  const content = [{ type: "text" as const, text }];
  return { type: "result", call: id, name, content, isError: true, missing: why };
}

function split<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
