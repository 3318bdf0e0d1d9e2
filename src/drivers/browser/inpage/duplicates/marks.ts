// Which part of a document belongs to which of several equal elements: the highest element around each
// that holds no other, and what is between these parts.

import { addTo } from "../remember.js";
import { parentElementOf } from "../tree/cursor.js";
import type { Content } from "./content.js";
import type { Siblings } from "./siblings.js";

export interface Marks {
  /** undefined: there is another one in the element itself. */
  itemOf(member: Element): Element | undefined;
  /** Several are in it. */
  isShared(element: Element): boolean;
  /** Of what is shared: what in it holds one of them or several. */
  partsOf(parent: Element): readonly Element[];
}

export function markDuplicates(members: Iterable<Element>): Marks {
  /** null: of several. */
  const owners = new Map<Element, Element | null>();
  for (const member of members) mark(owners, member);
  let parts: ReadonlyMap<Element, readonly Element[]> | undefined;
  return {
    itemOf: (member) => {
      if (owners.get(member) !== member) return undefined;
      let item = member;
      for (let at = parentElementOf(item); at; at = parentElementOf(at)) {
        if (owners.get(at) !== member) break;
        item = at;
      }
      return item;
    },
    isShared: (element) => owners.get(element) === null,
    partsOf: (parent) => {
      parts ??= findParts(owners);
      return parts.get(parent) ?? [];
    },
  };
}

/** Anyone who is around what is shared is shared already, so each way up is short. */
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

/** What is in an element before, between and after the parts of the members. */
export interface Gaps {
  /** One more than there are parts. */
  readonly count: number;
  readonly parts: readonly Element[];
  /** The place of a part among all. */
  placeOf(part: Element): number | undefined;
  plain(at: number): Content;
  /** Lists among it. */
  lists(at: number): Content;
  nodes(kind: "plain" | "list", at: number): readonly Node[];
}

export function findGaps(siblings: Siblings, parts: readonly Element[]): Gaps {
  // What is owned by aria-owns is elsewhere.
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
    placeOf: (part) => {
      const place = siblings.places.get(part);
      return place === undefined ? undefined : ranks.get(place);
    },
    plain: read("plain"),
    lists: read("list"),
    nodes: (kind, at) => siblings.nodes(kind, ...rangeOf(at)),
  };
}
