// The way into the world of our own code in a page: a selector engine, which Playwright runs apart from
// the page's scripts. A question is a selector, the answer the text of an element that is nowhere.

import { INPAGE_SOURCE } from "inpage:source";
import { createHash } from "node:crypto";
import type { Frame, Locator, Selectors } from "playwright-core";
import { ToolError } from "../../../core/index.js";
import type { OperationName, Operations } from "../inpage/protocol.js";
import { within } from "../session/within.js";
import type { ElementScope } from "./tab-elements.js";

const NAME_LENGTH = 8;
const SELECTORS_BROKEN = "!";

/** Another build in the same process has another name, so each finds its own code. */
export const ENGINE = `claw${createHash("sha256").update(INPAGE_SOURCE).digest("hex").slice(0, NAME_LENGTH)}`;

export interface WorldPlace {
  readonly frame: Frame;
  readonly engine: string;
}

/** Call before the first page opens. A context that existed before us needs an engine name of its own. */
export async function registerWorld(selectors: Selectors, engine = ENGINE): Promise<void> {
  const content = `(() => { ${INPAGE_SOURCE}; return clawInpage.createEngine(); })()`;
  try {
    await selectors.register(engine, { content }, { contentScript: true });
  } catch (error) {
    const isKnown = error instanceof Error && error.message.includes("already registered");
    if (!isKnown) throw error;
  }
}

/** Rejects with `browser_timeout`, `selector_invalid`, or as Playwright does when the frame is gone. */
export async function askFrame<Name extends OperationName>(
  { frame, engine }: WorldPlace,
  operation: Operations[Name]["asks"],
  scope: ElementScope,
): Promise<Operations[Name]["answers"]> {
  // encodeURIComponent leaves the single quote, which opens a string in Playwright's selectors.
  const question = encodeURIComponent(JSON.stringify(operation)).replaceAll("'", "%27");
  const text = await within({ ...scope, what: "the page to answer" }, () =>
    frame.locator(`${engine}=${question}`).textContent({ timeout: scope.timeoutMs }),
  );
  if (text === null || text.startsWith(SELECTORS_BROKEN)) throw toSelectorError(text ?? "");
  // The code in the page is ours and cannot be reached by the page: what it says has the shape it says.
  return JSON.parse(text) as Operations[Name]["answers"];
}

export function locateRef({ frame, engine }: WorldPlace, ref: number): Locator {
  return frame.locator(`${engine}=e${ref}`);
}

export function locateNode({ frame, engine }: WorldPlace, ref: number): Locator {
  return frame.locator(`${engine}=n${ref}`);
}

function toSelectorError(text: string): ToolError {
  return new ToolError(
    "invalid_input",
    `The selector is not valid CSS: ${text.slice(SELECTORS_BROKEN.length)} Correct it, or leave it out.`,
    { reason: "selector_invalid" },
  );
}
