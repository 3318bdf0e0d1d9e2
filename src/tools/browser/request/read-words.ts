// Reads key names and scroll directions as models write them.

import type { PageAction } from "../../../core/browser.js";
import type { ToolInputError } from "../../../core/index.js";
import { bySpelling } from "../spellings.js";
import type { ActFields } from "./act-fields.js";
import { invalid, readNumber } from "./read-value.js";

const KEYS = bySpelling({
  Escape: "esc",
  Enter: "return ↵",
  Delete: "del",
  Insert: "ins",
  Control: "ctrl ⌃",
  Meta: "cmd command win super ⌘",
  Alt: "option opt ⌥",
  Shift: "⇧",
  Space: "spacebar",
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  PageUp: "pgup page_up",
  PageDown: "pgdn pgdown page_down",
});
const HELD: readonly string[] = ["Shift", "Control", "ControlOrMeta", "Alt", "Meta"];
const NAMES = [
  ...["Enter", "Escape", "Tab", "Backspace", "Delete", "Insert", "Space", "Home", "End"],
  ...["PageUp", "PageDown", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "CapsLock"],
  ...HELD,
  "ContextMenu",
  ...Array.from({ length: 12 }, (_, index) => `F${index + 1}`),
];
const BY_SMALL_LETTERS: ReadonlyMap<string, string> = new Map([
  ...NAMES.map((name): [string, string] => [name.toLowerCase(), name]),
  ...Object.entries(KEYS),
]);
const PLACES = bySpelling({
  down: "down pagedown arrowdown next",
  up: "up pageup arrowup previous",
  bottom: "bottom end",
  top: "top start home",
  left: "left",
  right: "right",
});
const ALL_PX = 5_000;
const LEAST_PX = 20;

/** `Control+a` for `ctrl+a`; unknown names stay. */
export function readKey(text: string): string {
  if (text.length <= 1) return text === "\n" ? "Enter" : text;
  const parts = splitChord(text.trim());
  return parts.map((part) => BY_SMALL_LETTERS.get(part.toLowerCase()) ?? part).join("+");
}

export function isHeldKey(name: string): boolean {
  return HELD.includes(name);
}

export function isKeyName(text: string): boolean {
  return BY_SMALL_LETTERS.has(text.trim().toLowerCase());
}

function splitChord(text: string): string[] {
  if (text === "+") return [text];
  if (text.endsWith("++")) return [...splitChord(text.slice(0, -2)), "+"];
  if (text.includes("+"))
    return text
      .split("+")
      .map((part) => part.trim())
      .filter(Boolean);
  const [first = "", ...rest] = text.split("-");
  return rest.length > 0 && BY_SMALL_LETTERS.has(first.toLowerCase()) ? [first, ...rest] : [text];
}

type Scroll = Extract<PageAction, { kind: "scroll" }>;

export function hasDirection({ key, endRef, text, x, y }: ActFields): boolean {
  return findPlace([key, endRef, text]) !== undefined || x !== undefined || y !== undefined;
}

export function readScroll(fields: ActFields): Scroll {
  const { key, endRef, text } = fields;
  const across = fields.x === undefined ? 0 : readNumber(fields.x, "x");
  const down = fields.y === undefined ? undefined : readNumber(fields.y, "y");
  const place = findPlace([key, endRef, text]) ?? choosePlace(across, down);
  if (place === undefined) throw noPlace();
  const isAcross = place === "left" || place === "right";
  const px = Math.abs((isAcross ? across || down : down) ?? 0);
  const isAll = place === "top" || place === "bottom";
  return { kind: "scroll", to: place, ...(isAll || px < LEAST_PX ? {} : { px }) };
}

function findPlace(words: readonly unknown[]): Scroll["to"] | undefined {
  for (const said of words) {
    const word = typeof said === "string" ? said.toLowerCase().replace(/[\s_-]+/g, "") : "";
    const found = Object.hasOwn(PLACES, word) ? PLACES[word] : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function choosePlace(across: number, down: number | undefined): Scroll["to"] | undefined {
  if (!down && across !== 0) return across > 0 ? "right" : "left";
  if (down === undefined) return undefined;
  if (Math.abs(down) >= ALL_PX) return down > 0 ? "bottom" : "top";
  if (down === 0) return "top";
  return down > 0 ? "down" : "up";
}

function noPlace(): ToolInputError {
  const message =
    'scrollIntoView needs ref. The page itself is scrolled by a direction: {"action":"scroll","direction":"down"}, or up, bottom, top.';
  return invalid(message, { missing: "ref" });
}
