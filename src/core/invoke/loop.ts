// Stage 6 of a call, second part: is the model going round in circles? Each detector looks at the
// last calls and warns first; only a loop without progress is stopped.

import { ToolError } from "../errors.js";
import type { ToolResult } from "../tool.js";
import {
  createLoopHistory,
  fingerprintCall,
  fingerprintResult,
  type LoopCall,
} from "./loop-history.js";

const DEFAULT_WARN_AT = 10;
const DEFAULT_STOP_AT = 20;
const UNKNOWN_STOP_AT = 10;
const STANDSTILL_STOP_AT = 30;
/** Tools whose business is to be asked again, and which have a way to wait. */
const POLLING_TOOLS: ReadonlySet<string> = new Set(["process"]);

export interface LoopSettings {
  readonly enabled?: boolean | undefined;
  readonly warnAt?: number | undefined;
  readonly stopAt?: number | undefined;
}

export interface LoopGuard {
  /** Throws ToolError `denied` when the call would go on with a loop. */
  begin(call: {
    readonly toolName: string;
    readonly params: unknown;
    readonly known: boolean;
  }): LoopWatch;
}

export interface LoopWatch {
  /** Records the outcome; a sentence for the model when a loop shows. */
  end(result: ToolResult): string | undefined;
}

interface Finding {
  readonly detector: string;
  readonly count: number;
  readonly stopAt: number;
  readonly advice: string;
}

export function createLoopGuard(settings: LoopSettings): LoopGuard {
  if (settings.enabled === false) return { begin: () => ({ end: () => undefined }) };
  const history = createLoopHistory();
  const warnAt = settings.warnAt ?? DEFAULT_WARN_AT;
  const stopAt = Math.max(settings.stopAt ?? DEFAULT_STOP_AT, warnAt);

  return {
    begin({ toolName, params, known }) {
      const asked = fingerprintCall(toolName, params);
      const found = detect(history.calls, { toolName, asked, known, stopAt });
      const worst = found.find(({ count, stopAt: limit }) => count >= limit);
      if (worst) throw stopped(toolName, worst);
      const entry = history.add({ toolName, asked, known });
      const near = found.find(({ count }) => count + 1 >= warnAt && (count + 1) % warnAt === 0);
      return {
        end(result) {
          entry.came = fingerprintResult(result);
          return near && `Loop: ${describe(toolName, near)} ${near.advice}`;
        },
      };
    },
  };
}

function detect(
  calls: readonly LoopCall[],
  next: { toolName: string; asked: string; known: boolean; stopAt: number },
): Finding[] {
  const { toolName, asked, known, stopAt } = next;
  const same = countTail(calls, (call) => call.asked === asked);
  const advice = POLLING_TOOLS.has(toolName)
    ? "Wait inside one call with a timeout instead of asking again."
    : "Change the arguments, use another tool, or say what is in the way.";
  return [
    ...(known ? [] : [unknownRepeat(calls, advice)]),
    { detector: "same_call", count: withoutProgress(calls, same), stopAt, advice },
    { detector: "ping_pong", count: countPingPong(calls, asked), stopAt, advice },
    { detector: "standstill", count: countStandstill(calls), stopAt: STANDSTILL_STOP_AT, advice },
  ];
}

function unknownRepeat(calls: readonly LoopCall[], advice: string): Finding {
  const count = countTail(calls, (call) => !call.known);
  return { detector: "unknown_tool", count, stopAt: UNKNOWN_STOP_AT, advice };
}

/** Of the last `count` calls, those at the end that all came to the same. */
function withoutProgress(calls: readonly LoopCall[], count: number): number {
  const tail = calls.slice(calls.length - count);
  const last = tail.at(-1)?.came;
  return countTail(tail, (call) => call.came === last);
}

/** Two different calls in turns, each always with its own same outcome. */
function countPingPong(calls: readonly LoopCall[], asked: string): number {
  const [first, second] = [calls.at(-2), calls.at(-1)];
  if (!first || !second || first.asked !== asked || second.asked === asked) return 0;
  let count = 0;
  for (let index = calls.length - 1; index >= 0; index--) {
    const expected = count % 2 === 0 ? second : first;
    const call = calls[index];
    if (call?.asked !== expected.asked || call.came !== expected.came) break;
    count++;
  }
  return count;
}

/** Calls at the end whose outcomes are all the same, whatever was asked. */
function countStandstill(calls: readonly LoopCall[]): number {
  const last = calls.at(-1)?.came;
  return last === undefined ? 0 : countTail(calls, (call) => call.came === last);
}

function countTail(calls: readonly LoopCall[], fits: (call: LoopCall) => boolean): number {
  let count = 0;
  while (count < calls.length) {
    const call = calls[calls.length - 1 - count];
    if (!call || !fits(call)) break;
    count++;
  }
  return count;
}

function describe(toolName: string, { detector, count }: Finding): string {
  return `${toolName} was called ${count + 1} times in a row without progress (${detector}).`;
}

function stopped(toolName: string, finding: Finding): ToolError {
  return new ToolError(
    "denied",
    `${describe(toolName, finding)} It is not run again. ${finding.advice}`,
    {
      reason: "tool_loop",
      details: { detector: finding.detector, count: finding.count + 1 },
    },
  );
}
