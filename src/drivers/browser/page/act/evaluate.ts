// Runs a script of the caller in the page. The result is bounded JSON; an endless script is stopped.

import { Script } from "node:vm";
import type { Frame } from "playwright-core";
import { isToolError } from "../../../../core/index.js";
import { atMost, timedOut, within } from "../../session/within.js";
import { evaluateDisabled, evaluateFailed } from "../errors.js";
import type { Acted, Acting, ActOf } from "./acting.js";

const MAX_RESULT_CHARS = 100_000;
const MAX_CUT_CHARS = 250_000;
const STOP_MS = 500;
/** A page that answers this fast is only waiting. */
const FREE_MS = 100;
const SCRIPT_ENDS = "the script to end";
const LEFT = /^\w+\.evaluate: (?:Execution context was destroyed|Cannot find context with)/;
const STACK_LINE = /^\s+at /;
const CALL_LOG = /\n\s*Call log:[\s\S]*$/;
const CALLED = /^(?:page|locator|frame|elementHandle|jsHandle)\.\w+: /i;
/** In JSON text; also `location.search` and `location.hash`. */
const ADDRESS = /(?:\b[a-z][a-z\d+.-]*:)?\/\/[^\s"'<>)\\]+|(?<=")[?#][^"\\]*(?=")/gi;

const IS_WINDOW = `((one) => {
  try { return typeof one === "object" && one !== null && one.window === one; } catch { return false; }
})`;
/** In the page: describes what is not JSON, such as a circle. */
const OUTLINE = `((one) => {
  if (typeof one !== "object" || one === null) return String(one);
  const keys = Object.keys(one);
  const shown = keys.slice(0, 20).join(", ") + (keys.length > 20 ? ", …" : "");
  return Object.prototype.toString.call(one) + (shown && " with " + shown) + ", which is not JSON";
})`;
/** In the page: elements have no JSON. */
const DESCRIBE = `((one) => {
  if (isWindow(one)) return "[window]";
  if (!(one instanceof Node)) return one;
  if (!(one instanceof Element)) return one.nodeName + (one.nodeType === 3 ? " " + one.data.slice(0, 80) : "");
  const read = (name) => Element.prototype.getAttribute.call(one, name);
  const marks = ["id", "name", "type", "class", "role", "aria-label", "href"]
    .filter((name) => read(name)).map((name) => " " + name + "=" + JSON.stringify(read(name).slice(0, 80)));
  const text = String(one.textContent ?? "").replace(/\\s+/g, " ").trim().slice(0, 80);
  return "<" + one.localName + marks.join("") + ">" + (text && " " + text);
})`;
const LIST = `((value) => value instanceof NodeList || value instanceof HTMLCollection ? [...value] : value)`;

type EvaluateRequest = ActOf<"evaluate">;

type Brake = Awaited<ReturnType<typeof openBrake>>;

export async function evaluate(acting: Acting, request: EvaluateRequest): Promise<Acted> {
  if (!acting.handle.evaluateEnabled) throw evaluateDisabled();
  try {
    const result = await runScript(acting, request);
    return { result: result.replace(ADDRESS, acting.handle.redactUrl) };
  } catch (error) {
    if (!isLeft(error)) throw error;
    acting.tell("The script led to another document, so it gave no result.");
    return { result: "undefined" };
  }
}

export function isLeft(error: unknown): boolean {
  if (!isToolError(error)) return false;
  return error.cause instanceof Error && LEFT.test(error.cause.message);
}

export async function runScript(acting: Acting, request: EvaluateRequest): Promise<string> {
  const { handle, time } = acting;
  const code = toFunction(request.fn);
  const found = request.ref
    ? await handle.elements.find(request.ref, "look", time.part())
    : undefined;
  const frame =
    found === undefined && request.frame !== undefined
      ? await handle.elements.frame(request.frame, time.part())
      : found?.frame;
  const brake = await openBrake(acting, frame);
  // The whole time of the work belongs to the script.
  const limit = { timeoutMs: time.allMs + STOP_MS, signal: time.signal, what: SCRIPT_ENDS };
  let isOver = false;
  try {
    const text: unknown = await within(limit, () =>
      found
        ? found.locator.evaluate(code, undefined, { timeout: time.leftMs() })
        : (frame ?? handle.page).evaluate(code),
    );
    return typeof text === "string" ? cutResult(text) : "undefined";
  } catch (error) {
    isOver = isToolError(error) || time.leftMs() === 0;
    if (!isOver) throw toScriptError(error);
    throw timedOut(SCRIPT_ENDS, time.allMs);
  } finally {
    void leave(acting, { brake, isOver });
  }
}

/** Stops a script that keeps the page busy, not one that only waits. */
async function leave(
  { handle }: Acting,
  { brake, isOver }: { readonly brake: Brake; readonly isOver: boolean },
): Promise<void> {
  const isBusy = isOver && (await atMost(FREE_MS, () => handle.page.evaluate("0"))) === undefined;
  if (isBusy) await brake.stop();
  await brake.close();
}

function cutResult(text: string): string {
  if (text.length <= MAX_CUT_CHARS) return text;
  return JSON.stringify({ cut: text.slice(0, MAX_RESULT_CHARS), chars: text.length });
}

function toFunction(fn: string): (element?: unknown) => unknown {
  const source = fn.trim();
  const expression = source.replace(/;\s*$/, "");
  const value = isExpression(expression)
    ? `const made = (${expression}\n); return typeof made === "function" ? made(element) : made;`
    : source;
  const body = `return (async () => {
  const value = await (async () => { ${value}\n })();
  const isWindow = ${IS_WINDOW};
  const toText = () => {
    try {
      const describe = ${DESCRIBE};
      return JSON.stringify(describe(${LIST}(value)), (key, one) => describe(one)) ?? "undefined";
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
      return JSON.stringify(${OUTLINE}(value));
    }
  };
  const text = toText();
  if (text.length <= ${MAX_RESULT_CHARS}) return text;
  return JSON.stringify({ cut: text.slice(0, ${MAX_RESULT_CHARS}), chars: text.length });
})()`;
  try {
    return new Function("element", body) as (element?: unknown) => unknown;
  } catch (error) {
    throw evaluateFailed(error instanceof Error ? error.message : String(error), error);
  }
}

function isExpression(source: string): boolean {
  try {
    return new Script(`async () => (${source}\n)`) !== undefined;
  } catch {
    return false;
  }
}

/** Opened first, because a hung page accepts no session. */
async function openBrake({ handle, time }: Acting, frame: Frame | undefined) {
  const { page } = handle;
  const context = page.context();
  const session = await time.call("the page to answer", () =>
    // A frame in the same process has no session of its own.
    context.newCDPSession(frame ?? page).catch(() => context.newCDPSession(page)),
  );
  return {
    stop: () => atMost(STOP_MS, () => session.send("Runtime.terminateExecution")),
    close: () => atMost(STOP_MS, () => session.detach()),
  };
}

function toScriptError(error: unknown): unknown {
  if (!(error instanceof Error) || /crashed|closed/i.test(error.message)) return error;
  const [first = "", ...rest] = error.message.replace(CALL_LOG, "").replace(CALLED, "").split("\n");
  const lines = [first, ...rest.filter((line) => !STACK_LINE.test(line))];
  return evaluateFailed(lines.join("\n").trim(), error);
}
