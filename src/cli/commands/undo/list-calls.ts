// `clawtools undo --list`: calls that changed files, and calls with unknown outcome.

import type { ChangedCall, InterruptedCall, Toolkit } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { formatColumns, wrapText } from "../../terminal/wrap-text.js";

const LISTED = 50;

export interface ListedCall extends ChangedCall {
  readonly interrupted?: true;
}

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
    .map(({ argumentsText: _arguments, interruptedAtMs: _end, ...one }): ListedCall => {
      return { ...one, files: [], fileCount: 0, interrupted: true };
    });
  return [...known, ...others].sort((one, other) => other.atMs - one.atMs).slice(0, LISTED);
}

/** An id may be reused; a change is made while its call runs. */
function isSameCall(one: InterruptedCall, call: ChangedCall): boolean {
  const isIts = one.atMs <= call.atMs && call.atMs <= one.interruptedAtMs;
  return isIts && one.toolCallId === call.toolCallId && one.toolName === call.toolName;
}

export function formatCalls(
  calls: readonly ListedCall[],
  { width, root }: { readonly width: number; readonly root: string },
): string[] {
  if (calls.length === 0) {
    const none = `No call has changed files in "${toPrintable(root)}". Choose another folder with --root.`;
    return wrapText(none, width);
  }
  const rows = calls.map((one): [string, string] => [
    toPrintable(one.toolCallId),
    [
      toPrintable(one.toolName),
      new Date(one.atMs).toISOString(),
      ...describeFiles(one),
      ...(one.undoes === undefined ? [] : [`(undid ${toPrintable(one.undoes)})`]),
      ...(one.interrupted ? [describeEnd(one)] : []),
      ...(one.undoneBy === undefined ? [] : [`(undone by ${toPrintable(one.undoneBy)})`]),
    ].join(" "),
  ]);
  return formatColumns({ rows, width });
}

/** After an undo the outcome is known again. */
function describeEnd({ undoneBy }: ListedCall): string {
  return undoneBy === undefined ? "(interrupted, outcome unknown)" : "(interrupted)";
}

function describeFiles({ files, fileCount }: ListedCall): string[] {
  if (files.length === 0) return [];
  const shown = files.map(({ path, change, movedFrom }) => {
    const how = movedFrom === undefined ? change : `moved from ${toPrintable(movedFrom)}`;
    return `${toPrintable(path)} (${how})`;
  });
  const left = fileCount - files.length;
  return [`${shown.join(", ")}${left > 0 ? ` and ${left} more` : ""}`];
}
