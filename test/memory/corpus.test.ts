// The made corpus: its size, and that the kinds of questions which words can answer are answered.
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import {
  ASKED_AT_MS,
  QUESTION_TYPES,
  readNotes,
  readQuestions,
  writeNotes,
} from "../data/memory/corpus.js";
import { makeNotesFolder, type NotesFolder, pathsOf, SIGNAL } from "./memory-setting.js";

const CORPUS = fileURLToPath(new URL("../data/memory", import.meta.url));
/** Least share of questions whose note is the first hit; the table of `bench` has the figures. */
const LEAST_FIRST = { keyword: 0.95, path: 0.95, cjk: 1, typo: 0.9, recent: 0.7, paraphrase: 0 };
const LEAST_WITH_WORDS = 0.9;

let folder: NotesFolder | undefined;
afterEach(() => folder?.close());

describe("the made corpus of notes", () => {
  it("has at least 200 notes and 100 questions of six kinds, each answered by a note", () => {
    const notes = readNotes(CORPUS);
    const questions = readQuestions(CORPUS);
    expect(notes.length).toBeGreaterThanOrEqual(200);
    expect(questions.length).toBeGreaterThanOrEqual(100);
    expect(new Set(questions.map(({ type }) => type))).toEqual(new Set(QUESTION_TYPES));
    const paths = new Set(notes.map(({ path }) => path));
    expect(questions.filter(({ path }) => !paths.has(path))).toEqual([]);
  });

  it("words, paths, slips and CJK are found first, and with the caller's words nearly all are", async () => {
    folder = makeNotesFolder();
    writeNotes(folder.root, readNotes(CORPUS));
    const memory = folder.open({}, { now: () => ASKED_AT_MS });
    const questions = readQuestions(CORPUS);
    const firsts = new Map<string, number>();
    let withWords = 0;
    for (const { type, path, query, also } of questions) {
      const own = await memory.search({ query, signal: SIGNAL });
      if (pathsOf(own)[0] === path) firsts.set(type, (firsts.get(type) ?? 0) + 1);
      const both = await memory.search({ query, also, signal: SIGNAL });
      if (pathsOf(both)[0] === path) withWords++;
    }
    for (const type of QUESTION_TYPES) {
      const all = questions.filter((question) => question.type === type).length;
      expect((firsts.get(type) ?? 0) / all, type).toBeGreaterThanOrEqual(LEAST_FIRST[type]);
    }
    expect(withWords / questions.length).toBeGreaterThanOrEqual(LEAST_WITH_WORDS);
  }, 300_000);
});
