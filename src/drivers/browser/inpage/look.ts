// What is remembered while one question is answered: styles, labels, owners.

import { addTo, remember } from "./collect.js";
import type { Context } from "./name/context.js";
import type { Heading } from "./refs/surroundings.js";
import { HEADINGS } from "./roles.js";
import * as dom from "./tree/clobbered.js";
import { parentElementOf } from "./tree/cursor.js";
import { createStyles } from "./tree/styles.js";
import type { Marks } from "./walk/marks.js";

/** Nodes visited for all names of one question; names stay short beyond it. */
const NAME_WORK = 600_000;
const DISABLED = "[aria-disabled=true],[inert]";
const NONE: readonly HTMLLabelElement[] = [];

export interface Look extends ReturnType<typeof createLook> {
  readonly textAt?: (node: Node) => string | undefined;
}

export function createLook(marks: Marks) {
  return {
    hasDisabledGroups: once(() => dom.page.find(DISABLED) !== null),
    headings: once(() => [...dom.page.findAll(HEADINGS)]),
    styles: createStyles(),
    marks,
    labels: createLabels(),
    contexts: new Map<Element, Context>(),
    itemTexts: new Map<Element, string>(),
    labelsIn: new Map<Element, string>(),
    groups: new Map<Element, ReadonlyMap<Element, string>>(),
    /** Month of a calendar; null: not a calendar. */
    months: new Map<Element, string | null>(),
    headingsRead: new Map<Element, Heading>(),
    active: findActive(),
    /** A modal is open, so what is hidden from people is out of reach. */
    hasModal: once(isModalOpen),
    withBoxes: false,
    nameWork: NAME_WORK,
  };
}

export function textIn({ textAt }: Look, node: Node): string {
  return textAt?.(node) ?? node.nodeValue ?? "";
}

export function lookAt(look: Look, textAt: NonNullable<Look["textAt"]>): Look {
  const read = { contexts: new Map(), itemTexts: new Map(), labelsIn: new Map() };
  return { ...look, ...read, groups: new Map(), headingsRead: new Map(), textAt };
}

function once<Value>(read: () => Value): () => Value {
  let known: Value | undefined;
  return () => {
    known ??= read();
    return known;
  };
}

function isModalOpen(): boolean {
  return [...dom.page.findAll("dialog:modal,[aria-modal=true]")].some((each) => dom.isDrawn(each));
}

export function findActive(): Element | null {
  let active = dom.page.active();
  for (let inner = innerActive(active); inner; inner = innerActive(active)) active = inner;
  return active === dom.page.body() ? null : active;
}

function innerActive(active: Element | null): Element | null {
  const root = active && dom.shadowOf(active);
  return root ? root.activeElement : null;
}

type Tree = Document | ShadowRoot;

type NamingLabels = ReadonlyMap<string, readonly Element[]>;

function createLabels() {
  const trees = new Map<Tree, NamingLabels>();
  return {
    labelsOf: (field: Element) => {
      const around = labelsAround(field);
      const id = dom.idOf(field);
      const root = id ? dom.rootOf(field) : undefined;
      if (!root || !dom.isTree(root)) return around;
      const known = remember(trees, root, readNamingLabels);
      const naming = labelsFor(field, known.get(id) ?? NONE);
      if (naming.length === 0) return around;
      return around.length === 0 ? naming : [...new Set([...around, ...naming])].sort(byPlace);
    },
  };
}

function readNamingLabels(root: Tree): NamingLabels {
  const found = new Map<string, Element[]>();
  for (const label of dom.tree.findAll(root, "label[for]")) {
    addTo(found, dom.attributeOf(label, "for") ?? "", label);
  }
  return found;
}

function labelsFor(field: Element, labels: Iterable<Element>): readonly HTMLLabelElement[] {
  return [...labels].flatMap((label) =>
    label instanceof HTMLLabelElement && label.control === field ? label : [],
  );
}

function byPlace(left: Node, right: Node): number {
  return left.compareDocumentPosition(right) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

function labelsAround(field: Element): readonly HTMLLabelElement[] {
  let label = dom.closestOf(field, "label");
  if (!label) return NONE;
  const found: Element[] = [];
  while (label) {
    found.unshift(label);
    const parent = parentElementOf(label);
    label = parent && dom.closestOf(parent, "label");
  }
  return labelsFor(field, found);
}
