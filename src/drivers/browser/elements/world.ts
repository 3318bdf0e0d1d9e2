// Reaches our code in a page through a Playwright selector engine: the selector is the question.

import { INPAGE_SOURCE } from "inpage:source";
import { createHash } from "node:crypto";
import type { Frame, Locator, Selectors } from "playwright-core";
import { ToolError } from "../../../core/index.js";
import type { OperationName, Operations } from "../inpage/protocol.js";
import { within } from "../session/within.js";
import type { ElementScope } from "./tab-elements.js";

const NAME_LENGTH = 8;
const SELECTORS_BROKEN = "!";

/** Each build in one process needs its own name. */
export const ENGINE = `claw${createHash("sha256").update(INPAGE_SOURCE).digest("hex").slice(0, NAME_LENGTH)}`;

export interface WorldPlace {
  readonly frame: Frame;
  readonly engine: string;
}

/** Call before the first page opens. A context that existed before needs its own engine name. */
export async function registerWorld(selectors: Selectors, engine = ENGINE): Promise<void> {
  const content = `(() => { ${INPAGE_SOURCE}; return clawInpage.createEngine(); })()`;
  try {
    await selectors.register(engine, { content }, { contentScript: true });
  } catch (error) {
    const isKnown = error instanceof Error && error.message.includes("already registered");
    if (!isKnown) throw error;
  }
}

/** Rejects with `browser_timeout`, `selector_invalid`, or a Playwright error. */
export async function askFrame<Name extends OperationName>(
  { frame, engine }: WorldPlace,
  operation: Operations[Name]["asks"],
  scope: ElementScope,
): Promise<Operations[Name]["answers"]> {
  // encodeURIComponent keeps the single quote, which opens a string in Playwright's selectors.
  const question = encodeURIComponent(JSON.stringify(operation)).replaceAll("'", "%27");
  const text = await within({ ...scope, what: "the page to answer" }, () =>
    frame.locator(`${engine}=${question}`).textContent({ timeout: scope.timeoutMs }),
  );
  if (text === null || text.startsWith(SELECTORS_BROKEN)) throw toSelectorError(text ?? "");
  // Our own code wrote it, and the page cannot change it.
  return JSON.parse(text) as Operations[Name]["answers"];
}

export function locateRef({ frame, engine }: WorldPlace, ref: number): Locator {
  return frame.locator(`${engine}=e${ref}`);
}

export function locateNode({ frame, engine }: WorldPlace, ref: number): Locator {
  return frame.locator(`${engine}=n${ref}`);
}

function toSelectorError(text: string): ToolError {
  const message = `The selector is not valid CSS: ${text.slice(SELECTORS_BROKEN.length)} Correct it, or leave it out.`;
  return new ToolError("invalid_input", message, { reason: "selector_invalid" });
}
