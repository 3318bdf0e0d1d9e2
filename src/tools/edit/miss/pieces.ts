// Pieces by which a text is known in a line that is too long to be compared letter by letter.

interface Alignment {
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

const MIN_PIECE_CHARS = 4;
const MAX_PIECE_CHARS = 24;
const USUAL_PIECE_CHARS = 12;
const MAX_PIECES = 12;
/** So much around the place where the text seems to begin is compared. */
const SPARE_CHARS = 64;

export interface Piece {
  readonly text: string;
  /** How many characters of the whole text are before it. */
  readonly offset: number;
}

/** Spread from the beginning to the end; none of a text that is too short for two. */
export function listPieces(text: string): Piece[] {
  if (text.length < 2 * MIN_PIECE_CHARS) return [];
  const count = Math.min(MAX_PIECES, Math.max(2, Math.floor(text.length / USUAL_PIECE_CHARS)));
  const chars = Math.min(MAX_PIECE_CHARS, Math.floor(text.length / count));
  return Array.from({ length: count }, (_, index) => {
    const offset = Math.round((index * (text.length - chars)) / (count - 1));
    return { text: text.slice(offset, offset + chars), offset };
  });
}

/** Where in a long line a text is that is not quite there; undefined when no piece of it does. */
export function alignInLongLine(line: string, text: string): Alignment | undefined {
  const near = findStart(line, text);
  if (near === undefined) return undefined;
  const from = Math.max(0, near - SPARE_CHARS);
  const window = line.slice(from, near + text.length + SPARE_CHARS);
  const { offset, distance } = alignText({ line: window, text, from: "anywhere", to: "anywhere" });
  return { offset: from + offset, distance };
}

/** By a piece that the line has once, else by the first that it has. */
function findStart(line: string, text: string): number | undefined {
  let first: number | undefined;
  for (const piece of listPieces(text)) {
    const place = line.indexOf(piece.text);
    if (place === -1) continue;
    const start = Math.max(0, place - piece.offset);
    if (line.indexOf(piece.text, place + 1) === -1) return start;
    first ??= start;
  }
  return first;
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
