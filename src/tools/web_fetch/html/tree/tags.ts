// The elements that matter to reading a page, as small numbers with what each does to the text.

export const TEXT = 0;
export const OTHER = 1;

/** Begins and ends a block of text. */
export const BLOCK = 1;
/** Has no content and no end tag. */
export const VOID = 2;
/** What is inside is never text of the page. */
export const DROPPED = 4;
/** Its start ends an open paragraph. */
export const ENDS_PARAGRAPH = 8;
const HEADING = 16;
/** Around the content rather than part of it. */
export const FRAME = 32;

const FLOW = BLOCK | ENDS_PARAGRAPH;

const DEFINED = {
  p: FLOW,
  div: FLOW,
  section: FLOW,
  article: FLOW,
  main: FLOW,
  header: FLOW,
  footer: FLOW | FRAME,
  nav: FLOW | FRAME,
  aside: FLOW | FRAME,
  h1: FLOW | HEADING,
  h2: FLOW | HEADING,
  h3: FLOW | HEADING,
  h4: FLOW | HEADING,
  h5: FLOW | HEADING,
  h6: FLOW | HEADING,
  ul: FLOW,
  ol: FLOW,
  li: BLOCK,
  dl: FLOW,
  dt: BLOCK,
  dd: BLOCK,
  table: FLOW,
  thead: BLOCK,
  tbody: BLOCK,
  tfoot: BLOCK,
  tr: BLOCK,
  td: BLOCK,
  th: BLOCK,
  caption: BLOCK,
  blockquote: FLOW,
  pre: FLOW,
  figure: FLOW,
  figcaption: FLOW,
  form: FLOW,
  fieldset: FLOW,
  details: FLOW,
  summary: FLOW,
  address: FLOW,
  center: FLOW,
  hgroup: FLOW,
  body: BLOCK,
  html: BLOCK,
  head: 0,
  hr: FLOW | VOID,
  br: VOID,
  img: VOID,
  meta: VOID,
  link: VOID,
  base: VOID,
  input: VOID | DROPPED,
  wbr: VOID,
  source: VOID,
  area: VOID,
  col: VOID,
  embed: VOID | DROPPED,
  param: VOID,
  track: VOID,
  a: 0,
  b: 0,
  strong: 0,
  i: 0,
  em: 0,
  code: 0,
  kbd: 0,
  samp: 0,
  tt: 0,
  del: 0,
  s: 0,
  strike: 0,
  span: 0,
  font: 0,
  time: 0,
  q: 0,
  sup: 0,
  sub: 0,
  math: 0,
  msup: 0,
  msub: 0,
  mfrac: 0,
  msqrt: 0,
  annotation: DROPPED,
  "annotation-xml": DROPPED,
  ruby: 0,
  rt: 0,
  rp: DROPPED,
  label: 0,
  title: DROPPED,
  script: DROPPED,
  style: DROPPED,
  noscript: DROPPED,
  noframes: DROPPED,
  noembed: DROPPED,
  template: DROPPED,
  svg: DROPPED,
  iframe: DROPPED,
  object: DROPPED,
  canvas: DROPPED,
  audio: DROPPED,
  video: DROPPED,
  select: DROPPED,
  option: DROPPED,
  textarea: DROPPED,
  button: DROPPED,
  datalist: DROPPED,
  dialog: DROPPED | BLOCK,
  map: DROPPED,
} as const;

export type TagName = keyof typeof DEFINED;

const NAMES = Object.keys(DEFINED);
const FLAGS = Int32Array.from([0, 0, ...Object.values(DEFINED)]);
const IDS: ReadonlyMap<string, number> = new Map(NAMES.map((name, index) => [name, index + 2]));

/** `OTHER` for a name that means nothing here. */
export function tagOf(name: string): number {
  return IDS.get(name) ?? IDS.get(name.toLowerCase()) ?? OTHER;
}

/** Of a name in the table above, which the type holds. */
export function tag(name: TagName): number {
  return IDS.get(name) ?? OTHER;
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

/** How many there are, for tables by id. */
export const TAG_COUNT = FLAGS.length;

export const HTML = {
  p: tag("p"),
  div: tag("div"),
  section: tag("section"),
  article: tag("article"),
  main: tag("main"),
  header: tag("header"),
  footer: tag("footer"),
  nav: tag("nav"),
  aside: tag("aside"),
  h1: tag("h1"),
  h6: tag("h6"),
  ul: tag("ul"),
  ol: tag("ol"),
  li: tag("li"),
  dl: tag("dl"),
  dt: tag("dt"),
  dd: tag("dd"),
  table: tag("table"),
  tr: tag("tr"),
  td: tag("td"),
  th: tag("th"),
  thead: tag("thead"),
  tbody: tag("tbody"),
  tfoot: tag("tfoot"),
  caption: tag("caption"),
  blockquote: tag("blockquote"),
  pre: tag("pre"),
  figure: tag("figure"),
  figcaption: tag("figcaption"),
  form: tag("form"),
  fieldset: tag("fieldset"),
  body: tag("body"),
  html: tag("html"),
  br: tag("br"),
  hr: tag("hr"),
  img: tag("img"),
  meta: tag("meta"),
  base: tag("base"),
  input: tag("input"),
  a: tag("a"),
  b: tag("b"),
  strong: tag("strong"),
  i: tag("i"),
  em: tag("em"),
  code: tag("code"),
  kbd: tag("kbd"),
  samp: tag("samp"),
  tt: tag("tt"),
  del: tag("del"),
  s: tag("s"),
  strike: tag("strike"),
  time: tag("time"),
  q: tag("q"),
  span: tag("span"),
  sup: tag("sup"),
  math: tag("math"),
  msup: tag("msup"),
  msub: tag("msub"),
  mfrac: tag("mfrac"),
  msqrt: tag("msqrt"),
  annotation: tag("annotation"),
  title: tag("title"),
  script: tag("script"),
  style: tag("style"),
  noscript: tag("noscript"),
  svg: tag("svg"),
  button: tag("button"),
  option: tag("option"),
  rt: tag("rt"),
  rp: tag("rp"),
} as const;
