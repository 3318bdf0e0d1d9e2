// What is side by side in an element, as it is shown, and what any run of it says. For all equal
// elements of a page runs are asked for again and again, so they are taken from sums.

import { attributeOf, isElement, tagOf } from "../tree/clobbered.js";
import { nextNode, openCursor } from "../tree/cursor.js";
import { words } from "../words.js";
import type { Content, Contents } from "./content.js";

/** They have items of their own. */
const LIST_TAGS = words("table tbody ul ol menu");
const LIST_ROLES = words("list listbox table grid treegrid feed tree");
/** Parts of a page, and no parts of an item. */
const PAGE_TAGS = words("main nav header footer aside script style template");
/** What is added and what comes of it are kept below it, so that every sum is exact. */
const LIMIT = 2 ** 48;

const NOTHING: Content = { full: 0, isEmpty: true };

type Kind = "plain" | "list" | "page";

export interface Siblings {
  readonly places: ReadonlyMap<Node, number>;
  readonly count: number;
  /** Of those from one place up to another, lists apart; in whatever order they stand. */
  run(kind: "plain" | "list", from: number, to: number): Content;
  nodes(kind: "plain" | "list", from: number, to: number): readonly Node[];
  /** Reads all of them, so that each run is there at once. */
  readAll(): void;
}

interface Sums {
  readonly full: Float64Array;
  readonly filled: Int32Array;
}

export function readSiblings(contents: Contents, parent: Element): Siblings {
  const nodes: Node[] = [];
  const places = new Map<Node, number>();
  const cursor = openCursor(parent, undefined);
  for (let node = nextNode(cursor); node; node = nextNode(cursor)) {
    places.set(node, nodes.length);
    nodes.push(node);
  }
  let sums: Readonly<Record<"plain" | "list", Sums>> | undefined;
  return {
    places,
    count: nodes.length,
    run: (kind, from, to) => {
      if (from >= to) return NOTHING;
      if (sums) return between(sums[kind], from, to);
      return between(sumUp(contents, nodes.slice(from, to), kind), 0, to - from);
    },
    nodes: (kind, from, to) => nodes.slice(from, to).filter((node) => kindOf(node) === kind),
    readAll: () => {
      sums ??= { plain: sumUp(contents, nodes, "plain"), list: sumUp(contents, nodes, "list") };
    },
  };
}

function sumUp(contents: Contents, nodes: readonly Node[], kind: Kind): Sums {
  const size = nodes.length + 1;
  const sums: Sums = { full: new Float64Array(size), filled: new Int32Array(size) };
  let full = 0;
  let filled = 0;
  nodes.forEach((node, at) => {
    const content = kindOf(node) === kind ? contents.of(node) : undefined;
    if (content && !content.isEmpty) {
      full = (full + (content.full % LIMIT)) % LIMIT;
      filled += 1;
    }
    sums.full[at + 1] = full;
    sums.filled[at + 1] = filled;
  });
  return sums;
}

function between({ full, filled }: Sums, from: number, to: number): Content {
  const sum = ((full[to] ?? 0) - (full[from] ?? 0) + LIMIT) % LIMIT;
  return { full: sum, isEmpty: filled[to] === filled[from] };
}

function kindOf(node: Node): Kind {
  if (!isElement(node)) return "plain";
  const tag = tagOf(node);
  if (PAGE_TAGS.has(tag)) return "page";
  const role = attributeOf(node, "role");
  return (role ? LIST_ROLES.has(role) : LIST_TAGS.has(tag)) ? "list" : "plain";
}
