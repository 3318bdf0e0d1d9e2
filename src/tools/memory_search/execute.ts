// Searches the notes and shows the hits, each with the place it can be read at.

import {
  type MemoryAnswer,
  type MemoryHit,
  ToolError,
  type ToolResult,
  textResult,
} from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { cutChars } from "../../lib/unicode-text.js";
import type { MemorySearchCall } from "./index.js";

/** Notes are data: what stands in them may have come from anywhere. */
const SOURCE = "memory notes";
const SHOWN_QUERY_CHARS = 100;
/** For the lines around the hits, and for what is said of the index. */
const NOTICE_CHARS = 600;

export async function execute({ params, ctx, signal }: MemorySearchCall): Promise<ToolResult> {
  const { memory } = ctx;
  if (memory === undefined) throw noMemory();
  const { query, also, maxResults, minScore } = params;
  const answer = await memory.search({
    ...{ query, signal },
    ...(also === undefined ? {} : { also }),
    ...(maxResults === undefined ? {} : { maxResults }),
    ...(minScore === undefined ? {} : { minScore }),
  });
  const notices = listNotices(answer);
  const maxChars = Math.max(0, ctx.limits.resultChars - NOTICE_CHARS - notices.join("\n").length);
  const shown = keepWhatFits(answer.hits.map(showHit), maxChars);
  const text = [
    headline(query, { all: answer.hits.length, shown: shown.length }),
    ...shown,
    ...notices,
  ].join("\n\n");
  return { ...textResult(text, toDetails(answer)), untrusted: { source: SOURCE } };
}

function headline(query: string, { all, shown }: { all: number; shown: number }): string {
  const asked = `"${toPrintable(query, SHOWN_QUERY_CHARS)}"`;
  if (all === 0) {
    return `No note has anything of ${asked}. Try other words for the same thing, and add some in also.`;
  }
  const count = `${all} hit${all === 1 ? "" : "s"} for ${asked}`;
  const rest = shown < all ? `, the first ${shown} of them shown` : "";
  return `${count}${rest}. Read on with memory_get, from and lines as in the place.`;
}

function showHit(hit: MemoryHit, index: number): string {
  const { score, heading, snippet, isWeak } = hit;
  const weak = isWeak ? ", weak" : "";
  const title = heading === undefined ? "" : ` ${toPrintable(heading)}`;
  return `${index + 1}. ${toPrintable(cite(hit))} (score ${score.toFixed(2)}${weak})${title}\n${snippet}`;
}

function cite({ path, startLine, endLine }: MemoryHit): string {
  const end = endLine === startLine ? "" : `-L${endLine}`;
  return `${path}#L${startLine}${end}`;
}

/** As many as fit, at least the beginning of the first. */
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
    ([word, others]) => `${toPrintable(word, SHOWN_QUERY_CHARS)} as ${others.join(", ")}`,
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

function toDetails({ hits, ...answer }: MemoryAnswer): object {
  return { hits: hits.map((hit) => ({ ...hit, citation: cite(hit) })), ...answer };
}

function noMemory(): ToolError {
  return new ToolError(
    "unavailable",
    "memory_search needs memory in the context, or agentDir with the notes; pass one when you resolve the tool.",
    { reason: "missing_context", details: { missing: ["memory"] } },
  );
}
