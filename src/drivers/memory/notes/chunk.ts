// Cuts a note into the pieces that are found: at headings first, then between paragraphs and lines.
import { cutChars } from "../../../lib/unicode-text.js";

const HEADING = /^(#{1,6})\s/;
const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
const MAX_HEADING_CHARS = 200;
const MAX_SECTIONS = 5_000;

interface Chunk {
  readonly startLine: number;
  readonly endLine: number;
  readonly startChar: number;
  readonly heading: string;
  readonly text: string;
}

export interface ChunkSettings {
  readonly maxChars: number;
  readonly overlapChars: number;
}

interface Line {
  readonly number: number;
  readonly startChar: number;
  readonly text: string;
}

interface Section {
  readonly heading: string;
  readonly lines: Line[];
  isBare: boolean;
}

export function chunkNote(text: string, settings: ChunkSettings): Chunk[] {
  const sections = listSections(text);
  return (sections.length > MAX_SECTIONS ? joinSections(sections) : sections).flatMap(
    ({ heading, lines }) => cutSection(lines, settings).map((piece) => toChunk(piece, heading)),
  );
}

function listSections(text: string): Section[] {
  const sections: Section[] = [];
  const trail: string[] = [];
  let open: Section = { heading: "", lines: [], isBare: true };
  let fence = "";
  for (const [index, line] of text.split("\n").entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined) fence = nextFence(fence, mark);
    const level = fence === "" && mark === undefined ? levelOf(line) : 0;
    if (level > 0) {
      trail.length = Math.min(trail.length, level - 1);
      while (trail.length < level - 1) trail.push("");
      trail.push(titleOf(line));
      const heading = cutChars(trail.filter((part) => part !== "").join(" > "), MAX_HEADING_CHARS);
      const { isBare } = open;
      if (!isBare) sections.push(open);
      open = { heading, lines: isBare ? open.lines : [], isBare: true };
    } else if (open.isBare && line.trim() !== "") open.isBare = false;
    open.lines.push({ number: index + 1, startChar: 1, text: line });
  }
  sections.push(open);
  return sections;
}

function joinSections(sections: readonly Section[]): Section[] {
  return [{ heading: "", lines: sections.flatMap(({ lines }) => lines), isBare: false }];
}

function levelOf(line: string): number {
  return HEADING.exec(line)?.[1]?.length ?? 0;
}

function titleOf(line: string): string {
  const title = line.slice(levelOf(line)).trim();
  let end = title.length;
  while (end > 0 && title[end - 1] === "#") end--;
  return cutChars(title.slice(0, end).trimEnd(), MAX_HEADING_CHARS);
}

function nextFence(open: string, mark: string): string {
  if (open === "") return mark;
  return mark[0] === open[0] && mark.length >= open.length ? "" : open;
}

function cutSection(lines: readonly Line[], { maxChars, overlapChars }: ChunkSettings): Line[][] {
  const pieces: Line[][] = [];
  let piece: Line[] = [];
  let chars = 0;
  for (const line of lines.flatMap((one) => cutLine(one, maxChars))) {
    const added = line.text.length + 1;
    if (chars + added > maxChars && piece.length > 0) {
      const { kept, rest } = splitAtBlank(piece);
      pieces.push(kept);
      piece = [...listOverlap(kept, overlapChars), ...rest];
      chars = countChars(piece);
    }
    piece.push(line);
    chars += added;
  }
  return [...pieces, piece].filter((one) => one.some(({ text }) => text.trim() !== ""));
}

function cutLine(line: Line, maxChars: number): Line[] {
  if (line.text.length < maxChars) return [line];
  const parts: Line[] = [];
  let rest = line.text;
  let startChar = 1;
  while (rest.length > 0) {
    const space = rest.lastIndexOf(" ", maxChars - 1);
    const isNear = rest.length > maxChars && space > maxChars / 2;
    const end = isNear ? space + 1 : Math.max(1, maxChars - 1);
    const isHalf = /[\uD800-\uDBFF]/.test(rest[end - 1] ?? "");
    const text = rest.slice(0, isHalf ? end + 1 : end);
    parts.push({ number: line.number, startChar, text });
    startChar += text.length;
    rest = rest.slice(text.length);
  }
  return parts;
}

function splitAtBlank(piece: readonly Line[]): { kept: Line[]; rest: Line[] } {
  const blank = piece.findLastIndex(({ text }) => text.trim() === "");
  if (blank <= piece.length / 2) return { kept: [...piece], rest: [] };
  return { kept: piece.slice(0, blank + 1), rest: piece.slice(blank + 1) };
}

function listOverlap(piece: readonly Line[], overlapChars: number): Line[] {
  let from = piece.length;
  let chars = 0;
  while (from > 1) {
    chars += (piece[from - 1]?.text.length ?? 0) + 1;
    if (chars > overlapChars) break;
    from--;
  }
  return piece.slice(from);
}

function countChars(lines: readonly Line[]): number {
  return lines.reduce((sum, { text }) => sum + text.length + 1, 0);
}

function toChunk(lines: readonly Line[], heading: string): Chunk {
  const first = lines.findIndex(({ text }) => text.trim() !== "");
  const last = lines.findLastIndex(({ text }) => text.trim() !== "");
  const shown = lines.slice(first, last + 1);
  return {
    startLine: shown[0]?.number ?? 1,
    endLine: shown.at(-1)?.number ?? 1,
    startChar: shown[0]?.startChar ?? 1,
    heading,
    text: shown.map(({ text }) => text).join("\n"),
  };
}
