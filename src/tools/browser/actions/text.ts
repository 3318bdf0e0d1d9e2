// `text`, `console`, `errors`, `requests`.

import type {
  BrowserPage,
  ConsoleEntry,
  PageRecords,
  RequestEntry,
} from "../../../core/browser.js";
import { type ToolResult, textResult } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { type ActionCall, type ActionWork, fromPage, readMaxChars } from "../action-call.js";
import { DEFAULT_ENTRIES, DEFAULT_VIEW_CHARS, MAX_ENTRY_CHARS } from "../limits.js";

const MAX_SEARCHED_CHARS = 1_000_000;
/** A short page may have its text in iframes. */
const FEW_CHARS = 500;

export async function text(asked: ActionCall): Promise<ToolResult> {
  const { maxChars: partChars, notes } = readMaxChars(asked.call, DEFAULT_VIEW_CHARS);
  const part = asked.call.params.page ?? 1;
  const page = await asked.browsers.page(asked.scope);
  const found = await readText(asked, { page, maxChars: partChars * part });
  const tab = await page.tab(asked.scope);
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
  const notices = [...notes, ...found.notices, ...tellFrames(asked, found)];
  if (shown === "") {
    const pages = Math.ceil(found.totalChars / partChars);
    const nothing =
      pages === 0 ? sayNone(asked) : `The text has no page ${part}; the last is ${pages}.`;
    return { ...textResult(nothing, details), notices };
  }
  const rest = tellRest({ start, end, total: found.totalChars, part });
  return fromPage({ text: shown, tab, details, notices: [...notices, ...rest] });
}

type FoundText = Awaited<ReturnType<typeof readText>>;

async function readText(
  { call, scope }: ActionCall,
  { page, maxChars }: { readonly page: BrowserPage; readonly maxChars: number },
) {
  const { selector, frame, query = "" } = call.params;
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = await page.text({
    ...{ ...scope, selector, frame },
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

const NAMES = { console: "messages", errors: "errors", requests: "requests" } as const;

export function recordsOf(kind: keyof typeof NAMES): ActionWork {
  return async ({ call, browsers, scope }) => {
    const { limit = DEFAULT_ENTRIES, maxChars = DEFAULT_VIEW_CHARS } = call.params;
    const { query, clear, level } = call.params;
    const page = await browsers.page(scope);
    const request = { ...scope, limit, query, clear, level };
    const records: PageRecords<ConsoleEntry | RequestEntry> = await page[kind](request);
    const tab = await page.tab(scope);
    const { entries, total, dropped } = records;
    const shown = newestWithin(entries.map(tellEntry), maxChars);
    const details = {
      ...{ ok: true, targetId: tab.targetId, url: tab.url },
      ...{ total, returned: shown.length, dropped },
      [NAMES[kind]]: entries.slice(-shown.length || entries.length),
    };
    const notices = [
      ...(shown.length < total
        ? [
            `The newest ${shown.length} of ${total}; limit shows more, query only those with a word.`,
          ]
        : []),
      ...(dropped === 0 ? [] : [`${dropped} older ones are not kept any more.`]),
    ];
    if (shown.length > 0) return fromPage({ text: shown.join("\n"), tab, details, notices });
    const which = query === undefined ? "" : " with these words";
    return { ...textResult(`No ${NAMES[kind]}${which}.`, details), notices };
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

function tellEntry(entry: ConsoleEntry | RequestEntry): string {
  if ("level" in entry) {
    const { level, text, location } = entry;
    const where = location === undefined ? "" : ` (${oneLine(location)})`;
    return `[${level}] ${oneLine(text)}${where}`;
  }
  const { id, method, url, kind, status, failure } = entry;
  const end = failure === undefined ? (status ?? "pending") : `failed: ${oneLine(failure)}`;
  return `${id} ${method} ${oneLine(url)} (${kind}) ${end}`;
}

function oneLine(text: string): string {
  return toPrintable(text.replace(/\s+/g, " ").trim(), MAX_ENTRY_CHARS);
}
