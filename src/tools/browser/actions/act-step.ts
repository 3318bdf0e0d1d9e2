// What one act and each step of a batch have in common: the tab, the time, how they are named, and
// the value that a script gave back.

import type { ActOutcome, BrowserPage, PageAction, PageScope } from "../../../core/browser.js";
import {
  createCountdown,
  isToolError,
  ToolError,
  type ToolResult,
  textResult,
} from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { type ActionCall, toPageScope } from "../action-call.js";
import { DEFAULT_VIEW_CHARS } from "../limits.js";
import { isRefusal, tellFilled } from "../refusal.js";
import type { ActFields } from "../request/act-fields.js";
import { readTargetId } from "../request/read-target-id.js";
import { readNumber, readText } from "../request/read-value.js";
import { findThinned, showRemaining } from "../view/show-remaining.js";
import { withRightCall } from "./right-call.js";

const MAX_SAID_CHARS = 80;
const REMAINING_MS = 2_000;

/** The tab, and how long one act may take. */
export interface ActPlace extends Pick<ActionCall, "call" | "browsers"> {
  readonly scope: ActionCall["scope"] & { readonly targetId?: string | undefined };
}

/** An act, and each step of a batch, may name its tab and its time. */
export function readPlace({ call, browsers, scope }: ActPlace, fields: ActFields): ActPlace {
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

export async function closeTab({ browsers, scope }: ActPlace): Promise<ToolResult> {
  const { targetId, current } = await browsers.closeTab(scope);
  const rest = current === undefined ? "no tab is open now" : `the current one is ${current} now`;
  return textResult(`Tab ${targetId} is closed; ${rest}.`, {
    ...{ ok: true, kind: "close", targetId },
    ...(current === undefined ? {} : { current }),
  });
}

/** `remaining`: of what went in number. */
type StepOutcome = ActOutcome & { readonly remaining: string };

/** Says of a form how far it came. */
export async function performAct(
  { browsers, scope, call }: ActPlace,
  action: PageAction,
): Promise<StepOutcome> {
  const left = createCountdown(scope, () => call.ctx.clock.now());
  const page = await browsers.page(scope);
  try {
    const outcome = await page.act(action, toPageScope(left()));
    return { ...outcome, remaining: await readRemaining(page, outcome, toPageScope(left())) };
  } catch (error) {
    if (isToolError(error) && error.reason === "element_wrong_kind") {
      throw await withRightCall(error, { page, action, scope: toPageScope(left()) });
    }
    const filled = isToolError(error) ? tellFilled(error) : "";
    // Of a refusal that is part of the advice.
    if (!isToolError(error) || isRefusal(error) || filled === "") throw error;
    const { code, message, reason, details, cause } = error;
    throw new ToolError(code, `${message} ${filled}`, { reason, details, cause });
  }
}

/** It was done, whatever comes of the look at what is left. */
async function readRemaining(
  page: BrowserPage,
  { change }: ActOutcome,
  { timeoutMs = REMAINING_MS, signal }: PageScope,
): Promise<string> {
  const thinned = findThinned(change);
  if (thinned === undefined) return "";
  try {
    const { elements, isCut } = await page.list({
      isGlance: true,
      timeoutMs: Math.min(timeoutMs, REMAINING_MS),
      signal,
    });
    return isCut ? "" : showRemaining(elements, thinned);
  } catch {
    signal.throwIfAborted();
    return "";
  }
}

/** `click e12`, for sentences. */
export function describeAction(action: PageAction): string {
  if (action.kind === "drag") return `drag ${action.startRef} to ${action.endRef}`;
  if (action.kind === "scroll") return `scroll ${action.to}`;
  const key = action.kind === "press" ? ` ${toPrintable(action.key, MAX_SAID_CHARS)}` : "";
  const ref = "ref" in action && action.ref !== undefined ? ` ${action.ref}` : "";
  return `${action.kind}${key}${ref}`;
}

/** What holds now, for acts that only make it so. */
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

/** The driver gives JSON; what is none stays text. */
export function toValue(result: string | undefined): object {
  if (result === undefined) return {};
  try {
    return { result: JSON.parse(result) };
  } catch {
    // Such as "undefined".
    return { result };
  }
}
