// Finds the element of a ref and checks whether it can be acted on.

import type { Frame } from "playwright-core";
import type { CheckGood, Near, Purpose } from "../inpage/protocol.js";
import {
  covered,
  type NearElement,
  notActionable,
  refOfOtherTab,
  type StaleWhy,
  staleRef,
} from "./element-errors.js";
import { formatRef, parseRef } from "./refs.js";
import type { ElementScope, FindScope, FoundElement } from "./tab-elements.js";
import { locateRef, type TabWorld } from "./world.js";

const POINTING: readonly Purpose[] = ["click", "hover", "check", "drag"];
const STALE: readonly string[] = ["detached", "changed", "unknown"];

export interface TabScope {
  readonly world: TabWorld;
  readonly scope: ElementScope;
}

export async function findElement(
  text: string,
  purpose: Purpose,
  options: TabScope & { readonly scope: FindScope },
): Promise<FoundElement> {
  const { world, scope } = options;
  const { toListed } = world;
  const { ref, frame } = await locateOwner(text, options);
  const firstRef = world.ranges.next();
  const arm = frame.parentFrame() ? undefined : scope.arm;
  const asks = { op: "check", ref, purpose, firstRef, ...(arm && { arm }) } as const;
  const answer = await world.ask<"check">(frame, asks, scope);
  if (answer.isGood) {
    const point = await toPagePoint(answer, { text, frame, purpose, options });
    const { isArmed = false } = answer;
    const locator = locateRef({ frame, engine: world.engine }, ref);
    return { frame, ref, locator, isArmed, ...point };
  }
  // The frame knew this number once, so its document was replaced.
  if (answer.why === "unknown") return refuseStale({ text, why: "other_document" }, options);
  if (!STALE.includes(answer.why)) throw notActionable(text, { bad: answer, toListed });
  const why = answer.why === "detached" ? "detached" : "changed";
  const toNear = toNearBy(toListed);
  const now = answer.now && toNear(answer.now);
  throw staleRef({ ref: text, why, ...(now && { now }), near: answer.near.map(toNear) });
}

export async function locateOwner(
  text: string,
  options: TabScope,
): Promise<{ readonly ref: number; readonly frame: Frame }> {
  const { names, refs, ranges } = options.world;
  const parsed = parseRef(text);
  const tab = parsed === undefined ? undefined : refs.tabOf(parsed);
  if (tab && !tab.isThisOne) throw refOfOtherTab(text, tab);
  const ref = parsed === undefined ? undefined : names.numberOf(parsed);
  const frame = ref === undefined ? undefined : ranges.ownerOf(ref)?.frame;
  if (ref === undefined || !frame) {
    // The page that this tab had then is gone.
    return refuseStale({ text, why: tab ? "other_document" : "unknown" }, options);
  }
  if (frame.isDetached()) return refuseStale({ text, why: "detached" }, options);
  return { ref, frame };
}

export async function refuseStale(
  stale: { readonly text: string; readonly why: StaleWhy },
  { world, scope }: TabScope,
): Promise<never> {
  const { text, why } = stale;
  const parsed = parseRef(text) ?? 0;
  const ref = world.names.numberOf(parsed) ?? 0;
  const { role = "", name = "" } = world.memory.elementOf(formatRef(parsed)) ?? {};
  const firstRef = world.ranges.next();
  const asks = { op: "near", firstRef, ref, role, name } as const;
  const { near } = await world.ask<"near">(world.page.mainFrame(), asks, scope);
  throw staleRef({ ref: text, why, near: near.map(toNearBy(world.toListed)) });
}

function toNearBy(toListed: TabWorld["toListed"]) {
  return ({ row, place }: Near): NearElement => ({ ...toListed(row), ...(place && { place }) });
}

async function toPagePoint(
  found: CheckGood,
  at: {
    readonly text: string;
    readonly frame: Frame;
    readonly purpose: Purpose;
    readonly options: TabScope;
  },
): Promise<Pick<FoundElement, "x" | "y" | "tag" | "type">> {
  const { world, scope } = at.options;
  let { x, y } = found;
  let frame = at.frame;
  for (let parent = frame.parentFrame(); parent; parent = frame.parentFrame()) {
    const iframe = world.holderOf(frame);
    if (iframe === undefined) break;
    const asks = { op: "offset", firstRef: world.ranges.next(), ref: iframe, x, y } as const;
    const answer = await world.ask<"offset">(parent, asks, scope);
    if (!answer.isThere) {
      const why = answer.why === "changed" ? "changed" : "detached";
      throw staleRef({ ref: at.text, why, near: [] });
    }
    if (answer.by && POINTING.includes(at.purpose))
      throw covered(at.text, world.toListed(answer.by));
    ({ x, y } = answer);
    frame = parent;
  }
  return { x, y, tag: found.tag, type: found.type };
}
