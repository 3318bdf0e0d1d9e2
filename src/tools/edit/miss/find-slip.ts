// Known slips that make a text fit nowhere: numbers of lines that were copied along, escapes, line
// ends where the file has none, and a change that was made before.

import type { Source } from "../find-matches.js";
import { createLooseView } from "../view.js";

const LINE_NUMBER = /^\s*L?\d+(?:\s?[:|→│]|\t)/;
const FENCE = /^(?:```|~~~)[\w.+-]*\s*$/;
const DIFF_MARK = /^[-+ ]/;
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "",
  '"': '"',
  "'": "'",
  "`": "`",
  "\\": "\\",
};
const ESCAPE = /\\([ntr"'`\\])/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&apos;": "'",
  "&amp;": "&",
};
const ENTITY = /&(?:lt|gt|quot|apos|amp|#39);/g;
const MIN_NEW_TEXT_CHARS = 3;

export type SlipKind =
  | "line_numbers"
  | "fence"
  | "diff_marks"
  | "escapes"
  | "entities"
  | "final_line_end"
  | "first_line_end"
  | "already_applied";

export interface Slip {
  readonly kind: SlipKind;
  /** Where the text is without the slip, counted from 1. */
  readonly line: number;
}

interface Texts {
  readonly oldText: string;
  readonly newText: string;
}

export function findSlip(source: Source, texts: Texts): Slip | undefined {
  for (const [kind, readings] of listReadings(texts)) {
    for (const reading of readings) {
      const line = reading === texts.oldText ? undefined : locate(source, reading);
      if (line !== undefined) return { kind, line };
    }
  }
  return undefined;
}

function* listReadings({ oldText, newText }: Texts): Generator<[SlipKind, string[]]> {
  yield ["line_numbers", withoutLineNumbers(oldText)];
  yield ["fence", withoutFence(oldText)];
  yield ["diff_marks", withoutDiffMarks(oldText)];
  yield ["escapes", [oldText.replace(ESCAPE, (_, letter: string) => ESCAPES[letter] ?? letter)]];
  yield ["escapes", [escapeLines(oldText), JSON.stringify(oldText).slice(1, -1)]];
  yield ["entities", [oldText.replace(ENTITY, (entity) => ENTITIES[entity] ?? entity)]];
  yield ["final_line_end", [withoutLastLineEnds(oldText)]];
  yield ["first_line_end", [oldText.replace(/^\n+/, "")]];
  if (newText.trim().length >= MIN_NEW_TEXT_CHARS) yield ["already_applied", [newText]];
}

function escapeLines(text: string): string {
  return text.replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/** By hand: a pattern would try every run of line ends from each of them on. */
function withoutLastLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n") end--;
  return text.slice(0, end);
}

function withoutLineNumbers(text: string): string[] {
  const lines = text.split("\n");
  if (!lines.every((line) => line.trim() === "" || LINE_NUMBER.test(line))) return [];
  const bare = lines.map((line) => line.replace(LINE_NUMBER, ""));
  return [bare.map((line) => line.replace(/^ /, "")).join("\n"), bare.join("\n")];
}

function withoutFence(text: string): string[] {
  const lines = text.trim().split("\n");
  const isFenced = lines.length > 2 && FENCE.test(lines[0] ?? "") && FENCE.test(lines.at(-1) ?? "");
  return isFenced ? [lines.slice(1, -1).join("\n")] : [];
}

function withoutDiffMarks(text: string): string[] {
  const lines = text.split("\n");
  const isMarked = lines.some((line) => line.startsWith("-") || line.startsWith("+"));
  const isDiff = isMarked && lines.every((line) => line === "" || DIFF_MARK.test(line));
  return isDiff ? [lines.map((line) => line.slice(1)).join("\n")] : [];
}

function locate(source: Source, text: string): number | undefined {
  if (text.trim() === "") return undefined;
  const place = source.looseView().text.indexOf(createLooseView(text).text);
  if (place === -1) return undefined;
  const start = source.looseView().toStart(place);
  return start === undefined ? undefined : source.lineAt(start);
}
