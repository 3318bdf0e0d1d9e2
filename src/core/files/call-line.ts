// How calls that work on files take turns, and how the changes of a call are recorded for undo.

import { abortError } from "../errors.js";
import type { CallRecording, CallToRecord, FsBridge, HistoryProblem } from "../ports/fs-bridge.js";
import type { ToolContext, ToolResult } from "../tool.js";

export interface LinePlace {
  /** undefined when all who came before have gone ahead or left. */
  turn(): Promise<void> | undefined;
  /** Goes ahead, or gives up, which ends a wait for the turn; a second time does nothing. */
  leave(): void;
}

interface CallLine {
  enter(): LinePlace;
  readonly size: number;
}

export interface BridgeLines {
  readonly reading: CallLine;
  readonly beginning: CallLine;
}

const LINES = new WeakMap<FsBridge, BridgeLines>();

export function linesOf(bridge: FsBridge): BridgeLines {
  const known = LINES.get(bridge);
  if (known) return known;
  const made = { reading: createCallLine(), beginning: createCallLine() };
  LINES.set(bridge, made);
  return made;
}

interface Standing {
  waiting?: Promise<void>;
  begin?: () => void;
}

export function createCallLine(): CallLine {
  const standing = new Set<Standing>();
  const isFirst = (one: Standing) => {
    for (const first of standing) return first === one;
    return true;
  };
  return {
    get size() {
      return standing.size;
    },
    enter() {
      const own: Standing = {};
      standing.add(own);
      return {
        turn() {
          if (isFirst(own) || !standing.has(own)) return undefined;
          own.waiting ??= new Promise((resolve) => {
            own.begin = resolve;
          });
          return own.waiting;
        },
        leave() {
          if (!standing.delete(own)) return;
          own.begin?.();
          for (const first of standing) {
            first.begin?.();
            break;
          }
        },
      };
    },
  };
}

const FIRST_STEPS = 16;

interface ReadingInLine<Reader> {
  readonly line: CallLine;
  readonly loaded: Reader | Promise<Reader>;
  readonly use: (reader: Reader) => unknown;
  readonly signal: AbortSignal;
}

export function readInLine<Reader>({ line, loaded, use, signal }: ReadingInLine<Reader>): unknown {
  if (line.size === 0 && !(loaded instanceof Promise)) return use(loaded);
  const place = line.enter();
  const wait = async () => {
    signal.addEventListener("abort", place.leave, { once: true });
    try {
      const reader = await loaded;
      await place.turn();
      return use(reader);
    } finally {
      signal.removeEventListener("abort", place.leave);
      place.leave();
    }
  };
  return wait();
}

interface Beginning<T> {
  readonly place: LinePlace | undefined;
  readonly signal: AbortSignal;
  readonly begin: () => Promise<T>;
}

export async function beginInTurn<T>({ place, signal, begin }: Beginning<T>): Promise<T> {
  if (!place) return begin();
  const turn = place.turn();
  if (turn) await turn;
  if (signal.aborted) throw abortError(signal);
  const running = begin();
  for (let step = 0; step < FIRST_STEPS; step++) await undefined;
  place.leave();
  return running;
}

/** Gives a call that may change files a bridge of its own; nothing when that cannot be. */
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
