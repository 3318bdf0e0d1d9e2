// Turns HTML into a flat tree: nodes in the order of the document, each with its parent and the end
// of its subtree. Nothing calls itself, and what a page may nest is bounded.

import type { Tokenizer } from "htmlparser2";
import { type Attributes, createAttributeReader, createOpenElements } from "./elements.js";
import { DROPPED, flagsOf, HTML, OTHER, TEXT, tagOf, VOID } from "./tags.js";

const MAX_DATA_CHARS = 2_000_000;
const MAX_TITLE_CHARS = 500;

export type TokenizerClass = typeof Tokenizer;

export interface Page {
  readonly count: number;
  readonly tags: Int32Array;
  readonly parents: Int32Array;
  /** The first node behind the subtree. */
  readonly ends: Int32Array;
  /** Of a text its place in `texts`, of an element its place in `attributes`, or -1. */
  readonly refs: Int32Array;
  readonly texts: readonly string[];
  readonly attributes: readonly Attributes[];
  readonly title: string;
  readonly baseHref: string | undefined;
  readonly styles: string;
  readonly data: readonly string[];
  readonly scriptCount: number;
  readonly noscriptText: string;
  readonly sourceChars: number;
}

export function scanHtml(source: string, TokenizerOf: TokenizerClass): Page {
  const nodes = createNodes(source);
  const text = createTextRun(source, nodes.addText);
  const attributes = createAttributeReader(source);
  const open = createOpenElements(nodes);
  const asides = createAsides();
  let tag = OTHER;
  let node = -1;

  const begin = (endIndex: number, isClosed: boolean) => {
    const found = attributes.take();
    node = open.begin({ tag, isClosed });
    if (node !== -1) nodes.describe(node, found);
    asides.open({ tag, attributes: found, textFrom: endIndex + 1 });
  };
  const tokenizer = new TokenizerOf(
    { decodeEntities: true },
    {
      ontext: text.add,
      ontextentity: text.addEntity,
      onopentagname(start, end) {
        text.flush();
        tag = tagOf(source.slice(start, end));
        attributes.start();
      },
      onattribname: attributes.name,
      onattribdata: attributes.data,
      onattribentity: attributes.entity,
      onattribend: attributes.end,
      onopentagend: (end) => begin(end, false),
      onselfclosingtag: (end) => begin(end, true),
      onclosetag(start, end) {
        const lastText = text.flush();
        const closed = tagOf(source.slice(start, end));
        asides.close(closed, { source, textEnd: start - 2, lastText });
        open.close(closed);
      },
      oncomment: text.flush,
      oncdata: text.flush,
      ondeclaration: text.flush,
      onprocessinginstruction: text.flush,
      onend: text.flush,
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  open.end();
  return { ...nodes.take(), ...asides.take(), sourceChars: source.length };
}

interface Nodes {
  add(tag: number): number;
  addText(text: string): void;
  describe(node: number, attributes: Attributes | undefined): void;
  close(node: number): void;
  enter(node: number): void;
  take(): Pick<Page, "count" | "tags" | "parents" | "ends" | "refs" | "texts" | "attributes">;
}

/** Every tag makes at most one node, and so does the text before it. */
function createNodes(source: string): Nodes {
  let bound = 4;
  for (let at = source.indexOf("<"); at !== -1; at = source.indexOf("<", at + 1)) bound += 2;
  const tags = new Int32Array(bound);
  const parents = new Int32Array(bound).fill(-1);
  const ends = new Int32Array(bound);
  const refs = new Int32Array(bound).fill(-1);
  const texts: string[] = [];
  const attributes: Attributes[] = [];
  let parent = 0;
  let count = 1;
  tags[0] = HTML.div;
  return {
    add(tag) {
      tags[count] = tag;
      parents[count] = parent;
      ends[count] = count + 1;
      return count++;
    },
    addText(text) {
      tags[count] = TEXT;
      parents[count] = parent;
      ends[count] = count + 1;
      refs[count++] = texts.push(text) - 1;
    },
    describe(node, found) {
      if (found !== undefined) refs[node] = attributes.push(found) - 1;
    },
    enter(node) {
      parent = node;
    },
    close(node) {
      ends[node] = count;
      parent = parents[node] ?? 0;
    },
    take() {
      ends[0] = count;
      return { count, tags, parents, ends, refs, texts, attributes };
    },
  };
}

/** Text comes in parts, cut by entities; parts that lie side by side are one slice of the source. */
function createTextRun(source: string, give: (text: string) => void) {
  let from = -1;
  let to = -1;
  let before = "";
  const settle = () => {
    if (from !== -1) before += source.slice(from, to);
    from = -1;
  };
  return {
    add(start: number, end: number): void {
      if (from !== -1 && to !== start) settle();
      if (from === -1) from = start;
      to = end;
    },
    addEntity(codePoint: number): void {
      settle();
      before += String.fromCodePoint(codePoint);
    },
    flush(): string {
      if (from === -1 && before === "") return "";
      const plain = before === "" ? source.slice(from, to) : "";
      if (plain === "") settle();
      const text = plain === "" ? before : plain;
      give(text);
      from = -1;
      before = "";
      return text;
    },
  };
}

interface Opened {
  readonly tag: number;
  readonly attributes: Attributes | undefined;
  readonly textFrom: number;
}

interface Closing {
  readonly source: string;
  readonly textEnd: number;
  readonly lastText: string;
}

function createAsides() {
  let title = "";
  let baseHref: string | undefined;
  let styles = "";
  const data: string[] = [];
  let dataChars = 0;
  let scriptCount = 0;
  let noscriptText = "";
  let opened: Opened | undefined;
  const keepers: Readonly<Record<number, (content: string, of: Opened) => void>> = {
    [HTML.title]: (content) => {
      if (title === "") title = content.slice(0, MAX_TITLE_CHARS);
    },
    [HTML.style]: (content) => {
      styles += content;
    },
    [HTML.script]: (content, { attributes }) => {
      scriptCount++;
      if (attributes?.type !== "application/ld+json" || dataChars > MAX_DATA_CHARS) return;
      dataChars += content.length;
      data.push(content);
    },
    [HTML.noscript]: (content) => {
      if (noscriptText.length < MAX_TITLE_CHARS) noscriptText += content.slice(0, MAX_TITLE_CHARS);
    },
  };
  return {
    open(found: Opened): void {
      if (found.tag === HTML.base) baseHref ??= found.attributes?.href;
      if ((flagsOf(found.tag) & (DROPPED | VOID)) !== DROPPED) return;
      if (opened === undefined || opened.tag !== HTML.noscript) opened = found;
    },
    close(tag: number, { source, textEnd, lastText }: Closing): void {
      if (opened === undefined || opened.tag !== tag) return;
      const content = tag === HTML.title ? lastText : source.slice(opened.textFrom, textEnd);
      keepers[tag]?.(content, opened);
      opened = undefined;
    },
    take: () => ({ title, baseHref, styles, data, scriptCount, noscriptText }),
  };
}
