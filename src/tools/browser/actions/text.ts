// `text`: the words of a page, or of one part of it, part by part when they are many.

import { clampOption, type ToolResult } from "../../../core/index.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { type ActionCall, openPage, toPageScope } from "../action-call.js";
import { DEFAULT_VIEW_CHARS, MIN_VIEW_CHARS, NOTICE_CHARS } from "../limits.js";

const SOURCE = "browser";

export async function text(asked: ActionCall): Promise<ToolResult> {
  const { params, ctx } = asked.call;
  const most = Math.max(MIN_VIEW_CHARS, ctx.limits.resultChars - NOTICE_CHARS);
  const size = clampOption(params.maxChars, { name: "maxChars", least: MIN_VIEW_CHARS, most });
  const partChars = size.value ?? Math.min(DEFAULT_VIEW_CHARS, most);
  const part = params.page ?? 1;
  const { selector, frame } = params;
  const page = await openPage(asked);
  const scope = toPageScope(asked.scope);
  const found = await page.text({
    ...{ ...scope, maxChars: partChars * part },
    ...(selector === undefined ? {} : { selector }),
    ...(frame === undefined ? {} : { frame }),
  });
  const tab = await page.tab(scope);
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
  const notices = [...size.notes, ...tellRest({ start, end, total: found.totalChars, part })];
  if (shown === "") {
    const pages = Math.ceil(found.totalChars / partChars);
    const none = selector === undefined ? "The page has no text here." : "No text is there.";
    const nothing =
      pages === 0 ? none : `There is no page ${part} of the text; the last is ${pages}.`;
    return { content: [{ type: "text", text: nothing }], details, notices: size.notes };
  }
  return {
    content: [{ type: "text", text: shown }],
    details,
    untrusted: { source: tab.url || SOURCE },
    notices,
  };
}

function tellRest(at: { start: number; end: number; total: number; part: number }): string[] {
  const { start, end, total, part } = at;
  if (start === 0 && end >= total) return [];
  const next = end < total ? ` Continue with page=${part + 1}.` : "";
  return [`Characters ${start + 1}-${end} of ${total}.${next}`];
}
