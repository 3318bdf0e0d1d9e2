// Reads the attributes that matter while a tag is scanned; of all others only the end is waited for.

/** Longer values are cut: a picture inside an address is of no use to a reader. */
const MAX_VALUE_CHARS = 4_096;

const WANTED = {
  class: "className",
  id: "id",
  href: "href",
  src: "src",
  alt: "alt",
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
/** So many letters have the names of all that are wanted. */
const LENGTHS: ReadonlySet<number> = new Set(Object.keys(WANTED).map((name) => name.length));

export function createAttributeReader(source: string) {
  let found: { [Name in Field]?: string } | undefined;
  let field: Field | undefined;
  let value = "";
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
    },
    data(start: number, end: number): void {
      if (field === undefined || value.length >= MAX_VALUE_CHARS) return;
      const part = source.slice(start, Math.min(end, start + MAX_VALUE_CHARS - value.length));
      value = value === "" ? part : value + part;
    },
    entity(codePoint: number): void {
      if (field !== undefined && value.length < MAX_VALUE_CHARS) {
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
