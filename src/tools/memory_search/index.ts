// What the model sees of `memory_search`; the index of notes is left to the memory driver.

import {
  clampOption,
  type DetailsOf,
  defineBuiltIn,
  type MemoryAnswer,
  type MemoryHit,
  quoteForeign,
  type ToolCall,
  ToolError,
  t,
  textResult,
} from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { cutChars } from "../../lib/unicode-text.js";

/** Without the name of a note: anyone who named it may have written a sentence. */
const NEXT = "Read a hit with memory_get: pass the path as shown above.";
const SHOWN_QUERY_CHARS = 100;
const NOTICE_CHARS = 600;
const MAX_HITS = 50;
const MAX_ALSO = 32;

const parameters = t.object({
  query: t.string({ description: "Words to look for.", minLength: 1 }),
  also: t.optional(
    t.array(t.string(), {
      description: `3 to 6 synonyms and other words the note may use, at most ${MAX_ALSO}; searched together with query.`,
      maxItems: MAX_ALSO,
    }),
  ),
  maxResults: t.optional(t.integer({ description: `Most hits, 1 to ${MAX_HITS}; default 6.` })),
  minScore: t.optional(
    t.number({
      description: "Leave out hits below this share of the best score, 0 to 1; default 0.15.",
    }),
  ),
});

const needs = ["agentDir"] as const;

export type MemorySearchCall = ToolCall<typeof parameters, typeof needs>;

export type MemorySearchDetails = DetailsOf<typeof execute>;

export const memorySearch = defineBuiltIn({
  name: "memory_search",
  description:
    "Search the notes in MEMORY.md and memory/*.md by words, and by meaning too when memorySearch.provider is set. Any word may match, typos forgiven; more and rarer words rank higher. Returns path, lines, score and snippet of each hit; read more with memory_get.",
  parameters,
  readOnly: true,
  effects: { openWorld: false },
  needs,
  aliases: { q: "query", limit: "maxResults", synonyms: "also" },
  guidance: [
    "Before you answer about earlier work, decisions, people, dates or preferences, call memory_search, then memory_get for the lines you need.",
    "Fill also with synonyms: the search knows spelling, you know meaning. Without a hit, try other words once.",
  ],
  execute,
});

async function execute({ params, ctx, signal }: MemorySearchCall) {
  const { memory } = ctx;
  if (memory === undefined) throw noMemory();
  const { query, also } = params;
  const max = clampOption(params.maxResults, { name: "maxResults", least: 1, most: MAX_HITS });
  const min = clampOption(params.minScore, { name: "minScore", least: 0, most: 1 });
  const answer = await memory.search({
    ...{ query, signal },
    ...(also === undefined ? {} : { also }),
    ...(max.value === undefined ? {} : { maxResults: max.value }),
    ...(min.value === undefined ? {} : { minScore: min.value }),
  });
  const notices = [...max.notes, ...min.notes, ...listNotices(answer)];
  const maxChars = Math.max(0, ctx.limits.resultChars - NOTICE_CHARS - notices.join("\n").length);
  const shown = keepWhatFits(answer.hits.map(showHit), maxChars);
  const text = [headline(query, { answer, shown: shown.length }), ...shown].join("\n\n");
  const result = textResult(text, toDetails(answer));
  if (answer.hits.length === 0) return { ...result, notices };
  const sources = new Set(answer.hits.flatMap(({ source }) => source ?? []));
  const untrusted = sources.size === 0 ? {} : { untrusted: { source: [...sources].join(", ") } };
  return { ...result, ...untrusted, notices: [NEXT, ...notices] };
}

function headline(
  query: string,
  { answer, shown }: { readonly answer: MemoryAnswer; readonly shown: number },
): string {
  const { hits, isEmpty } = answer;
  const asked = `"${toPrintable(query, SHOWN_QUERY_CHARS)}"`;
  if (isEmpty) {
    return "No notes yet; write MEMORY.md, or files such as memory/NAME.md, to remember something.";
  }
  if (hits.length === 0) {
    return `No note matches ${asked}. Try other words for the same thing, and add some in also.`;
  }
  const count = `${hits.length} hit${hits.length === 1 ? "" : "s"} for ${asked}`;
  const rest = shown < hits.length ? `, the first ${shown} of them shown` : "";
  return `${count}${rest}.`;
}

function showHit(hit: MemoryHit, index: number): string {
  const { score, heading, snippet, isWeak, source } = hit;
  const origin = source === undefined ? "" : `, untrusted: ${toPrintable(source)}`;
  const weak = `${isWeak ? ", weak" : ""}${origin}`;
  const title = heading === undefined ? "" : ` ${toPrintable(heading)}`;
  return `${index + 1}. ${toPrintable(cite(hit))} (score ${score.toFixed(2)}${weak})${title}\n${snippet}`;
}

function cite({ path, startLine, startChar, endLine }: MemoryHit): string {
  const char = startChar === undefined ? "" : `C${startChar}`;
  const end = endLine === startLine ? "" : `-L${endLine}`;
  return `${path}#L${startLine}${char}${end}`;
}

function keepWhatFits(blocks: readonly string[], maxChars: number): string[] {
  let chars = 0;
  const end = blocks.findIndex((block) => {
    chars += block.length + 2;
    return chars > maxChars;
  });
  if (end === -1) return [...blocks];
  return end === 0
    ? blocks.slice(0, 1).map((block) => cutChars(block, maxChars))
    : blocks.slice(0, end);
}

function listNotices({ corrected, partial, staleNotes, warnings }: MemoryAnswer): string[] {
  const taken = Object.entries(corrected).map(
    ([word, others]) =>
      `${quoteForeign(word)} as ${others.map((other) => quoteForeign(other)).join(", ")}`,
  );
  return [
    ...(taken.length === 0
      ? []
      : [`Words that no note has were read otherwise: ${taken.join("; ")}.`]),
    ...(partial === undefined
      ? []
      : [
          `Partial: ${partial.indexed} of ${partial.total} notes are indexed yet; search again soon.`,
        ]),
    ...(partial !== undefined || staleNotes === 0
      ? []
      : [`Stale: ${staleNotes} changed notes are not indexed yet; search again soon.`]),
    ...warnings.map((warning) => `Note: ${warning}`),
  ].map((line) => toPrintable(line));
}

function toDetails({ hits, ...answer }: MemoryAnswer) {
  return { hits: hits.map((hit) => ({ ...hit, citation: cite(hit) })), ...answer };
}

function noMemory(): ToolError {
  return new ToolError(
    "unavailable",
    "memory_search needs memory in the context, or agentDir with the notes; pass one when you resolve the tool.",
    { reason: "missing_context", details: { missing: ["memory"] } },
  );
}
