// Which elements are open while a page is scanned: what a start tag ends by itself, what an end tag
// ends, and what is too deep to be opened at all.

import { at } from "./numbers.js";
import {
  BLOCK,
  DROPPED,
  ENDS_PARAGRAPH,
  flagsOf,
  HTML,
  isBlock,
  TAG_COUNT,
  type TagName,
  tag,
  VOID,
} from "./tags.js";

/** Deeper elements are left out, and their text belongs to the deepest one that is open. */
const MAX_DEPTH = 256;
/** So far back is looked for what a start tag ends by itself. */
const MAX_LOOK_BACK = 32;

interface Tree {
  add(tag: number): number;
  enter(node: number): void;
  close(node: number): void;
}

interface ImpliedEnd {
  readonly ends: ReadonlySet<number>;
  /** It does not reach beyond these. */
  readonly within: ReadonlySet<number>;
}

const setOf = (...names: TagName[]): ReadonlySet<number> => new Set(names.map(tag));

const CELLS = setOf("td", "th");
const ROW_PARTS = setOf("td", "th", "tr");
const TABLE_PARTS = setOf("td", "th", "tr", "thead", "tbody", "tfoot", "caption");
const PARAGRAPH: ImpliedEnd = {
  ends: setOf("p"),
  within: setOf("td", "th", "table", "li", "div", "blockquote", "section", "article", "button"),
};
const READING: ImpliedEnd = { ends: setOf("rt", "rp"), within: setOf("ruby", "p") };
const IMPLIED: ReadonlyMap<number, ImpliedEnd> = new Map([
  [HTML.li, { ends: setOf("li"), within: setOf("ul", "ol", "table") }],
  [HTML.dt, { ends: setOf("dt", "dd"), within: setOf("dl", "table") }],
  [HTML.dd, { ends: setOf("dt", "dd"), within: setOf("dl", "table") }],
  [HTML.td, { ends: CELLS, within: setOf("tr", "table") }],
  [HTML.th, { ends: CELLS, within: setOf("tr", "table") }],
  [HTML.tr, { ends: ROW_PARTS, within: setOf("table", "tbody", "thead", "tfoot") }],
  [HTML.tbody, { ends: TABLE_PARTS, within: setOf("table") }],
  [HTML.thead, { ends: TABLE_PARTS, within: setOf("table") }],
  [HTML.tfoot, { ends: TABLE_PARTS, within: setOf("table") }],
  [HTML.option, { ends: setOf("option"), within: setOf("select") }],
  [HTML.rt, READING],
  [HTML.rp, READING],
  [HTML.a, { ends: setOf("a"), within: setOf("td", "th", "table", "li", "div", "p", "ul") }],
]);
/** An end tag does not reach out of a cell, but for the parts of the table itself. */
const CELL_WALLS = setOf("td", "th", "table");
const TABLE_TAGS = setOf("table", "thead", "tbody", "tfoot", "tr", "td", "th", "body", "html");

export function createOpenElements(tree: Tree) {
  const tags = new Int32Array(MAX_DEPTH);
  const nodes = new Int32Array(MAX_DEPTH);
  /** How many of each name were too deep to be opened; their end tags end nothing. */
  const overflow = new Int32Array(TAG_COUNT);
  let size = 0;
  let overflowing = 0;

  const closeTo = (wanted: number) => {
    while (size > wanted) tree.close(at(nodes, --size));
  };
  const endImplied = ({ ends, within }: ImpliedEnd) => {
    let lowest = -1;
    for (let place = size - 1; place >= 0 && place >= size - MAX_LOOK_BACK; place--) {
      const open = at(tags, place);
      if (ends.has(open)) lowest = place;
      if (within.has(open) && !ends.has(open)) break;
      if (lowest !== -1 && ends === PARAGRAPH.ends) break;
    }
    if (lowest !== -1) closeTo(lowest);
  };
  return {
    /** The node, or -1 when it is too deep. */
    begin({ tag: opened, isClosed }: { tag: number; isClosed: boolean }): number {
      const flags = flagsOf(opened);
      const implied = IMPLIED.get(opened);
      if (implied !== undefined) endImplied(implied);
      else if ((flags & ENDS_PARAGRAPH) !== 0) endImplied(PARAGRAPH);
      const isLeaf = (flags & VOID) !== 0 || (isClosed && (flags & BLOCK) === 0);
      if (isLeaf) return tree.add(opened);
      if (size >= MAX_DEPTH) {
        overflow[opened] = at(overflow, opened) + 1;
        overflowing++;
        // The text of what is left out must not run into that before it.
        if (isBlock(opened)) tree.add(HTML.br);
        return -1;
      }
      const node = tree.add(opened);
      tags[size] = opened;
      nodes[size++] = node;
      tree.enter(node);
      return node;
    },
    close(closed: number): void {
      if (overflowing > 0 && at(overflow, closed) > 0) {
        overflow[closed] = at(overflow, closed) - 1;
        overflowing--;
        return;
      }
      const place = findOpen({ tags, size, closed });
      if (place !== -1) closeTo(place);
    },
    end: () => closeTo(0),
  };
}

interface Search {
  readonly tags: Int32Array;
  readonly size: number;
  readonly closed: number;
}

/** The place of the element that an end tag ends, or -1 when it is a stray one. */
function findOpen({ tags, size, closed }: Search): number {
  // What holds no text of the page ends in any case, or all that follows would be lost with it.
  const isInline = (flagsOf(closed) & (BLOCK | DROPPED)) === 0;
  const crossesCells = TABLE_TAGS.has(closed);
  for (let place = size - 1; place >= 0; place--) {
    const open = at(tags, place);
    if (open === closed) return place;
    if (isInline && isBlock(open)) return -1;
    if (!crossesCells && CELL_WALLS.has(open)) return -1;
  }
  return -1;
}
