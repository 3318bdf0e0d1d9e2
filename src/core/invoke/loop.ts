// Stage 6, second part: detects loops. It warns first; only loops without progress are stopped.

import { ToolError } from "../errors.js";
import type { ToolResult } from "../tool.js";
import { fingerprintCall, fingerprintResult } from "./loop/fingerprint.js";

const MAX_CALLS = 1_009;
const MIN_PING_PONG = 4;

const DEFAULT_WARN_AT = 10;
const DEFAULT_STOP_AT = 20;
const UNKNOWN_STOP_AT = 10;
const FAILURES_STOP_AT = 30;
const FAILURES_LOOKED_AT = 100;
const POLLING_TOOLS: ReadonlySet<string> = new Set(["process"]);

export interface LoopSettings {
  readonly enabled?: boolean | undefined;
  readonly warnAt?: number | undefined;
  readonly stopAt?: number | undefined;
}

interface AskedCall {
  readonly toolName: string;
  readonly params: unknown;
  readonly known: boolean;
}

export interface LoopGuard {
  /** Throws ToolError `denied` when the call would go on with a loop. */
  begin(call: AskedCall): LoopWatch;
}

export interface LoopWatch {
  /** Records the outcome; a sentence for the model when a loop shows. A call without it never was. */
  end(result: ToolResult): string | undefined;
}

interface Detector {
  /** How many of the last calls are part of such a loop. */
  readonly count: (calls: readonly LoopCall[]) => number;
  /** Absent: only reported, because the same answer to other questions is not a loop by itself. */
  readonly stop?: {
    readonly at: (stopAt: number) => number;
    readonly goesOn: (next: NextCall, calls: readonly LoopCall[]) => boolean;
  };
}

const DETECTORS: Readonly<Record<string, Detector>> = {
  unknown_tool: {
    count: (calls) => countTail(calls, (call) => !call.known),
    stop: { at: () => UNKNOWN_STOP_AT, goesOn: (next) => !next.known },
  },
  same_call: {
    count: (calls) =>
      countLike(calls, (call, last) => call.asked === last.asked && call.came === last.came),
    stop: {
      at: (stopAt) => stopAt,
      goesOn: (next, calls) => next.asked === calls.at(-1)?.asked,
    },
  },
  ping_pong: {
    count: countPingPong,
    stop: {
      at: (stopAt) => stopAt,
      goesOn: (next, calls) => next.asked === calls.at(-2)?.asked,
    },
  },
  same_failure: {
    count: (calls) => countLike(calls, (call, last) => call.failed && isSameAnswer(call, last)),
    stop: {
      at: (stopAt) => Math.max(FAILURES_STOP_AT, stopAt),
      // Arguments that were not tried yet may be the ones that work.
      goesOn: (next, calls) =>
        calls.slice(-FAILURES_LOOKED_AT).some((call) => call.asked === next.asked && call.failed),
    },
  },
  argument_churn: { count: (calls) => countLike(calls, isSameAnswer) },
};

interface Finding {
  readonly detector: string;
  readonly count: number;
}

export function createLoopGuard(settings: LoopSettings): LoopGuard {
  if (settings.enabled === false) return { begin: () => ({ end: () => undefined }) };
  const stopAt = settings.stopAt ?? Math.max(DEFAULT_STOP_AT, settings.warnAt ?? 0);
  const warnAt = Math.min(settings.warnAt ?? DEFAULT_WARN_AT, stopAt);
  const calls: LoopCall[] = [];
  let stoppedSince = 0;

  function find(isFound: (detector: Detector, count: number) => boolean): Finding | undefined {
    for (const [name, detector] of Object.entries(DETECTORS)) {
      const count = detector.count(calls);
      if (isFound(detector, count)) return { detector: name, count };
    }
    return undefined;
  }

  return {
    begin({ toolName, params, known }) {
      const asked = fingerprintCall(toolName, params);
      const next = { toolName, asked, known };
      const worst = find(
        ({ stop }, count) =>
          stop !== undefined && count >= stop.at(stopAt) && stop.goesOn(next, calls),
      );
      if (worst) {
        stoppedSince += 1;
        throw stopped(toolName, { ...worst, count: worst.count + stoppedSince });
      }
      return {
        end(result) {
          stoppedSince = 0;
          const came = fingerprintResult(result);
          calls.push({ ...next, came, failed: result.isError === true });
          if (calls.length > MAX_CALLS) calls.shift();
          const near = find((_detector, count) => count >= warnAt && count % warnAt === 0);
          return near && `Loop: ${describe(toolName, near)} ${adviceFor(toolName, near)}`;
        },
      };
    },
  };
}

function adviceFor(toolName: string, { detector }: Finding): string {
  if (detector === "argument_churn") {
    return "If this makes no progress, use another tool or say what is blocking you.";
  }
  return POLLING_TOOLS.has(toolName.toLowerCase())
    ? "Wait inside one call with a timeout instead of asking again."
    : "Change the arguments, use another tool, or say what is in the way.";
}

function describe(toolName: string, { detector, count }: Finding): string {
  if (detector === "unknown_tool") {
    return `${count} calls in a row, this one of ${toolName} among them, name tools that are not offered.`;
  }
  return detector === "argument_churn"
    ? `${toolName} gave the same answer to ${count} calls in a row.`
    : `${toolName} was called ${count} times in a row without progress.`;
}

function stopped(toolName: string, finding: Finding): ToolError {
  const { detector, count } = finding;
  return new ToolError(
    "denied",
    `${describe(toolName, finding)} It is not run again. ${adviceFor(toolName, finding)}`,
    { reason: "tool_loop", details: { detector, count } },
  );
}

function isSameAnswer(call: LoopCall, last: LoopCall): boolean {
  return call.toolName === last.toolName && call.came === last.came;
}

function countLike(
  calls: readonly LoopCall[],
  isLike: (call: LoopCall, last: LoopCall) => boolean,
): number {
  const last = calls.at(-1);
  return last === undefined ? 0 : countTail(calls, (call) => isLike(call, last));
}

function countPingPong(calls: readonly LoopCall[]): number {
  const [other, last] = [calls.at(-2), calls.at(-1)];
  if (!other || !last || other.asked === last.asked) return 0;
  let count = 0;
  for (let index = calls.length - 1; index >= 0; index -= 1) {
    const expected = count % 2 === 0 ? last : other;
    const call = calls[index];
    if (call?.asked !== expected.asked || call.came !== expected.came) break;
    count += 1;
  }
  return count < MIN_PING_PONG ? 0 : count;
}

function countTail(calls: readonly LoopCall[], fits: (call: LoopCall) => boolean): number {
  let count = 0;
  while (count < calls.length) {
    const call = calls[calls.length - 1 - count];
    if (!call || !fits(call)) break;
    count += 1;
  }
  return count;
}

type NextCall = Pick<LoopCall, "toolName" | "asked" | "known">;

interface LoopCall {
  readonly toolName: string;
  readonly asked: string;
  readonly came: string;
  readonly failed: boolean;
  readonly known: boolean;
}
