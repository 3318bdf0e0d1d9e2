// `clawtools memory index | search | status`: the notes of one agent and their index.

import type { Memory, MemoryAnswer, MemoryHit, MemoryStatus } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { cutChars } from "../../lib/unicode-text.js";
import { type Command, type CommandCall, show } from "../command.js";
import { AGENT_FLAG, JSON_FLAG, readWhole } from "../flags.js";
import { countOf, formatColumns, wrapText } from "../terminal/wrap-text.js";
import { readUsableConfig } from "../usable-config.js";
import { useAndClose } from "../use-and-close.js";
import { assertFolder } from "../with-toolkit.js";

const BAR_CHARS = 24;
const MAX_PATH_CHARS = 4_096;
const MAX_SHOWN_CHARS = 300;
const MAX_HITS = 50;

export const COMMANDS = {
  index: {
    notes: ["Searches update the index themselves; use this for many new notes at once."],
    flags: {
      "--fresh": "Rebuild the index; searches use the old one until it is done.",
      ...AGENT_FLAG,
      ...JSON_FLAG,
    },
    run: (call) =>
      withMemory(call, async (memory) => {
        const { output, switches } = call;
        const status = await call.untilStopped((signal) =>
          memory.index({
            isFresh: switches.has("fresh"),
            signal,
            onProgress: ({ done, total }) => output.progress(formatProgress(done, total)),
          }),
        );
        output.progress("");
        return show(call, status, () => formatStatus(status, call.width));
      }),
  },
  search: {
    usage: "WORDS...",
    notes: ["Any of the words may match. The exit code is 1 when no note matches."],
    flags: {
      "--also WORDS": "Other words the notes may use.",
      "--max COUNT": "Number of hits (default 6).",
      ...AGENT_FLAG,
      ...JSON_FLAG,
    },
    run: (call) =>
      withMemory(call, async (memory) => {
        const { also } = call.texts;
        const maxResults = readWhole(call, "max", { min: 1, max: MAX_HITS });
        const answer = await call.untilStopped((signal) =>
          memory.search({
            ...{ query: call.words.join(" "), signal },
            ...(also === undefined ? {} : { also: [also] }),
            ...(maxResults === undefined ? {} : { maxResults }),
          }),
        );
        show(call, answer, () => formatAnswer(answer, call));
        return answer.hits.length === 0 ? 1 : 0;
      }),
  },
  status: {
    flags: { ...AGENT_FLAG, ...JSON_FLAG },
    run: (call) =>
      withMemory(call, async (memory) => {
        const status = await memory.status();
        return show(call, status, () => formatStatus(status, call.width));
      }),
  },
} as const satisfies Record<string, Command>;

async function withMemory<T>(call: CommandCall, work: (memory: Memory) => Promise<T>): Promise<T> {
  const { config } = await readUsableConfig(call);
  await assertFolder(call.root);
  const { createAgentMemory } = await import("../../toolkit/index.js");
  const { stateDir } = await import("../../config/index.js");
  const source = { root: call.root, config, stateDir: stateDir(call.place) };
  return await useAndClose(createAgentMemory({ ...source, agentId: call.texts.agent }), work);
}

function formatProgress(done: number, total: number): string {
  const filled = Math.round((total === 0 ? 1 : done / total) * BAR_CHARS);
  return `[${"#".repeat(filled)}${"-".repeat(BAR_CHARS - filled)}] ${done} of ${total} notes`;
}

function formatStatus(status: MemoryStatus, width: number): string[] {
  const { root, indexPath, notes, chunks, staleNotes, legs, warnings } = status;
  // Never wrapped: a broken path cannot be copied.
  const showPath = (path: string) => [toPrintable(path, MAX_PATH_CHARS)];
  const rows: [string, string | string[]][] = [
    ["notes in", showPath(root)],
    ["index", indexPath === undefined ? "in memory" : showPath(indexPath)],
    ["indexed", `${countOf(notes, "note")} in ${countOf(chunks, "chunk")}`],
    ["not yet indexed", `${staleNotes}`],
    ["searches by", legs.join(", ")],
  ];
  return [
    ...formatColumns({ rows, width }),
    ...warnings.flatMap((warning) => wrapText(toPrintable(warning), width)),
  ];
}

function formatAnswer(answer: MemoryAnswer, call: CommandCall): string[] {
  const { hits, corrected, partial, staleNotes, warnings, isEmpty } = answer;
  const taken = Object.entries(corrected).map(
    ([word, others]) => `${word} as ${others.join(", ")}`,
  );
  const notices = [
    ...(isEmpty ? ["No notes yet. Write MEMORY.md or memory/NAME.md."] : []),
    ...(hits.length === 0 && !isEmpty ? ["No note matches."] : []),
    ...(taken.length === 0 ? [] : [`Read as: ${taken.join("; ")}.`]),
    ...(partial === undefined
      ? []
      : [`Indexed so far: ${partial.indexed} of ${partial.total} notes.`]),
    ...(partial !== undefined || staleNotes === 0
      ? []
      : [`Not yet indexed: ${countOf(staleNotes, "note")}.`]),
    ...warnings,
  ];
  return [
    ...hits.flatMap((hit) => [...formatHit(hit, call), ""]),
    ...notices.flatMap((notice) => wrapText(toPrintable(notice), call.width)),
  ];
}

function formatHit(hit: MemoryHit, { width, output }: CommandCall): string[] {
  const { path, startLine, startChar, endLine, score, snippet, isWeak } = hit;
  const from = startChar === undefined ? `L${startLine}` : `L${startLine}C${startChar}`;
  const place = output.style.cyan(`${toPrintable(path)}#${from}-L${endLine}`);
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
