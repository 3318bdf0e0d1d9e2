// The ways of going round in circles, each as a count of calls at the end of the history.

import type { LoopCall } from "./history.js";

/** Fewer are two calls that follow each other, and no pattern. */
const MIN_PING_PONG = 4;

export type LoopDetector = (calls: readonly LoopCall[]) => number;

export const DETECTORS = {
  /** Names that no tool has, one after the other. */
  unknown_tool: (calls) => countTail(calls, (call) => !call.known),
  /** The same call with the same outcome. */
  same_call: (calls) =>
    countLike(calls, (call, last) => call.asked === last.asked && call.came === last.came),
  /** Two calls in turns, each always with its own same outcome. */
  ping_pong: countPingPong,
  /** One tool that fails in the same way, whatever it is asked. */
  same_failure: (calls) =>
    countLike(calls, (call, last) => call.failed && isSameAnswer(call, last)),
  /** One tool that answers the same, whatever it is asked: odd, but for many tools just right. */
  argument_churn: (calls) => countLike(calls, isSameAnswer),
} as const satisfies Readonly<Record<string, LoopDetector>>;

export type LoopDetectorName = keyof typeof DETECTORS;

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
