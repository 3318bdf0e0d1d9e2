// Waits until all conditions hold: text, selector, address, script or time.

import { pause, timedOut } from "../../session/within.js";
import { evaluateDisabled, selectorWrong, shown } from "../errors.js";
import type { Acted, Acting, ActOf } from "./acting.js";
import { isLeft, runScript } from "./evaluate.js";

const GLOB = /[*]/;
const SPECIAL = /[\\^$.|?+()[\]{}]/g;
const LOOK_AGAIN_MS = 60;
const ANSWER_MS = 1_000;

type WaitRequest = ActOf<"wait">;

export async function wait(acting: Acting, request: WaitRequest): Promise<Acted> {
  const { handle, time } = acting;
  const { clock } = handle;
  if (request.fn !== undefined && !handle.evaluateEnabled) throw evaluateDisabled();
  const allMs = time.leftMs();
  if (request.timeMs) await pause({ clock, ms: request.timeMs, signal: time.signal });
  const { loadState } = request;
  if (loadState) {
    await time.call(`the page to reach ${loadState}`, () =>
      handle.page.waitForLoadState(loadState, { timeout: 0 }),
    );
  }
  for (;;) {
    const missing = await findMissing(acting, request);
    if (missing === undefined) return {};
    if (time.leftMs() <= LOOK_AGAIN_MS * 2) throw timedOut(missing, allMs);
    await pause({ clock, ms: LOOK_AGAIN_MS, signal: time.signal });
  }
}

async function findMissing(acting: Acting, request: WaitRequest): Promise<string | undefined> {
  const { handle } = acting;
  const { url, text, textGone, selector, fn } = request;
  if (url !== undefined && !matchesUrl(handle.page.url(), url)) {
    return `the address ${shown(url)} (it is "${shown(handle.redactUrl(handle.page.url()))}")`;
  }
  if (text !== undefined || textGone !== undefined || selector !== undefined) {
    const missing = await findMissingInFrames(acting, request);
    if (missing) return missing;
  }
  if (fn === undefined) return undefined;
  const value = await runScript(acting, { fn }).catch((error: unknown) => {
    if (isLeft(error)) return "undefined";
    throw error;
  });
  const isFalse = ["false", "null", "0", '""', "undefined"].includes(value);
  return isFalse ? `the script to give a true value (it gave ${value})` : undefined;
}

async function findMissingInFrames(
  { handle, time }: Acting,
  { text, textGone, selector }: WaitRequest,
): Promise<string | undefined> {
  const texts = [text, textGone].flatMap((wanted) => wanted ?? []);
  const asks = { op: "has", texts, ...(selector !== undefined && { selector }) } as const;
  const frames = handle.page.frames();
  const answers = await Promise.all(
    frames.map((frame) =>
      handle.elements.ask<"has">(frame, asks, time.part(ANSWER_MS)).catch(() => undefined),
    ),
  );
  if (answers.some((answer) => answer?.isSelectorWrong)) throw selectorWrong(selector ?? "");
  const hasText = (wanted: string | undefined) =>
    wanted !== undefined && answers.some((answer) => answer?.texts[texts.indexOf(wanted)]);
  if (text !== undefined && !hasText(text)) return `the text "${shown(text)}"`;
  if (textGone !== undefined && (hasText(textGone) || answers[0] === undefined)) {
    return `the text "${shown(textGone)}" to go`;
  }
  if (selector !== undefined && !answers.some((answer) => answer?.selector)) {
    return `a visible ${shown(selector)}`;
  }
  return undefined;
}

/** `**` matches anything, `*` anything but a slash; without a star, any part of the address. */
function matchesUrl(url: string, pattern: string): boolean {
  if (!GLOB.test(pattern)) return url === pattern || url.includes(pattern);
  const source = pattern
    .replace(SPECIAL, "\\$&")
    .replace(/\*\*\/?|\*/g, (stars) => (stars.startsWith("**") ? ".*" : "[^/]*"));
  return new RegExp(`^${source}$`, "s").test(url);
}
