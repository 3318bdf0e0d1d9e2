// Where in a line a text stands that is not quite there: the part of the line that takes the fewest
// changes of letters to become the text.

export interface Alignment {
  /** How many characters of the line are before it. */
  readonly offset: number;
  /** Letters to put in, leave out or replace. */
  readonly distance: number;
}

export interface AlignRequest {
  readonly line: string;
  readonly text: string;
  /** Whether the part must begin where the line does. */
  readonly from: "anywhere" | "line_start";
  /** Whether it must end where the line does. */
  readonly to: "anywhere" | "line_end";
}

/** Of parts that are equally near the first. Takes time in proportion to both lengths multiplied. */
export function alignText({ line, text, from, to }: AlignRequest): Alignment {
  // Row by row of the text: for each end in the line the fewest changes, and where that part begins.
  const ends = Uint32Array.from({ length: line.length + 1 }, (_, end) => end);
  const nothing = new Uint32Array(line.length + 1);
  let [distances, starts] = from === "anywhere" ? [nothing, ends] : [ends, nothing];
  for (let row = 0; row < text.length; row++) {
    const nextDistances = new Uint32Array(line.length + 1);
    const nextStarts = new Uint32Array(line.length + 1);
    const letter = text.charCodeAt(row);
    nextDistances[0] = row + 1;
    for (let end = 1; end <= line.length; end++) {
      const isSame = line.charCodeAt(end - 1) === letter;
      const replaced = (distances[end - 1] ?? 0) + (isSame ? 0 : 1);
      const added = (distances[end] ?? 0) + 1;
      const passed = (nextDistances[end - 1] ?? 0) + 1;
      const best = Math.min(replaced, added, passed);
      nextDistances[end] = best;
      nextStarts[end] = Math.min(
        best === replaced ? (starts[end - 1] ?? 0) : line.length,
        best === added ? (starts[end] ?? 0) : line.length,
        best === passed ? (nextStarts[end - 1] ?? 0) : line.length,
      );
    }
    [distances, starts] = [nextDistances, nextStarts];
  }
  let end = line.length;
  for (let other = line.length; other >= 0 && to === "anywhere"; other--) {
    if ((distances[other] ?? 0) <= (distances[end] ?? 0)) end = other;
  }
  return { offset: starts[end] ?? 0, distance: distances[end] ?? 0 };
}
