// The ways in which a hunk may be meant: as it is written, and without empty lines at its end, which
// often only part it from what follows in the patch.

import type { HunkLine } from "../parse/read-hunks.js";

/** From the likeliest to the last resort. */
export function toFittings(lines: readonly HunkLine[]): (readonly HunkLine[])[] {
  const fittings = [lines];
  const shorter = withoutLastEmpty(lines);
  if (shorter) fittings.push(shorter);
  const last = lines.findLastIndex(({ isBare, text }) => !isBare || text !== "");
  if (last < lines.length - 2 && last >= 0) fittings.push(lines.slice(0, last + 1));
  return fittings;
}

/** Without the last line to be found, if that is empty, and without an empty one at the end. */
function withoutLastEmpty(lines: readonly HunkLine[]): readonly HunkLine[] | undefined {
  const at = lines.findLastIndex(({ mark }) => mark !== "+");
  const line = lines[at];
  if (line?.text !== "") return undefined;
  const [before, behind] = [lines.slice(0, at), lines.slice(at + 1)];
  if (behind.length === 0) return before;
  // The file does not have the empty line, and the added ones are to stand behind one.
  if (line.mark === " ") return [...before, { ...line, mark: "+" }, ...behind];
  return behind.at(-1)?.text === "" ? [...before, ...behind.slice(0, -1)] : [...before, ...behind];
}
