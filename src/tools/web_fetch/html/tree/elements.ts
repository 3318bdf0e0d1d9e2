// Which elements are open while a page is scanned: what a start tag ends by itself, what an end tag
// ends, and what is too deep to be opened at all.

import {
  at,
  BLOCK,
  DROPPED,
  ENDS_PARAGRAPH,
  flagsOf,
  HTML,
  isBlock,
  TAG_COUNT,
  tagSet,
  VOID,
} from "./tags.js";

const MAX_DEPTH = 256;
const MAX_LOOK_BACK = 32;

interface Tree {
  add(tag: number): number;
  enter(node: number): void;
  close(node: number): void;
}

interface ImpliedEnd {
  readonly ends: ReadonlySet<number>;
  readonly within: ReadonlySet<number>;
}

const CELLS = tagSet("td", "th");
const ROW_PARTS = tagSet("td", "th", "tr");
const TABLE_PARTS = tagSet("td", "th", "tr", "thead", "tbody", "tfoot", "caption");
const PARAGRAPH: ImpliedEnd = {
  ends: tagSet("p"),
  within: tagSet("td", "th", "table", "li", "div", "blockquote", "section", "article", "button"),
};
const READING: ImpliedEnd = { ends: tagSet("rt", "rp"), within: tagSet("ruby", "p") };
const IMPLIED: ReadonlyMap<number, ImpliedEnd> = new Map([
  [HTML.li, { ends: tagSet("li"), within: tagSet("ul", "ol", "table") }],
  [HTML.dt, { ends: tagSet("dt", "dd"), within: tagSet("dl", "table") }],
  [HTML.dd, { ends: tagSet("dt", "dd"), within: tagSet("dl", "table") }],
  [HTML.td, { ends: CELLS, within: tagSet("tr", "table") }],
  [HTML.th, { ends: CELLS, within: tagSet("tr", "table") }],
  [HTML.tr, { ends: ROW_PARTS, within: tagSet("table", "tbody", "thead", "tfoot") }],
  [HTML.tbody, { ends: TABLE_PARTS, within: tagSet("table") }],
  [HTML.thead, { ends: TABLE_PARTS, within: tagSet("table") }],
  [HTML.tfoot, { ends: TABLE_PARTS, within: tagSet("table") }],
  [HTML.option, { ends: tagSet("option"), within: tagSet("select") }],
  [HTML.rt, READING],
  [HTML.rp, READING],
  [HTML.a, { ends: tagSet("a"), within: tagSet("td", "th", "table", "li", "div", "p", "ul") }],
]);
/** An end tag does not reach out of a cell, but for the parts of the table itself. */
const CELL_WALLS = tagSet("td", "th", "table");
const TABLE_TAGS = tagSet("table", "thead", "tbody", "tfoot", "tr", "td", "th", "body", "html");

export function createOpenElements(tree: Tree) {
  const tags = new Int32Array(MAX_DEPTH);
  const nodes = new Int32Array(MAX_DEPTH);
  /** How many of each name were too deep to be opened; their end tags end nothing. */
  const overflow = new Int32Array(TAG_COUNT);
  let size = 0;

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
      if (at(overflow, closed) > 0) {
        overflow[closed] = at(overflow, closed) - 1;
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

const MAX_VALUE_CHARS = 4_096;

const WANTED = {
  class: "className",
  id: "id",
  href: "href",
  src: "src",
  alt: "alt",
  alttext: "mathText",
  encoding: "encoding",
  style: "style",
  hidden: "hidden",
  "aria-hidden": "ariaHidden",
  role: "role",
  itemprop: "itemprop",
  itemtype: "itemtype",
  colspan: "colspan",
  rowspan: "rowspan",
  start: "start",
  type: "type",
  name: "name",
  property: "property",
  content: "content",
  lang: "lang",
  "data-lang": "language",
  "data-language": "language",
  "data-src": "dataSource",
} as const;

type Field = (typeof WANTED)[keyof typeof WANTED];

export type Attributes = { readonly [Name in Field]?: string };

const FIELDS: ReadonlyMap<string, Field> = new Map(Object.entries(WANTED));
const LENGTHS: ReadonlySet<number> = new Set(Object.keys(WANTED).map((name) => name.length));

export function createAttributeReader(source: string) {
  let found: { [Name in Field]?: string } | undefined;
  let field: Field | undefined;
  let value = "";
  let maxChars = MAX_VALUE_CHARS;
  return {
    start(): void {
      found = undefined;
    },
    name(start: number, end: number): void {
      value = "";
      field = undefined;
      if (!LENGTHS.has(end - start)) return;
      const name = source.slice(start, end);
      field = FIELDS.get(name) ?? FIELDS.get(name.toLowerCase());
      // A style may hide what is inside, wherever in it that is said.
      maxChars = field === "style" ? Number.POSITIVE_INFINITY : MAX_VALUE_CHARS;
    },
    data(start: number, end: number): void {
      if (field === undefined) return;
      const room = maxChars - value.length;
      if (room <= 0) return;
      const part = source.slice(start, Math.min(end, start + room));
      value = value === "" ? part : value + part;
    },
    entity(codePoint: number): void {
      if (field !== undefined && value.length < maxChars) {
        value += String.fromCodePoint(codePoint);
      }
    },
    end(): void {
      if (field === undefined) return;
      found ??= {};
      // The first of two counts, as in a browser.
      found[field] ??= value;
      field = undefined;
    },
    take: (): Attributes | undefined => found,
  };
}
