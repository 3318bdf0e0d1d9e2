// `process log`: lines of the whole output, by their number.

import { type OutputLines, type ToolResult, textResult } from "../../../core/index.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { describeSession } from "../describe-session.js";
import type { SessionCall } from "../execute.js";
import { failed } from "../failed.js";
import { DEFAULT_LOG_LINES } from "../limits.js";

/** Room for the notices around the lines. */
const RESERVED_CHARS = 1_000;

export async function log({ call, run }: SessionCall): Promise<ToolResult> {
  const { offset, limit = DEFAULT_LOG_LINES } = call.params;
  const page = await run.output.lines({ ...(offset === undefined ? {} : { offset }), limit });
  const { totalLines, totalChars, lostLines } = page;
  const facts = { ...describeSession(run), total: totalLines, totalLines, totalChars };
  if (offset !== undefined && offset >= totalLines && totalLines > 0) {
    return failed(
      `offset ${offset} is beyond the end: there are ${totalLines} lines, the last is ${totalLines - 1}.`,
      facts,
    );
  }
  const shown = fitLines(page, Math.max(0, call.ctx.limits.resultChars - RESERVED_CHARS));
  const text = [tellLost(page), shown.text || "(no output)", tellMore(page, shown.count)];
  return textResult(text.filter(Boolean).join("\n"), {
    ...facts,
    offset: page.offset,
    lines: shown.count,
    truncated: shown.isCut || page.offset > 0 || page.offset + shown.count < totalLines,
    ...(lostLines > 0 ? { lostLines } : {}),
  });
}

interface ShownLines {
  readonly text: string;
  readonly count: number;
  readonly isCut: boolean;
}

/** As many whole lines as fit; a first line that does not fit is cut, and says so. */
function fitLines({ lines }: OutputLines, maxChars: number): ShownLines {
  let chars = 0;
  let count = 0;
  for (const line of lines) {
    if (chars + line.length + 1 > maxChars) break;
    chars += line.length + 1;
    count++;
  }
  const [first] = lines;
  if (count > 0 || first === undefined) {
    return { text: lines.slice(0, count).join("\n"), count, isCut: count < lines.length };
  }
  const text = `${cutChars(first, maxChars)}\n[This line has ${first.length} characters or more; its beginning is shown.]`;
  return { text, count: 1, isCut: true };
}

function tellLost({ lostLines, offset }: OutputLines): string {
  if (lostLines === 0) return "";
  return `[Lines ${offset - lostLines} to ${offset - 1} are no longer kept.]`;
}

function tellMore({ offset, totalLines }: OutputLines, count: number): string {
  if (count === 0 || (offset === 0 && count === totalLines)) return "";
  const next = offset + count;
  const more = next < totalLines ? ` Use offset ${next} to go on.` : "";
  const before = offset > 0 ? " Lower offsets show what is before." : "";
  return `[Lines ${offset} to ${next - 1} of ${totalLines}, counted from 0.${more}${more ? "" : before}]`;
}
