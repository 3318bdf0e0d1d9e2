// Shows lines of one note. A note that is not there is an answer, not a failure: agents ask for the
// note of a day before it is written.

import { type MemoryLines, ToolError, type ToolResult, textResult } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { MemoryGetCall } from "./index.js";

/** Notes are data: what stands in them may have come from anywhere. */
const SOURCE = "memory notes";
const NOTICE_CHARS = 400;
/** The place of a hit, as memory_search gives it. */
const CITATION = /#L([1-9]\d{0,8})(?:-L([1-9]\d{0,8}))?$/;

type FoundLines = Extract<MemoryLines, { found: true }>;

export async function execute({ params, ctx }: MemoryGetCall): Promise<ToolResult> {
  const { memory } = ctx;
  if (memory === undefined) throw noMemory();
  const { path, from, lines } = readPlace(params);
  const maxChars = Math.max(1, ctx.limits.resultChars - NOTICE_CHARS);
  const answer = await memory.read({
    ...{ path, maxChars },
    ...(from === undefined ? {} : { from }),
    ...(lines === undefined ? {} : { lines }),
  });
  if (!answer.found) return showMissing(answer);
  const text = [answer.text, ...listNotices(answer, { from, lines })].join("\n\n");
  return { ...textResult(text, toDetails(answer)), untrusted: { source: SOURCE } };
}

interface Place {
  readonly path: string;
  readonly from?: number | undefined;
  readonly lines?: number | undefined;
}

/** What is asked for by name wins over what the citation says. */
function readPlace({ path, from, lines }: Place): Place {
  const [whole, first, last] = CITATION.exec(path) ?? [];
  if (whole === undefined) return { path, from, lines };
  const start = Number(first);
  const count = Math.max(1, (last === undefined ? start : Number(last)) - start + 1);
  const isOwn = from === undefined && lines === undefined;
  return {
    path: path.slice(0, -whole.length),
    from: from ?? start,
    lines: isOwn ? count : lines,
  };
}

function showMissing({ path, nearest }: Extract<MemoryLines, { found: false }>): ToolResult {
  const near = nearest.map((name) => `"${toPrintable(name)}"`).join(", ");
  const advice = near === "" ? "memory_search lists what there is" : `there is ${near}`;
  const text = `There is no note "${toPrintable(path)}" yet; ${advice}.`;
  return textResult(text, { status: "not_found", path, nearest });
}

function listNotices(answer: FoundLines, { lines }: Omit<Place, "path">): string[] {
  const { path, startLine, endLine, totalLines, isLineCut } = answer;
  const name = toPrintable(path);
  if (startLine > totalLines) {
    return [`[${name} has ${totalLines} lines, and none from ${startLine} on.]`];
  }
  const range = `[Lines ${startLine} to ${endLine} of ${totalLines} of ${name}`;
  if (isLineCut) return [`${range}; the line is longer than a result may be and is cut.]`];
  if (endLine >= totalLines) return lines === undefined && startLine === 1 ? [] : [`${range}.]`];
  return [`${range}; from ${endLine + 1} continues.]`];
}

function toDetails(answer: FoundLines): object {
  const { found: _found, text: _text, ...place } = answer;
  const { endLine, totalLines } = answer;
  const rest = endLine < totalLines ? { truncated: true, nextFrom: endLine + 1 } : {};
  return { status: "ok", ...place, ...rest };
}

function noMemory(): ToolError {
  return new ToolError(
    "unavailable",
    "memory_get needs memory in the context, or agentDir with the notes; pass one when you resolve the tool.",
    { reason: "missing_context", details: { missing: ["memory"] } },
  );
}
