// What is remembered while one question is answered: styles, labels, owners.

import { addTo, remember } from "./collect.js";
import type { Context } from "./name/context.js";
import type { Heading } from "./refs/surroundings.js";
import { HEADINGS } from "./roles.js";
import {
  attributeOf,
  closestOf,
  idOf,
  isAround,
  isDrawn,
  isTree,
  page,
  rootOf,
  shadowOf,
  tree,
} from "./tree/clobbered.js";
import { parentElementOf } from "./tree/cursor.js";
import { createStyles, type Styles } from "./tree/styles.js";
import type { Marks } from "./walk/marks.js";

/** Nodes visited for all names of one question; names stay short beyond it. */
const NAME_WORK = 600_000;
const DISABLED = "[aria-disabled=true],[inert]";
const NONE: readonly HTMLLabelElement[] = [];

export interface Look {
  readonly styles: Styles;
  readonly marks: Marks;
  readonly labels: Labels;
  readonly owned: ReadonlyMap<Element, readonly Element[]>;
  readonly owners: ReadonlyMap<Element, Element>;
  readonly contexts: Map<Element, Context>;
  readonly itemTexts: Map<Element, string>;
  readonly labelsIn: Map<Element, string>;
  readonly groups: Map<Element, ReadonlyMap<Element, string>>;
  /** Month of a calendar; null: not a calendar. */
  readonly months: Map<Element, string | null>;
  readonly headingsRead: Map<Element, Heading>;
  readonly textAt?: (node: Node) => string | undefined;
  readonly active: Element | null;
  /** A modal is open, so what is hidden from people is out of reach. */
  hasModal(): boolean;
  hasDisabledGroups(): boolean;
  readonly withBoxes: boolean;
  headings(): readonly Element[];
  nameWork: number;
}

/** Needs a scan of the whole document, and holds until the document changes. */
interface Relations extends Pick<Look, "owned" | "owners" | "hasDisabledGroups" | "headings"> {
  namingLabels(): NamingLabels;
}

interface LooksOptions {
  readonly stamp: () => number;
  readonly marks: Marks;
}

export function createLooks({ stamp, marks }: LooksOptions): () => Look {
  let known: { readonly stamp: number; readonly relations: Relations } | undefined;
  return () => {
    const now = stamp();
    if (known?.stamp !== now) known = { stamp: now, relations: readRelations() };
    return createLook(known.relations, marks);
  };
}

function createLook(relations: Relations, marks: Marks): Look {
  const { namingLabels, ...kept } = relations;
  return {
    ...kept,
    styles: createStyles(),
    marks,
    labels: createLabels(namingLabels),
    contexts: new Map(),
    itemTexts: new Map(),
    labelsIn: new Map(),
    groups: new Map(),
    months: new Map(),
    headingsRead: new Map(),
    active: findActive(),
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

function readRelations(): Relations {
  const owned = readOwned();
  const owners = new Map<Element, Element>();
  for (const [owner, elements] of owned) for (const each of elements) owners.set(each, owner);
  return {
    owned,
    owners,
    hasDisabledGroups: once(() => page.find(DISABLED) !== null),
    headings: once(() => [...page.findAll(HEADINGS)]),
    namingLabels: once(() => readNamingLabels(document)),
  };
}

function once<Value>(read: () => Value): () => Value {
  let known: Value | undefined;
  return () => {
    known ??= read();
    return known;
  };
}

function isModalOpen(): boolean {
  return [...page.findAll("dialog:modal,[aria-modal=true]")].some((each) => isDrawn(each));
}

export function findActive(): Element | null {
  let active = page.active();
  for (let inner = innerActive(active); inner; inner = innerActive(active)) active = inner;
  return active === page.body() ? null : active;
}

function innerActive(active: Element | null): Element | null {
  const root = active && shadowOf(active);
  return root ? root.activeElement : null;
}

function readOwned(): ReadonlyMap<Element, readonly Element[]> {
  const owned = new Map<Element, readonly Element[]>();
  const taken = new Set<Element>();
  for (const owner of page.findAll("[aria-owns]")) {
    const ids = (attributeOf(owner, "aria-owns") ?? "").split(/\s+/u).filter(Boolean);
    const elements = ids
      .map((id) => page.byId(id))
      .filter((each) => each !== null)
      .filter((each) => !taken.has(each) && !isAround(each, owner) && !owned.has(each));
    for (const each of elements) taken.add(each);
    if (elements.length > 0) owned.set(owner, elements);
  }
  return owned;
}

type Tree = Document | ShadowRoot;

type NamingLabels = ReadonlyMap<string, readonly Element[]>;

interface Labels {
  labelsOf(field: Element): readonly HTMLLabelElement[];
}

/** `inDocument`: cached labels of the document. */
function createLabels(inDocument: () => NamingLabels): Labels {
  const trees = new Map<Tree, NamingLabels>();
  return {
    labelsOf: (field) => {
      const around = labelsAround(field);
      const id = idOf(field);
      const root = id ? rootOf(field) : undefined;
      if (!root || !isTree(root)) return around;
      const known = root === document ? inDocument() : remember(trees, root, readNamingLabels);
      const naming = labelsFor(field, known.get(id) ?? NONE);
      if (naming.length === 0) return around;
      return around.length === 0 ? naming : [...new Set([...around, ...naming])].sort(byPlace);
    },
  };
}

function readNamingLabels(root: Tree): NamingLabels {
  const found = new Map<string, Element[]>();
  for (const label of tree.findAll(root, "label[for]")) {
    addTo(found, attributeOf(label, "for") ?? "", label);
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
  let label = closestOf(field, "label");
  if (!label) return NONE;
  const found: Element[] = [];
  while (label) {
    found.unshift(label);
    const parent = parentElementOf(label);
    label = parent && closestOf(parent, "label");
  }
  return labelsFor(field, found);
}
