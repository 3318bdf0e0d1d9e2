// Reads the attributes that matter while a tag is scanned; of all others only the end is waited for.

/** Longer values are cut: a picture inside an address is of no use to a reader. */
const MAX_VALUE_CHARS = 4_096;
/** A style may hide what is inside, wherever in it that is said. */
const MAX_STYLE_CHARS = 200_000;

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
/** This many letters have the names of all that are wanted. */
const LENGTHS: ReadonlySet<number> = new Set(Object.keys(WANTED).map((name) => name.length));

export function createAttributeReader(source: string) {
  let found: { [Name in Field]?: string } | undefined;
  let field: Field | undefined;
  let value = "";
  let maxChars = MAX_VALUE_CHARS;
  let unreadStyleChars = 0;
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
      maxChars = field === "style" ? MAX_STYLE_CHARS : MAX_VALUE_CHARS;
    },
    data(start: number, end: number): void {
      if (field === undefined) return;
      const room = maxChars - value.length;
      if (field === "style") unreadStyleChars += Math.max(0, end - start - room);
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
    unreadStyleChars: () => unreadStyleChars,
  };
}
