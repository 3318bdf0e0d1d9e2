// What an element without others of its name stands in: the names of the dialog, the form or the like,
// and the heading before it. When these say something else in the same places, it means something else.

import type { Look } from "../look.js";
import { labelsAround } from "../name/around.js";
import { itemText } from "../name/context.js";
import { isConnected } from "../tree/clobbered.js";
import { eachNode } from "../twins/each-node.js";
import type { Ticks } from "../twins/ticks.js";

export interface Surroundings {
  readonly labels: string;
  readonly heading: Heading | undefined;
}

interface Heading {
  readonly node: WeakRef<Element>;
  readonly text: string;
}

interface At {
  readonly look: Look;
  readonly element: Element;
}

export function readSurroundings(
  at: At & { readonly refTo: (element: Element) => WeakRef<Element> },
  heading: Element | null | undefined,
): Surroundings {
  const { look, element, refTo } = at;
  return {
    labels: labelsAround(look, element),
    heading: heading ? { node: refTo(heading), text: itemText(look, heading) } : undefined,
  };
}

/** Nobody looked for the heading: the one from before counts. */
export function keepHeading(
  now: Surroundings | undefined,
  before: Surroundings | undefined,
): Surroundings | undefined {
  return now && !now.heading && before?.heading ? { ...now, heading: before.heading } : now;
}

/** The heading says something else because of what was done to this very element, or it was moved. */
export function adoptSurroundings(
  { look, element, isMoved }: At & { readonly isMoved: boolean },
  { labels: before, heading }: Surroundings,
): Surroundings {
  const labels = isMoved ? labelsAround(look, element) : before;
  const node = heading?.node.deref();
  if (!heading || !node || !isConnected(node)) return { labels, heading };
  return { labels, heading: { node: heading.node, text: itemText(look, node) } };
}

export function isSurrounded(
  { look, element, ticks }: At & { readonly ticks: Ticks },
  { labels, heading }: Surroundings,
): boolean {
  if (labels !== "" && labels !== labelsAround(look, element)) return false;
  const node = heading?.node.deref();
  if (!heading?.text || !node || !isConnected(node)) return true;
  return itemText(look, node) === heading.text || isTurning(ticks, node);
}

/** A show of pictures with titles, say: it does not say what is below it. */
function isTurning(ticks: Ticks, heading: Element): boolean {
  let isAny = false;
  eachNode(heading, (node) => {
    isAny ||= ticks.isTurning(node);
    return isAny ? undefined : true;
  });
  return isAny;
}
