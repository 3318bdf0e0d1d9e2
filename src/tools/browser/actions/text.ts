// `text`: the words of a page, or of one part of it, part by part when they are many; with `query` only
// the lines with these words.

import type { BrowserPage } from "../../../core/browser.js";
import { clampOption, type ToolResult } from "../../../core/index.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { type ActionCall, openPage, toPageScope } from "../action-call.js";
import { DEFAULT_VIEW_CHARS, MIN_VIEW_CHARS, NOTICE_CHARS } from "../limits.js";

const SOURCE = "browser";
/** Of a page that is searched. */
const MAX_SEARCHED_CHARS = 1_000_000;
/** A page of fewer may have its words in iframes; longer ones mostly have advertisements there. */
const FEW_CHARS = 500;

export async function text(asked: ActionCall): Promise<ToolResult> {
  const { params, ctx } = asked.call;
  const most = Math.max(MIN_VIEW_CHARS, ctx.limits.resultChars - NOTICE_CHARS);
  const size = clampOption(params.maxChars, { name: "maxChars", least: MIN_VIEW_CHARS, most });
  const partChars = size.value ?? Math.min(DEFAULT_VIEW_CHARS, most);
  const part = params.page ?? 1;
  const page = await openPage(asked);
  const found = await readText(asked, { page, maxChars: partChars * part });
  const tab = await page.tab(toPageScope(asked.scope));
  const start = partChars * (part - 1);
  const shown = cutChars(found.text.slice(start).replace(/^[\uDC00-\uDFFF]/, ""), partChars);
  const end = start + shown.length;
  const details = {
    ok: true,
    targetId: tab.targetId,
    url: tab.url,
    totalChars: found.totalChars,
    truncated: end < found.totalChars,
    page: part,
  };
  const notices = [...size.notes, ...found.notices, ...tellFrames(asked, found)];
  if (shown === "") {
    const pages = Math.ceil(found.totalChars / partChars);
    const nothing =
      pages === 0 ? sayNone(asked) : `The text has no page ${part}; the last is ${pages}.`;
    return { content: [{ type: "text", text: nothing }], details, notices };
  }
  return {
    content: [{ type: "text", text: shown }],
    details,
    untrusted: { source: tab.url || SOURCE },
    notices: [...notices, ...tellRest({ start, end, total: found.totalChars, part })],
  };
}

interface FoundText {
  readonly text: string;
  readonly totalChars: number;
  /** Iframes, whose words are not part of it. */
  readonly frameCount: number;
  readonly notices: readonly string[];
}

async function readText(
  { call, scope }: ActionCall,
  { page, maxChars }: { readonly page: BrowserPage; readonly maxChars: number },
): Promise<FoundText> {
  const { selector, frame, query = "" } = call.params;
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = await page.text({
    ...{ ...toPageScope(scope), selector, frame },
    maxChars: words.length === 0 ? maxChars : MAX_SEARCHED_CHARS,
  });
  if (words.length === 0) return { ...found, notices: [] };
  const lines = found.text.split("\n").filter((line) => line.trim() !== "");
  const held = lines.filter((line) => hasAll(line.toLowerCase(), words));
  const kept = held.join("\n");
  const isCut = found.totalChars > found.text.length;
  const notices = [
    ...(held.length === 0 ? [] : [`${held.length} of ${lines.length} lines have these words.`]),
    ...(isCut ? [`Only the first ${found.text.length} characters of the page were searched.`] : []),
  ];
  return { ...found, text: kept, totalChars: kept.length, notices };
}

function tellFrames({ call }: ActionCall, { totalChars, frameCount }: FoundText): string[] {
  if (frameCount === 0 || totalChars >= FEW_CHARS || call.params.selector !== undefined) return [];
  const where = frameCount === 1 ? "an iframe" : `${frameCount} iframes`;
  return [`The text of ${where} is left out; pass a snapshot ref as frame to read one.`];
}

function hasAll(line: string, words: readonly string[]): boolean {
  return words.every((word) => line.includes(word));
}

function sayNone({ call }: ActionCall): string {
  const { query, selector } = call.params;
  if (query !== undefined && query.trim() !== "") {
    return "No line of the text has these words; without query all of it is shown.";
  }
  return selector === undefined ? "The page has no text here." : "No text is there.";
}

function tellRest(at: { start: number; end: number; total: number; part: number }): string[] {
  const { start, end, total, part } = at;
  if (start === 0 && end >= total) return [];
  const next = end < total ? ` Continue with page=${part + 1}.` : "";
  return [`Characters ${start + 1}-${end} of ${total}.${next}`];
}
