// `clawtools memory status`: what is indexed, and what is left out.

import type { MemoryStatus } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { type CommandCall, type Output, printJson, printLines } from "../../command-call.js";
import { formatColumns, wrapText } from "../../wrap-text.js";
import { withMemory } from "./with-memory.js";

const MAX_PATH_CHARS = 4_096;

export async function run(call: CommandCall): Promise<number> {
  const { output, switches, width } = call;
  return withMemory(call, async (memory) => {
    const status = await memory.status();
    if (switches.has("json")) printJson(output, status);
    else printStatus(output, { status, width });
    return 0;
  });
}

export function printStatus(
  output: Output,
  { status, width }: { readonly status: MemoryStatus; readonly width: number },
): void {
  const { root, indexPath, notes, chunks, staleNotes, legs, indexingBy, warnings } = status;
  // Whole, however long: a path that is broken cannot be copied.
  const places = [
    `  notes in         ${toPrintable(root, MAX_PATH_CHARS)}`,
    `  index            ${indexPath === undefined ? "in memory" : toPrintable(indexPath, MAX_PATH_CHARS)}`,
  ];
  const rows: [string, string][] = [
    ["indexed", `${notes} notes in ${chunks} pieces`],
    ["not yet indexed", `${staleNotes}`],
    ["searches by", legs.join(", ")],
    ...(indexingBy === undefined ? [] : [["being indexed by", indexingBy] as [string, string]]),
  ];
  printLines(output, [...places, ...formatColumns({ rows, width })]);
  for (const warning of warnings) printLines(output, wrapText(toPrintable(warning), width));
}
