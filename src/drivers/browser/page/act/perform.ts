// The table of acts: their functions and default time limits.

import type { PageAction } from "../../../../core/browser.js";
import { ToolInputError } from "../../../../core/index.js";
import type { Acted, Acting } from "./acting.js";
import { click, clickAt } from "./click.js";
import { evaluate } from "./evaluate.js";
import { fill, select } from "./fill.js";
import { press, SLOW_KEY_MS, type } from "./keys.js";
import { drag, hover, scroll, scrollIntoView } from "./pointer.js";
import { wait } from "./wait.js";

type Kind = PageAction["kind"];
type Of<Name extends Kind> = Extract<PageAction, { kind: Name }>;

interface Act<Name extends Kind> {
  readonly defaultMs: number;
  readonly what: string;
  readonly perform: (acting: Acting, action: Of<Name>) => Promise<Acted>;
}

const MIN_SIDE_PX = 200;
const MAX_SIDE_PX = 4_096;
const MAX_DELAY_MS = 30_000;
const SHORT_MS = 8_000;
const LONG_MS = 20_000;

const ACTS: { readonly [Name in Kind]: Act<Name> } = {
  click: { defaultMs: SHORT_MS, what: "the click", perform: click },
  clickCoords: { defaultMs: SHORT_MS, what: "the click", perform: clickAt },
  type: { defaultMs: LONG_MS, what: "the typing", perform: type },
  press: { defaultMs: SHORT_MS, what: "the key", perform: press },
  hover: { defaultMs: SHORT_MS, what: "the pointer to be over the element", perform: hover },
  scrollIntoView: { defaultMs: SHORT_MS, what: "the scrolling", perform: scrollIntoView },
  scroll: { defaultMs: SHORT_MS, what: "the scrolling", perform: scroll },
  drag: { defaultMs: LONG_MS, what: "the drag", perform: drag },
  select: { defaultMs: SHORT_MS, what: "the choice", perform: select },
  fill: { defaultMs: LONG_MS, what: "the fields to be filled", perform: fill },
  resize: { defaultMs: SHORT_MS, what: "the new size", perform: resize },
  wait: { defaultMs: LONG_MS, what: "the page", perform: wait },
  evaluate: { defaultMs: LONG_MS, what: "the script", perform: evaluate },
};

export function actFor(action: PageAction) {
  // Each row takes its own kind; the table type cannot say so.
  const act = ACTS[action.kind] as Act<Kind>;
  return {
    what: act.what,
    defaultMs: act.defaultMs + ownMs(action),
    perform: async (acting: Acting) => {
      assertDelay(action);
      return act.perform(acting, action);
    },
  };
}

function ownMs(action: PageAction): number {
  if (action.kind === "wait") return action.timeMs ?? 0;
  if (action.kind === "type" && action.slowly) return action.text.length * SLOW_KEY_MS * 2;
  return action.kind === "click" || action.kind === "press" ? (action.delayMs ?? 0) : 0;
}

function assertDelay(action: PageAction): void {
  const delayMs = "delayMs" in action ? (action.delayMs ?? 0) : 0;
  if (delayMs >= 0 && delayMs <= MAX_DELAY_MS) return;
  throw new ToolInputError(`delayMs is from 0 to ${MAX_DELAY_MS}, not ${delayMs}.`, {
    reason: "arguments_invalid",
    details: { parameter: "delayMs" },
  });
}

async function resize({ handle, time }: Acting, { width, height }: Of<"resize">): Promise<Acted> {
  const isGood = (px: number) => px >= MIN_SIDE_PX && px <= MAX_SIDE_PX;
  if (!isGood(width) || !isGood(height)) {
    const message = `Cannot resize the window to ${width}×${height}: width and height must be from ${MIN_SIDE_PX} to ${MAX_SIDE_PX}.`;
    throw new ToolInputError(message, { reason: "arguments_invalid" });
  }
  await time.call("the new size", () => handle.page.setViewportSize({ width, height }));
  return {};
}
