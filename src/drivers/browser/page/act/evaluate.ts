// Runs a script of the caller in the page itself, where page scripts run. What it gives is read as JSON
// text, bounded; one that does not end is stopped.

import { Script } from "node:vm";
import type { Frame } from "playwright-core";
import { isToolError } from "../../../../core/index.js";
import { within } from "../../session/within.js";
import { evaluateDisabled, evaluateFailed } from "../errors.js";
import type { Acted, Acting } from "./acting.js";

const MAX_RESULT_CHARS = 100_000;
/** Kept back from the time of the call, so that there is some for stopping the script. */
const STOP_MS = 500;
const CALL_LOG = /\n\s*Call log:[\s\S]*$/;
const CALLED = /^(?:page|locator|frame|elementHandle|jsHandle)\.\w+: /i;

export interface EvaluateRequest {
  readonly fn: string;
  readonly ref?: string | undefined;
}

interface Brake {
  stop(): Promise<unknown>;
  close(): Promise<unknown>;
}

export async function evaluate(acting: Acting, request: EvaluateRequest): Promise<Acted> {
  if (!acting.handle.evaluateEnabled) throw evaluateDisabled();
  const result = await runScript(acting, request);
  return { result };
}

/** The value as JSON text; `undefined` when there is none. */
export async function runScript(acting: Acting, request: EvaluateRequest): Promise<string> {
  const { handle, time } = acting;
  const code = toFunction(request.fn);
  const found = request.ref
    ? await handle.elements.find(request.ref, "look", time.part())
    : undefined;
  const brake = await openBrake(acting, found?.frame);
  const limit = {
    timeoutMs: Math.max(time.leftMs() - STOP_MS, time.leftMs() / 2),
    signal: time.signal,
    what: "the script to end",
  };
  try {
    const text: unknown = await within(limit, () =>
      found
        ? found.locator.evaluate(code, undefined, { timeout: limit.timeoutMs })
        : handle.page.evaluate(code),
    );
    return typeof text === "string" ? text : "undefined";
  } catch (error) {
    // Nothing else would ever run in the page again.
    if (isToolError(error)) await brake.stop();
    throw isToolError(error) ? error : toScriptError(error);
  } finally {
    await brake.close();
  }
}

/**
 * A function, an expression, or statements with `return`, awaited. Only made to be sent: its text is
 * what runs in the page.
 */
function toFunction(fn: string): (element?: unknown) => unknown {
  const source = fn.trim().replace(/;\s*$/, "");
  const value = isExpression(source)
    ? `const made = (${source}\n); return typeof made === "function" ? made(element) : made;`
    : source;
  const body = `return (async () => {
  const value = await (async () => { ${value}\n })();
  const text = JSON.stringify(value) ?? "undefined";
  if (text.length <= ${MAX_RESULT_CHARS}) return text;
  return JSON.stringify({ cut: text.slice(0, ${MAX_RESULT_CHARS}), chars: text.length });
})()`;
  try {
    return new Function("element", body) as (element?: unknown) => unknown;
  } catch (error) {
    throw evaluateFailed(error instanceof Error ? error.message : String(error), error);
  }
}

/** Only read, never run here. */
function isExpression(source: string): boolean {
  try {
    return new Script(`async () => (${source}\n)`) !== undefined;
  } catch {
    return false;
  }
}

/**
 * A way to stop what runs in the page. It is made before the script: a page that hangs lets nobody in.
 */
async function openBrake({ handle, time }: Acting, frame: Frame | undefined): Promise<Brake> {
  const { page } = handle;
  const context = page.context();
  const session = await time.call("the page to answer", () =>
    // A frame of the same process has no door of its own.
    context.newCDPSession(frame ?? page).catch(() => context.newCDPSession(page)),
  );
  const quietly = (work: () => Promise<unknown>) => {
    const { signal } = new AbortController();
    const limit = { timeoutMs: STOP_MS, signal, what: "the script to be stopped" };
    return within(limit, work).catch(() => undefined);
  };
  return {
    stop: () => quietly(() => session.send("Runtime.terminateExecution")),
    close: () => quietly(() => session.detach()),
  };
}

function toScriptError(error: unknown): unknown {
  if (!(error instanceof Error) || /crashed|closed/i.test(error.message)) return error;
  return evaluateFailed(error.message.replace(CALL_LOG, "").replace(CALLED, ""), error);
}
