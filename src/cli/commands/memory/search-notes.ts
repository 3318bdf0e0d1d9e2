// `clawtools memory search`: the hits, each with its place and a part of it.

import type { MemoryAnswer, MemoryHit } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { type CommandCall, printJson, printLines } from "../../command-call.js";
import { UsageError } from "../../failure.js";
import { wrapText } from "../../wrap-text.js";
import { withMemory } from "./with-memory.js";

const MAX_SHOWN_CHARS = 300;
const MAX_HITS = 50;

export async function run(call: CommandCall): Promise<number> {
  const { output, switches, texts, width } = call;
  const query = call.words.join(" ");
  const maxResults = readMax(texts.max);
  return withMemory(call, async (memory) => {
    const answer = await call.untilStopped((signal) =>
      memory.search({
        ...{ query, signal },
        ...(texts.also === undefined ? {} : { also: [texts.also] }),
        ...(maxResults === undefined ? {} : { maxResults }),
      }),
    );
    if (switches.has("json")) printJson(output, answer);
    else printLines(output, formatAnswer(answer, width));
    return answer.hits.length === 0 ? 1 : 0;
  });
}

function readMax(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const count = Number(given);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_HITS) return count;
  throw new UsageError(`--max must be a whole number from 1 to ${MAX_HITS}.`);
}

function formatAnswer(answer: MemoryAnswer, width: number): string[] {
  const { hits, corrected, partial, staleNotes, warnings, isEmpty } = answer;
  const taken = Object.entries(corrected).map(
    ([word, others]) => `${word} as ${others.join(", ")}`,
  );
  const notices = [
    ...(isEmpty ? ["There are no notes yet; write MEMORY.md or memory/NAME.md."] : []),
    ...(hits.length === 0 && !isEmpty ? ["No note matches."] : []),
    ...(taken.length === 0 ? [] : [`Read otherwise: ${taken.join("; ")}.`]),
    ...(partial === undefined
      ? []
      : [`Indexed yet: ${partial.indexed} of ${partial.total} notes.`]),
    ...(partial !== undefined || staleNotes === 0 ? [] : [`Not yet indexed: ${staleNotes} notes.`]),
    ...warnings,
  ];
  return [
    ...hits.flatMap((hit) => [...formatHit(hit, width), ""]),
    ...notices.flatMap((notice) => wrapText(toPrintable(notice), width)),
  ];
}

function formatHit(hit: MemoryHit, width: number): string[] {
  const { path, startLine, startChar, endLine, score, snippet, isWeak } = hit;
  const from = startChar === undefined ? `L${startLine}` : `L${startLine}C${startChar}`;
  const place = `${toPrintable(path)}#${from}-L${endLine}`;
  const lines = cutChars(snippet, MAX_SHOWN_CHARS)
    .split("\n")
    .filter((line) => line.trim() !== "");
  return [
    `${place}  ${score.toFixed(2)}${isWeak ? " weak" : ""}`,
    ...lines
      .flatMap((line) => wrapText(toPrintable(line.trim()), Math.max(20, width - 2)))
      .map((line) => `  ${line}`),
    ...(snippet.length > MAX_SHOWN_CHARS ? ["  …"] : []),
  ];
}
