// Finds the element of a ref and looks whether it can be acted on; a ref that names nothing any more is
// refused with the reason and the nearest elements that are there.

import type { Frame } from "playwright-core";
import type { CheckGood, Near, Purpose } from "../inpage/protocol.js";
import {
  covered,
  type NearElement,
  notActionable,
  type StaleWhy,
  staleRef,
} from "./element-errors.js";
import { MAX_ELEMENTS } from "./list-frames.js";
import { toListed } from "./listed-element.js";
import { parseRef } from "./ref-spelling.js";
import type { ElementScope, FoundElement } from "./tab-elements.js";
import type { TabMemory } from "./tab-memory.js";
import type { TabWorld } from "./tab-world.js";
import { locateRef } from "./world.js";

/** Purposes for which nothing may lie over the frame. */
const POINTING: readonly Purpose[] = ["click", "hover", "check", "drag"];
const STALE: readonly string[] = ["detached", "changed", "unknown"];

export interface FindOptions {
  readonly world: TabWorld;
  readonly memory: TabMemory;
  readonly scope: ElementScope;
}

export async function findElement(
  text: string,
  purpose: Purpose,
  options: FindOptions,
): Promise<FoundElement> {
  const { world, scope } = options;
  const ref = parseRef(text);
  const frame = ref === undefined ? undefined : world.ranges.ownerOf(ref)?.frame;
  if (ref === undefined || !frame) return refuseStale({ text, ref, why: "unknown" }, options);
  if (frame.isDetached()) return refuseStale({ text, ref, why: "detached" }, options);
  const firstRef = world.ranges.next();
  const answer = await world.ask<"check">(frame, { op: "check", ref, purpose, firstRef }, scope);
  if (answer.isGood) {
    const point = await toPagePoint(answer, { text, frame, purpose, options });
    return { frame, ref, locator: locateRef({ frame, engine: world.engine }, ref), ...point };
  }
  // The frame had given this number, so it was another document of it.
  if (answer.why === "unknown") return refuseStale({ text, ref, why: "other_document" }, options);
  if (!STALE.includes(answer.why)) throw notActionable(text, answer);
  const why = answer.why === "detached" ? "detached" : "changed";
  const now = answer.now && toNearElement(answer.now);
  throw staleRef({ ref: text, why, ...(now && { now }), near: answer.near.map(toNearElement) });
}

/** Asks the page for what is nearest to an element that it does not know. */
export async function refuseStale(
  stale: { readonly text: string; readonly ref: number | undefined; readonly why: StaleWhy },
  { world, memory, scope }: FindOptions,
): Promise<never> {
  const { text, why, ref = 0 } = stale;
  const { role = "", name = "" } = memory.elementOf(ref) ?? {};
  const firstRef = world.ranges.next();
  const asks = { op: "near", firstRef, maxElements: MAX_ELEMENTS, ref, role, name } as const;
  const { near } = await world.ask<"near">(world.page.mainFrame(), asks, scope);
  throw staleRef({ ref: text, why, near: near.map(toNearElement) });
}

function toNearElement({ row, place }: Near): NearElement {
  return { ...toListed(row), ...(place && { place }) };
}

/** Adds up the places of the iframes around it. */
async function toPagePoint(
  found: CheckGood,
  at: {
    readonly text: string;
    readonly frame: Frame;
    readonly purpose: Purpose;
    readonly options: FindOptions;
  },
): Promise<Pick<FoundElement, "x" | "y" | "box" | "tag" | "type">> {
  const { world, scope } = at.options;
  let { x, y } = found;
  let frame = at.frame;
  for (let parent = frame.parentFrame(); parent; parent = frame.parentFrame()) {
    const iframe = world.holderOf(frame);
    if (iframe === undefined) break;
    const asks = { op: "offset", firstRef: world.ranges.next(), ref: iframe, x, y } as const;
    const answer = await world.ask<"offset">(parent, asks, scope);
    if (!answer.isThere) throw staleRef({ ref: at.text, why: "detached", near: [] });
    if (answer.by && POINTING.includes(at.purpose)) throw covered(at.text, toListed(answer.by));
    ({ x, y } = answer);
    frame = parent;
  }
  const [left, top, width, height] = found.box;
  const box = [left + x - found.x, top + y - found.y, width, height] as const;
  return { x, y, box, tag: found.tag, type: found.type };
}
