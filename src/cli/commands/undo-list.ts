// The list of `clawtools undo --list`: calls that changed files, and calls whose outcome is unknown.

import type { ChangedCall, InterruptedCall, Toolkit } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { formatColumns } from "../wrap-text.js";

const LISTED = 50;

export interface ListedCall extends ChangedCall {
  /** It may have done all, part or nothing of its work. */
  readonly interrupted?: true;
}

/** Newest first. */
export async function listCalls(
  toolkit: Pick<Toolkit, "changes" | "interrupted">,
): Promise<ListedCall[]> {
  const changed = await toolkit.changes(LISTED);
  const interrupted = await toolkit.interrupted(LISTED);
  const known = changed.map((call): ListedCall => {
    const isOpen = interrupted.some((one) => isSameCall(one, call));
    return isOpen ? { ...call, interrupted: true } : call;
  });
  const others = interrupted
    .filter((one) => !changed.some((call) => isSameCall(one, call)))
    .map(({ toolCallId, toolName, sessionKey, atMs }): ListedCall => {
      return { toolCallId, toolName, sessionKey, atMs, interrupted: true };
    });
  return [...known, ...others].sort((one, other) => other.atMs - one.atMs).slice(0, LISTED);
}

/** An id may have been used before and again; a change is made while its call runs. */
function isSameCall(one: InterruptedCall, call: ChangedCall): boolean {
  const isIts = one.atMs <= call.atMs && call.atMs <= one.interruptedAtMs;
  return isIts && one.toolCallId === call.toolCallId && one.toolName === call.toolName;
}

export function formatCalls(calls: readonly ListedCall[], width: number): string[] {
  if (calls.length === 0) return ["No call has changed files here."];
  const rows = calls.map((one): [string, string] => [
    toPrintable(one.toolCallId),
    [
      toPrintable(one.toolName),
      new Date(one.atMs).toISOString(),
      ...(one.undoes === undefined ? [] : [`(took ${toPrintable(one.undoes)} back)`]),
      ...(one.undoneBy === undefined ? [] : [`(undone by ${toPrintable(one.undoneBy)})`]),
      ...(one.interrupted ? ["(interrupted, outcome unknown)"] : []),
    ].join(" "),
  ]);
  return formatColumns({ rows, width });
}
