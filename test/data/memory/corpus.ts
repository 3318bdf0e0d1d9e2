// The made corpus for searching notes: hand-written notes and questions, and notes that only stand in
// the way, made from the same vocabulary by a seeded generator.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const QUESTION_TYPES = ["paraphrase", "keyword", "path", "cjk", "typo", "recent"] as const;
export type QuestionType = (typeof QUESTION_TYPES)[number];

export interface Question {
  readonly type: QuestionType;
  /** Of the note that answers it. */
  readonly path: string;
  readonly query: string;
  /** Other words that a language model would offer. */
  readonly also: readonly string[];
}

export interface Note {
  readonly path: string;
  readonly text: string;
}

/** When the questions are asked, for the age of dated notes. */
export const ASKED_AT_MS = Date.UTC(2026, 5, 30);
const OBSTACLES = 130;
const SEED = 20_260_630;

/** `folder`: where notes.txt and questions.txt lie. */
export function readQuestions(folder: string): Question[] {
  const lines = readFileSync(join(folder, "questions.txt"), "utf8").trim().split("\n");
  return lines.map((line) => {
    const [type, path = "", query = "", also = ""] = line.split("|").map((part) => part.trim());
    const known = QUESTION_TYPES.find((one) => one === type);
    if (known === undefined) throw new Error(`"${line}" is of no known type.`);
    return { type: known, path, query, also: also === "" ? [] : also.split(/, */) };
  });
}

export function readNotes(folder: string): Note[] {
  const text = readFileSync(join(folder, "notes.txt"), "utf8");
  const written = text
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf("\n");
      return { path: part.slice(0, end), text: part.slice(end + 1) };
    });
  return [...written, ...makeObstacles(written)];
}

export function writeNotes(root: string, notes: readonly Note[]): void {
  for (const { path, text } of notes) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The same numbers at every run: mulberry32. */
function createNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const FOLDERS = ["journal", "meetings", "reading", "ideas", "inbox"];
const FILLERS = [
  "Nothing to do before next week.",
  "Talked it through, no decision yet.",
  "To be looked at again after the holidays.",
  "Sent a short mail about it.",
  "Everybody agreed in the end.",
];

/** Each takes single words of several notes, so that every word of a question is met elsewhere too. */
function makeObstacles(notes: readonly Note[]): Note[] {
  const number = createNumbers(SEED);
  const words = notes
    .flatMap(({ text }) => text.match(/[A-Za-z]{4,}/g) ?? [])
    .filter((word) => !/^[A-Z]{2}/.test(word));
  const pick = <Value>(list: readonly Value[]) => list[number(list.length)];
  return Array.from({ length: OBSTACLES }, (_, index) => {
    const sentences = Array.from({ length: 3 + number(5) }, () => {
      const few = Array.from({ length: 3 + number(4) }, () => pick(words)?.toLowerCase());
      return `About ${few.join(", ")}. ${pick(FILLERS)}`;
    });
    const path = `memory/${pick(FOLDERS)}/entry-${String(index).padStart(3, "0")}.md`;
    return { path, text: `# Entry ${index}\n${sentences.join("\n")}\n` };
  });
}
