// What the model sees of `memory_get`: lines of one note.

import {
  type DetailsOf,
  defineBuiltIn,
  type MemoryLines,
  quoteForeign,
  type ToolCall,
  ToolError,
  type ToolResult,
  t,
  textResult,
} from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";

const NOTICE_CHARS = 400;
const CITATION = /#L([1-9]\d{0,8})(?:C([1-9]\d{0,8}))?(?:-L([1-9]\d{0,8}))?$/;
const parameters = t.object({
  path: t.string({
    description: "MEMORY.md or memory/….md, as memory_search gives it.",
    minLength: 1,
  }),
  from: t.optional(t.integer({ description: "First line, counted from 1.", minimum: 1 })),
  lines: t.optional(
    t.integer({ description: "Number of lines; default: to the end of the note.", minimum: 1 }),
  ),
});

const needs = ["agentDir"] as const;

export type MemoryGetCall = ToolCall<typeof parameters, typeof needs>;

export type MemoryGetDetails = DetailsOf<typeof execute>;

export const memoryGet = defineBuiltIn({
  name: "memory_get",
  description:
    "Read lines of a note in MEMORY.md or memory/*.md. When the text is cut, it names the from or path that continues.",
  parameters,
  readOnly: true,
  effects: { openWorld: false },
  needs,
  aliases: { file_path: "path", offset: "from", startLine: "from", limit: "lines" },
  guidance: ["Use memory_get after memory_search, and ask only for the lines you need."],
  execute,
});

type FoundLines = Extract<MemoryLines, { found: true }>;
type MissingNote = Extract<MemoryLines, { found: false }>;

async function execute({ params, ctx }: MemoryGetCall) {
  const { memory } = ctx;
  if (memory === undefined) throw noMemory();
  const { path, from, fromChar, lines } = readPlace(params);
  const maxChars = Math.max(1, ctx.limits.resultChars - NOTICE_CHARS);
  const answer = await memory.read({
    ...{ path, maxChars },
    ...(from === undefined ? {} : { from }),
    ...(fromChar === undefined ? {} : { fromChar }),
    ...(lines === undefined ? {} : { lines }),
  });
  if (!answer.found) return showMissing(answer);
  const notices = listNotices(answer, { path, lines });
  return { ...textResult(answer.text, toDetails(answer)), ...markOf(answer), notices };
}

/** Notes are the user's own word, except those that a run wrote after it read untrusted content. */
function markOf({ source }: MemoryLines): Pick<ToolResult, "untrusted"> {
  return source === undefined ? {} : { untrusted: { source } };
}

interface Place {
  readonly path: string;
  readonly from?: number | undefined;
  readonly fromChar?: number | undefined;
  readonly lines?: number | undefined;
}

function readPlace({ path, from, lines }: Place): Place {
  const [whole, first, char, last] = CITATION.exec(path) ?? [];
  if (whole === undefined) return { path, from, lines };
  const start = Number(first);
  const count = Math.max(1, (last === undefined ? start : Number(last)) - start + 1);
  const isOwn = from === undefined && lines === undefined;
  return {
    path: path.slice(0, -whole.length),
    from: from ?? start,
    fromChar: from === undefined && char !== undefined ? Number(char) : undefined,
    lines: isOwn ? count : lines,
  };
}

function showMissing(answer: MissingNote) {
  const { path, nearest, isEmpty } = answer;
  const missing = `No note "${toPrintable(path)}" exists yet`;
  const details = { status: "not_found", path, nearest } as const;
  if (nearest.length === 0) {
    const advice = isEmpty
      ? "no notes exist at all: write MEMORY.md, or files such as memory/NAME.md"
      : "find others by their words with memory_search";
    return textResult(`${missing}; ${advice}.`, details);
  }
  const names = nearest.map((name) => toPrintable(name)).join("\n");
  const notices = [`${missing}; the nearest ${nearest.length === 1 ? "is" : "are"} named above.`];
  return { ...textResult(names, details), ...markOf(answer), notices };
}

/** The note is called as it was asked for: where a link leads is named by others. */
function listNotices(answer: FoundLines, { path, lines }: Pick<Place, "path" | "lines">): string[] {
  const { text, startLine, endLine, totalLines, startChar = 1, nextChar } = answer;
  const name = quoteForeign(path);
  if (startLine > totalLines) {
    return [`${name} has ${totalLines} lines, and none from ${startLine} on.`];
  }
  if (nextChar !== undefined) {
    return [
      `Characters ${startChar} to ${nextChar - 1} of line ${startLine}, which is longer than a result may be; the path of this note with #L${startLine}C${nextChar} behind it continues.`,
    ];
  }
  if (startChar > 1 && text === "") {
    return [`Line ${startLine} of ${name} has no character ${startChar}.`];
  }
  const begin = startChar === 1 ? "" : `, from character ${startChar} of the first`;
  const range = `Lines ${startLine} to ${endLine} of ${totalLines} of ${name}${begin}`;
  if (endLine >= totalLines) return lines === undefined && startLine === 1 ? [] : [`${range}.`];
  return [`${range}; from ${endLine + 1} continues.`];
}

function toNextPath({ path, startLine, nextChar }: FoundLines): string {
  return `${path}#L${startLine}C${nextChar}`;
}

function toDetails(answer: FoundLines) {
  const { found: _found, text: _text, nextChar, ...place } = answer;
  const { endLine, totalLines } = answer;
  if (nextChar !== undefined) {
    return { status: "ok" as const, ...place, truncated: true, nextPath: toNextPath(answer) };
  }
  const rest = endLine < totalLines ? { truncated: true, nextFrom: endLine + 1 } : {};
  return { status: "ok" as const, ...place, ...rest };
}

function noMemory(): ToolError {
  return new ToolError(
    "unavailable",
    "memory_get needs memory in the context, or agentDir with the notes; pass one when you resolve the tool.",
    { reason: "missing_context", details: { missing: ["memory"] } },
  );
}
