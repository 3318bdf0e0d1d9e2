// The children of an element, and which of them belong to which of several equal elements.

import { addTo, words } from "../collect.js";
import { attributeOf, isElement, tagOf } from "../tree/clobbered.js";
import { nextNode, openCursor, parentElementOf } from "../tree/cursor.js";
import type { Content, Contents } from "./content.js";

const LIST_TAGS = words("table tbody ul ol menu");
const LIST_ROLES = words("list listbox table grid treegrid feed tree");
/** They belong to the page, not to an item. */
const PAGE_TAGS = words("main nav header footer aside script style template");
/** Keeps sums exact. */
const LIMIT = 2 ** 48;

type Kind = "plain" | "list" | "page";

export interface Siblings {
  readonly places: ReadonlyMap<Node, number>;
  readonly count: number;
  /** The content of a range; the order does not count. */
  run(kind: "plain" | "list", from: number, to: number): Content;
  nodes(kind: "plain" | "list", from: number, to: number): readonly Node[];
}

export function readSiblings(contents: Contents, parent: Element) {
  const nodes: Node[] = [];
  const places = new Map<Node, number>();
  const cursor = openCursor(parent);
  for (let node = nextNode(cursor); node; node = nextNode(cursor)) {
    places.set(node, nodes.length);
    nodes.push(node);
  }
  return {
    places,
    count: nodes.length,
    run: (kind: "plain" | "list", from: number, to: number) => {
      let full = 0;
      let isEmpty = true;
      for (const node of nodes.slice(from, to)) {
        const content = kindOf(node) === kind ? contents.of(node) : undefined;
        if (!content || content.isEmpty) continue;
        full = (full + (content.full % LIMIT)) % LIMIT;
        isEmpty = false;
      }
      return { full, isEmpty };
    },
    nodes: (kind: "plain" | "list", from: number, to: number) =>
      nodes.slice(from, to).filter((node) => kindOf(node) === kind),
  };
}

function kindOf(node: Node): Kind {
  if (!isElement(node)) return "plain";
  const tag = tagOf(node);
  if (PAGE_TAGS.has(tag)) return "page";
  const role = attributeOf(node, "role");
  return (role ? LIST_ROLES.has(role) : LIST_TAGS.has(tag)) ? "list" : "plain";
}

export type Marks = ReturnType<typeof markDuplicates>;

export function markDuplicates(members: Iterable<Element>) {
  /** null: several owners. */
  const owners = new Map<Element, Element | null>();
  for (const member of members) mark(owners, member);
  let parts: ReadonlyMap<Element, readonly Element[]> | undefined;
  return {
    /** undefined: another member is inside the element. */
    itemOf: (member: Element) => {
      if (owners.get(member) !== member) return undefined;
      let item = member;
      for (let at = parentElementOf(item); at; at = parentElementOf(at)) {
        if (owners.get(at) !== member) break;
        item = at;
      }
      return item;
    },
    isShared: (element: Element) => owners.get(element) === null,
    partsOf: (parent: Element) => {
      parts ??= findParts(owners);
      return parts.get(parent) ?? [];
    },
  };
}

/** Stops at the first shared ancestor: all above it are shared. */
function mark(owners: Map<Element, Element | null>, member: Element): void {
  for (let at: Element | null = member; at; at = parentElementOf(at)) {
    const owner = owners.get(at);
    if (owner === null) return;
    owners.set(at, owner === undefined || owner === member ? member : null);
  }
}

function findParts(
  owners: ReadonlyMap<Element, Element | null>,
): ReadonlyMap<Element, readonly Element[]> {
  const parts = new Map<Element, Element[]>();
  for (const element of owners.keys()) {
    const parent = parentElementOf(element);
    if (!parent || owners.get(parent) !== null) continue;
    addTo(parts, parent, element);
  }
  return parts;
}

export type Gaps = ReturnType<typeof findGaps>;

export function findGaps(siblings: Siblings, parts: readonly Element[]) {
  const ends = parts
    .flatMap((part) => siblings.places.get(part) ?? [])
    .sort((left, right) => left - right);
  const ranks = new Map(ends.map((place, rank) => [place, rank]));
  const rangeOf = (at: number): [from: number, to: number] => {
    const from = at === 0 ? 0 : (ends[at - 1] ?? siblings.count) + 1;
    return [from, Math.max(from, ends[at] ?? siblings.count)];
  };
  const read = (kind: "plain" | "list") => (at: number) => siblings.run(kind, ...rangeOf(at));
  return {
    count: ends.length + 1,
    parts,
    placeOf: (part: Element) => {
      const place = siblings.places.get(part);
      return place === undefined ? undefined : ranks.get(place);
    },
    plain: read("plain"),
    lists: read("list"),
    nodes: (kind: "plain" | "list", at: number) => siblings.nodes(kind, ...rangeOf(at)),
  };
}
