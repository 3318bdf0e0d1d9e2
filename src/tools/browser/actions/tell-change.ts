// The answer to an action that may have changed a page: the change in a few lines, or that nothing
// changed.

import type { PageChange } from "../../../core/browser.js";
import type { ToolResult } from "../../../core/index.js";
import { showChange } from "../view/show-change.js";
import { describeElement } from "../view/show-moved.js";

const SOURCE = "browser";
/** Actions whose effect often shows only as scrolling or focus. */
const LOOKING: ReadonlySet<string> = new Set(["press", "scroll", "scrollIntoView", "evaluate"]);

export interface ChangeReport {
  readonly change: PageChange;
  /** What was done, as the beginning of "…; nothing on the page changed." */
  readonly done: string;
  /** What holds now; said in any case. */
  readonly said?: string | undefined;
  /** What was acted on: that it has the focus is not news. */
  readonly ref?: string | undefined;
  /** Further text from the page, before the change. */
  readonly lead?: string;
  /** What is left of what went, behind the change. */
  readonly remaining?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly notices?: readonly string[];
}

export function tellChange(report: ChangeReport): ToolResult {
  const { change, done, said, ref, lead = "", remaining = "", details, notices = [] } = report;
  const { tab, isNewDocument, counts, events, isUnsettled, moved = [] } = change;
  const { text, leftOut } = showChange(change);
  const facts = {
    ok: true,
    targetId: tab.targetId,
    url: tab.url,
    ...details,
    change: { isNewDocument, ...counts, moved: moved.length, isUnsettled },
    ...(events.length === 0 ? {} : { events }),
  };
  const all = [
    ...notices,
    ...(leftOut === 0
      ? []
      : ["Not all of it is shown; snapshot lists the page, with query a part of it."]),
    ...(isUnsettled ? ["The page is still busy; the next answer reports later changes."] : []),
  ];
  const focus = tellScrollAndFocus(change, { kind: String(details?.kind), ref, text });
  const found = [lead, [text, remaining, focus].filter(Boolean).join("\n")]
    .filter(Boolean)
    .join("\n\n");
  if (found === "") {
    const sentence = `${said ?? `${done};`} ${said === undefined ? "n" : "N"}othing on the page changed.`;
    return { content: [{ type: "text", text: sentence }], details: facts, notices: all };
  }
  return {
    content: [{ type: "text", text: found }],
    details: facts,
    untrusted: { source: tab.url || SOURCE },
    notices: [...(said === undefined ? [] : [said]), ...all],
  };
}

/** Where the focus went and how far the page was scrolled: reported when nothing else is, or asked for. */
export function tellScrollAndFocus(
  { focus, scrolled, isNewDocument }: PageChange,
  act: { readonly kind: string; readonly ref?: string | undefined; readonly text: string },
): string {
  if (isNewDocument) return "";
  const isAsked = LOOKING.has(act.kind);
  const isNews = isAsked || (act.text === "" && focus?.ref !== act.ref);
  const lines = [
    ...(focus === undefined || !isNews ? [] : [`focus: ${describeElement(focus)}`]),
    ...(scrolled === undefined || !isAsked ? [] : [describeScroll(scrolled)]),
  ];
  return lines.map((line) => `~ ${line}`).join("\n");
}

function describeScroll({ top, ofPx, element }: NonNullable<PageChange["scrolled"]>): string {
  const what = element === undefined ? "" : ` ${describeElement(element)}`;
  return `scrolled${what} to ${top} of ${ofPx} px`;
}
