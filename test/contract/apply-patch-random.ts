// Random files, random changes of them, and the patch that says so. What a file must become is kept
// line by line as the changes are made, without the engine under test.

export interface Line {
  readonly text: string;
  readonly end: string;
}

export interface RandomUpdate {
  readonly before: readonly Line[];
  readonly after: readonly Line[];
  /** The body of `*** Update File`; "" when nothing changes. */
  readonly hunks: string;
}

type Random = () => number;

const WORDS = [
  "",
  "}",
  "{",
  "a",
  "b",
  "  a",
  "\ta",
  "return x;",
  "“é”",
  "x - y",
  "+",
  "- a",
  "@@",
  "***",
  "日本",
];
const NEW_WORDS = [
  "new",
  "",
  "  new",
  "a",
  "}",
  "naïve — “no”",
  "*** End Patch",
  "@@ x",
  "+x",
  "-x",
];
const MAX_LINES = 30;
const MAX_CHANGES = 4;

const below = (random: Random, limit: number) => Math.floor(random() * limit);
const pick = (random: Random, list: readonly string[]) => list[below(random, list.length)] ?? "";

export const toText = (lines: readonly Line[]) => lines.map(({ text, end }) => text + end).join("");

export function createUpdate(random: Random): RandomUpdate {
  const before = createLines(random);
  const changes = createChanges(before, random);
  return {
    before,
    after: applyChanges(before, changes),
    hunks: toHunks(before, { changes, random }),
  };
}

/** One kind of line end or a mixture; the last line may have none. */
function createLines(random: Random): Line[] {
  const ends = [["\n"], ["\r\n"], ["\n", "\r\n"]][below(random, 3)] ?? ["\n"];
  const lines = Array.from({ length: below(random, MAX_LINES) }, () => ({
    text: pick(random, WORDS),
    end: pick(random, ends),
  }));
  const last = lines.at(-1);
  // An empty line without an end is no line.
  if (!last || last.text === "" || random() < 0.6) return lines;
  return [...lines.slice(0, -1), { text: last.text, end: "" }];
}

interface Change {
  readonly start: number;
  readonly removed: number;
  readonly added: readonly string[];
}

/** From top to bottom, with at least one line that stays between two of them. */
function createChanges(lines: readonly Line[], random: Random): Change[] {
  const changes: Change[] = [];
  let from = 0;
  for (let left = below(random, MAX_CHANGES + 1); left > 0 && from <= lines.length; left--) {
    const start = from + below(random, lines.length - from + 1);
    const removed = Math.min(below(random, 4), lines.length - start);
    const added = Array.from({ length: below(random, 4) }, () => pick(random, NEW_WORDS));
    if (removed + added.length === 0) continue;
    changes.push({ start, removed, added });
    from = start + removed + 1;
  }
  return changes;
}

/** The rules of the page of the tool, applied line by line. */
function applyChanges(lines: readonly Line[], changes: readonly Change[]): Line[] {
  const made: Line[] = [];
  let from = 0;
  for (const { start, removed, added } of changes) {
    made.push(...lines.slice(from, start));
    const gone = lines.slice(start, start + removed);
    const near = lines[start - 1]?.end ?? lines[start]?.end ?? "\n";
    for (const [index, text] of added.entries()) {
      const model = index === added.length - 1 ? gone.at(-1) : (gone[index] ?? gone.at(-1));
      made.push({ text, end: model ? model.end : near });
    }
    from = start + removed;
  }
  made.push(...lines.slice(from));
  const usual = lines[0]?.end || "\n";
  return made.map((line, index) =>
    line.end === "" && index < made.length - 1 ? { ...line, end: usual } : line,
  );
}

interface Making {
  readonly changes: readonly Change[];
  readonly random: Random;
}

function toHunks(lines: readonly Line[], { changes, random }: Making): string {
  const hunks: string[] = [];
  let from = 0;
  for (const [index, change] of changes.entries()) {
    const limit = changes[index + 1]?.start ?? lines.length;
    const hunk = toHunk(lines, { change, from, limit, random });
    hunks.push(hunk.text);
    from = hunk.end;
  }
  return hunks.join("\n");
}

/** As much context above as it takes for the place to be the first that fits. */
function toHunk(
  lines: readonly Line[],
  at: { change: Change; from: number; limit: number; random: Random },
): { text: string; end: number } {
  const { change, from, limit, random } = at;
  const { start, removed, added } = change;
  const stop = start + removed;
  const end = Math.min(limit, stop + below(random, 4));
  let first = Math.max(from, start - below(random, 4));
  const isPlaced = () => {
    const wanted = lines.slice(first, end).map(({ text }) => text);
    return wanted.length > 0 && findFirst(lines, { wanted, from }) === first;
  };
  while (first > from && !isPlaced()) first--;
  const isInsertion = first === end;
  const isAtEnd = isInsertion || (end === lines.length && random() < 0.3);
  // In an insertion without context only the end of the file can be meant.
  if (isInsertion && start < lines.length) return toHunk(lines, { ...at, random: () => 0.9 });
  const rows = [
    "@@",
    ...lines.slice(first, start).map(({ text }) => ` ${text}`),
    ...lines.slice(start, stop).map(({ text }) => `-${text}`),
    ...added.map((text) => `+${text}`),
    ...lines.slice(stop, end).map(({ text }) => ` ${text}`),
    ...(isAtEnd ? ["*** End of File"] : []),
  ];
  return { text: rows.join("\n"), end };
}

function findFirst(
  lines: readonly Line[],
  { wanted, from }: { wanted: readonly string[]; from: number },
): number {
  for (let start = from; start + wanted.length <= lines.length; start++) {
    if (wanted.every((text, index) => lines[start + index]?.text === text)) return start;
  }
  return -1;
}

const HEADER = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/;
const NO_END = "\\ No newline at end of file";

/** Applies the hunks of a unified diff by their numbers, as other programs do. Throws if they lie. */
export function applyDiff(before: string, diff: string): string {
  const old = before.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const rows = diff.split("\n").slice(0, -1);
  const made: string[] = [];
  let at = 0;
  for (const [index, row] of rows.entries()) {
    const header = HEADER.exec(row);
    if (header) {
      const [start = 0, count = 0, afterStart = 0, afterCount = 0] = header.slice(1).map(Number);
      const from = count === 0 ? start : start - 1;
      made.push(...old.slice(at, from));
      at = from;
      if (made.length !== (afterCount === 0 ? afterStart : afterStart - 1)) throw new Error(row);
      continue;
    }
    if (row === NO_END) continue;
    const line = row.slice(1) + (rows[index + 1] === NO_END ? "" : "\n");
    if (row[0] !== "+" && old[at++] !== line) throw new Error(`${row} is not line ${at}`);
    if (row[0] !== "-") made.push(line);
  }
  return [...made, ...old.slice(at)].join("");
}
