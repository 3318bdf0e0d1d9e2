// The elements that matter to reading a page, as small numbers with what each does to the text.

export const TEXT = 0;
export const OTHER = 1;

export const BLOCK = 1;
export const VOID = 2;
/** What is inside is never text of the page. */
export const DROPPED = 4;
export const ENDS_PARAGRAPH = 8;
const HEADING = 16;
/** Around the content rather than part of it. */
export const FRAME = 32;

const FLOW = BLOCK | ENDS_PARAGRAPH;

const GROUPS = [
  [
    FLOW,
    "p div section article main header ul ol dl table blockquote pre figure figcaption form fieldset details summary address center hgroup",
  ],
  [FLOW | FRAME, "footer nav aside"],
  [FLOW | HEADING, "h1 h2 h3 h4 h5 h6"],
  [FLOW | VOID, "hr"],
  [BLOCK, "li dt dd thead tbody tfoot tr td th caption body html"],
  [BLOCK | DROPPED, "dialog"],
  [VOID, "br img meta link base wbr source area col param track"],
  [VOID | DROPPED, "input embed"],
  [
    DROPPED,
    "annotation annotation-xml rp title script style noscript noframes noembed template svg iframe object canvas audio video select option textarea button datalist map",
  ],
  [
    0,
    "head a b strong i em code kbd samp tt del s strike span font time q sup sub math msup msub mfrac msqrt ruby rt label",
  ],
] as const;

type Words<Text> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;
type TagName = Words<(typeof GROUPS)[number][1]>;

const DEFINED = GROUPS.flatMap(([flags, names]) =>
  names.split(" ").map((name) => ({ name, flags })),
);
const FLAGS = Int32Array.from([0, 0, ...DEFINED.map(({ flags }) => flags)]);
const IDS: ReadonlyMap<string, number> = new Map(DEFINED.map(({ name }, at) => [name, at + 2]));

export const TAG_COUNT = FLAGS.length;

export const HTML = Object.fromEntries(IDS) as Readonly<Record<TagName, number>>;

export function tagSet(...names: readonly TagName[]): ReadonlySet<number> {
  return new Set(names.map((name) => HTML[name]));
}

export function tagOf(name: string): number {
  return IDS.get(name) ?? IDS.get(name.toLowerCase()) ?? OTHER;
}

export function flagsOf(id: number): number {
  return FLAGS[id] ?? 0;
}

export function isBlock(id: number): boolean {
  return (flagsOf(id) & BLOCK) !== 0;
}

export function isHeading(id: number): boolean {
  return (flagsOf(id) & HEADING) !== 0;
}

export function at(list: Int32Array, index: number): number {
  return list[index] ?? 0;
}
