// Shared by single acts and batch steps: the tab, the time, the change report, script results.

import type { ActOutcome, PageAction, PageChange } from "../../../core/browser.js";
import {
  createCountdown,
  isToolError,
  ToolError,
  type ToolResult,
  textResult,
} from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { type ActionCall, fromPage } from "../action-call.js";
import { DEFAULT_VIEW_CHARS } from "../limits.js";
import { isRefusal, tellFilled } from "../refusal.js";
import type { ActFields } from "../request/act-fields.js";
import { readTargetId } from "../request/read-url.js";
import { readNumber, readText } from "../request/read-value.js";
import { describeElement } from "../view/line.js";
import { showChange } from "../view/show-change.js";

const MAX_SAID_CHARS = 80;
const LOOKING: ReadonlySet<string> = new Set(["press", "scroll", "scrollIntoView", "evaluate"]);

/** Fields of a step may name another tab and time. */
export function readPlace({ call, browsers, scope }: ActionCall, fields: ActFields): ActionCall {
  const { targetId, timeoutMs } = fields;
  return {
    call,
    browsers,
    scope: {
      ...scope,
      ...(targetId === undefined ? {} : { targetId: readTargetId(readText(targetId, "targetId")) }),
      ...(timeoutMs === undefined ? {} : { timeoutMs: readNumber(timeoutMs, "timeoutMs") }),
    },
  };
}

export async function closeTab({ browsers, scope }: ActionCall): Promise<ToolResult> {
  const { targetId, current } = await browsers.closeTab(scope);
  const rest = current === undefined ? "no tab is open now" : `the current one is ${current} now`;
  return textResult(`Tab ${targetId} is closed; ${rest}.`, {
    ...{ ok: true, kind: "close", targetId },
    ...(current === undefined ? {} : { current }),
  });
}

export async function performAct(
  { browsers, scope, call }: ActionCall,
  action: PageAction,
): Promise<ActOutcome> {
  const left = createCountdown(scope, () => call.ctx.clock.now());
  const page = await browsers.page(scope);
  try {
    return await page.act(action, left());
  } catch (error) {
    const filled = isToolError(error) ? tellFilled(error) : "";
    // A refusal has its own advice.
    if (!isToolError(error) || isRefusal(error) || filled === "") throw error;
    const { code, message, reason, details, cause } = error;
    throw new ToolError(code, `${message} ${filled}`, { reason, details, cause });
  }
}

export function describeAction(action: PageAction): string {
  if (action.kind === "drag") return `drag ${action.startRef} to ${action.endRef}`;
  if (action.kind === "scroll") return `scroll ${action.to}`;
  const key = action.kind === "press" ? ` ${toPrintable(action.key, MAX_SAID_CHARS)}` : "";
  const ref = "ref" in action && action.ref !== undefined ? ` ${action.ref}` : "";
  return `${action.kind}${key}${ref}`;
}

export function sayOutcome(action: PageAction): string | undefined {
  if (action.kind === "resize") return `The window is ${action.width}x${action.height} now.`;
  if (action.kind !== "wait") return undefined;
  const { timeMs, text, textGone, selector, url, loadState, fn } = action;
  const say = (value: string | undefined, words: (shown: string) => string) =>
    value === undefined ? [] : [words(toPrintable(value, MAX_SAID_CHARS))];
  const held = [
    ...(timeMs === undefined ? [] : [`${timeMs} ms passed`]),
    ...say(text, (shown) => `the text "${shown}" is there`),
    ...say(textGone, (shown) => `the text "${shown}" is not there`),
    ...say(selector, (shown) => `${shown} is visible`),
    ...say(url, (shown) => `the address matches ${shown}`),
    ...say(loadState, (shown) => `the page reached ${shown}`),
    ...say(fn, () => "fn gave a true value"),
  ];
  return `Waited: ${held.join(", ")}.`;
}

/** What `evaluate` gave back, cut. */
export function showValue(result: string | undefined): {
  readonly text: string;
  readonly notices: readonly string[];
} {
  if (result === undefined) return { text: "", notices: [] };
  if (result.length <= DEFAULT_VIEW_CHARS) return { text: result, notices: [] };
  const range = `Characters 1-${DEFAULT_VIEW_CHARS} of ${result.length} of the result; let fn give back less.`;
  return { text: cutChars(result, DEFAULT_VIEW_CHARS), notices: [range] };
}

export function toValue(result: string | undefined): object {
  if (result === undefined) return {};
  try {
    return { result: JSON.parse(result) };
  } catch {
    // Such as "undefined".
    return { result };
  }
}

interface ChangeReport {
  readonly change: PageChange;
  readonly done: string;
  readonly said?: string | undefined;
  readonly ref?: string | undefined;
  readonly lead?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly notices?: readonly string[];
}

export function tellChange(report: ChangeReport): ToolResult {
  const { change, done, ref, lead = "", details, notices = [] } = report;
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
  const found = [lead, [text, focus].filter(Boolean).join("\n")].filter(Boolean).join("\n\n");
  if (found === "") {
    const nothing = "othing on the page changed.";
    const sentence = report.said ? `${report.said} N${nothing}` : `${done}; n${nothing}`;
    return { content: [{ type: "text", text: sentence }], details: facts, notices: all };
  }
  const said = report.said === undefined ? [] : [report.said];
  return fromPage({ text: found, tab, details: facts, notices: [...said, ...all] });
}

/** Reported when nothing else changed, or for acts that move them. */
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
