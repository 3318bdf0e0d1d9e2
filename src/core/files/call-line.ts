// How calls that work on files take turns, and how the changes of a call are recorded for undo.

import { abortError } from "../errors.js";
import type { CallRecording, CallToRecord, FsBridge, HistoryProblem } from "../ports/fs-bridge.js";
import type { ToolContext, ToolResult } from "../tool.js";
import { createTurnQueue, type Turn, type TurnQueue } from "./with-files.js";

/** Calls wait in a single lane, so that they go ahead in the order in which they came. */
const LANE = ["calls"];

/** The queues of the calls that work through one bridge. */
export interface BridgeLines {
  /** While arguments are read, for which a tool may have to be loaded. */
  readonly reading: TurnQueue;
  /** While what a call needs is opened and written down. */
  readonly beginning: TurnQueue;
}

const LINES = new WeakMap<FsBridge, BridgeLines>();

export function linesOf(bridge: FsBridge): BridgeLines {
  const known = LINES.get(bridge);
  if (known) return known;
  const made = { reading: createTurnQueue(), beginning: createTurnQueue() };
  LINES.set(bridge, made);
  return made;
}

export function joinLine(line: TurnQueue): Turn {
  return line.take(LANE, "alone");
}

const FIRST_STEPS = 16;

interface ReadingInLine<Reader> {
  readonly line: TurnQueue;
  readonly loaded: Reader | Promise<Reader>;
  readonly use: (reader: Reader) => unknown;
  readonly signal: AbortSignal;
}

export function readInLine<Reader>({ line, loaded, use, signal }: ReadingInLine<Reader>): unknown {
  if (line.size === 0 && !(loaded instanceof Promise)) return use(loaded);
  const place = joinLine(line);
  const wait = async () => {
    signal.addEventListener("abort", place.leave, { once: true });
    try {
      const reader = await loaded;
      await place.waiting;
      return use(reader);
    } finally {
      signal.removeEventListener("abort", place.leave);
      place.leave();
    }
  };
  return wait();
}

interface Beginning<T> {
  readonly place: Turn | undefined;
  readonly signal: AbortSignal;
  readonly begin: () => Promise<T>;
}

export async function beginInTurn<T>({ place, signal, begin }: Beginning<T>): Promise<T> {
  if (!place) return begin();
  if (place.waiting) await place.waiting;
  if (signal.aborted) throw abortError(signal);
  const running = begin();
  for (let step = 0; step < FIRST_STEPS; step++) await undefined;
  place.leave();
  return running;
}

export type RecordCall = (
  call: CallToRecord,
  bridge: FsBridge,
) => Promise<CallRecording | undefined>;

interface RecordedCall {
  readonly call: CallToRecord;
  readonly ctx: ToolContext;
}

export async function withRecording(
  record: RecordCall | undefined,
  { call, ctx }: RecordedCall,
  run: (ctx: ToolContext) => Promise<ToolResult>,
): Promise<ToolResult> {
  const recording = record && ctx.bridge ? await record(call, ctx.bridge) : undefined;
  if (!recording) {
    await call.begin?.();
    return run(ctx);
  }
  try {
    const result = await run({ ...ctx, bridge: recording.bridge });
    const problems = recording.problems();
    return problems.length === 0 ? result : withProblems(result, problems);
  } finally {
    await recording.end();
  }
}

function withProblems(result: ToolResult, problems: readonly HistoryProblem[]): ToolResult {
  const details: unknown = result?.details ?? {};
  if (typeof details !== "object" || details === null || Array.isArray(details)) return result;
  return { ...result, details: { ...details, undo: { available: false, problems } } };
}
