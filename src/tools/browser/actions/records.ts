// `console`, `errors`, `requests`: what a page wrote down while it ran, the newest of it.

import type {
  BrowserPage,
  ConsoleEntry,
  PageRecords,
  RequestEntry,
} from "../../../core/browser.js";
import type { ToolResult } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { type ActionCall, openPage, toPageScope } from "../action-call.js";
import { DEFAULT_ENTRIES, DEFAULT_VIEW_CHARS, MAX_ENTRY_CHARS } from "../limits.js";

const SOURCE = "browser";

export async function console(asked: ActionCall): Promise<ToolResult> {
  const { level } = asked.call.params;
  const page = await openPage(asked);
  const records = await page.console({ ...readRequest(asked), level });
  return show({ asked, page, name: "messages", records, lines: records.entries.map(tellEntry) });
}

export async function errors(asked: ActionCall): Promise<ToolResult> {
  const page = await openPage(asked);
  const records = await page.errors(readRequest(asked));
  return show({ asked, page, name: "errors", records, lines: records.entries.map(tellEntry) });
}

export async function requests(asked: ActionCall): Promise<ToolResult> {
  const page = await openPage(asked);
  const records = await page.requests(readRequest(asked));
  return show({ asked, page, name: "requests", records, lines: records.entries.map(tellRequest) });
}

function readRequest({ call, scope }: ActionCall) {
  const { limit = DEFAULT_ENTRIES, query, clear } = call.params;
  return { ...toPageScope(scope), limit, query, clear };
}

interface Records {
  readonly asked: ActionCall;
  readonly page: BrowserPage;
  readonly name: "messages" | "errors" | "requests";
  readonly records: PageRecords<ConsoleEntry | RequestEntry>;
  readonly lines: readonly string[];
}

async function show({ asked, page, name, records, lines }: Records): Promise<ToolResult> {
  const { entries, total, dropped } = records;
  const tab = await page.tab(toPageScope(asked.scope));
  const maxChars = asked.call.params.maxChars ?? DEFAULT_VIEW_CHARS;
  const shown = newestWithin(lines, maxChars);
  const details = {
    ...{ ok: true, targetId: tab.targetId, url: tab.url },
    ...{ total, returned: shown.length, dropped },
    [name]: entries.slice(-shown.length || entries.length),
  };
  const notices = [
    ...(shown.length < total
      ? [`The newest ${shown.length} of ${total}; limit shows more, query only those with a word.`]
      : []),
    ...(dropped === 0 ? [] : [`${dropped} older ones are not kept any more.`]),
  ];
  if (shown.length === 0) {
    const { query } = asked.call.params;
    const which = query === undefined ? "" : " with these words";
    return { content: [{ type: "text", text: `No ${name}${which}.` }], details, notices };
  }
  return {
    content: [{ type: "text", text: shown.join("\n") }],
    details,
    untrusted: { source: tab.url || SOURCE },
    notices,
  };
}

function newestWithin(lines: readonly string[], maxChars: number): readonly string[] {
  let chars = 0;
  let start = lines.length;
  while (start > 0) {
    chars += (lines[start - 1]?.length ?? 0) + 1;
    if (chars > maxChars && start < lines.length) break;
    start--;
  }
  return lines.slice(start);
}

function tellEntry({ level, text, location }: ConsoleEntry): string {
  const where = location === undefined ? "" : ` (${oneLine(location)})`;
  return `[${level}] ${oneLine(text)}${where}`;
}

function tellRequest({ id, method, url, kind, status, failure }: RequestEntry): string {
  const end = failure === undefined ? (status ?? "pending") : `failed: ${oneLine(failure)}`;
  return `${id} ${method} ${oneLine(url)} (${kind}) ${end}`;
}

function oneLine(text: string): string {
  return toPrintable(text.replace(/\s+/g, " ").trim(), MAX_ENTRY_CHARS);
}
