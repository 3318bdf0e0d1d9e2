// Turns HTML into a flat tree: nodes in the order of the document, each with its parent and the end
// of its subtree. Nothing calls itself, and what a page may nest is bounded.

import type { Tokenizer } from "htmlparser2";
import { type Attributes, createAttributeReader, createOpenElements } from "./elements.js";
import { at, HTML, OTHER, TEXT, tagOf } from "./tags.js";

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

type Tree = Pick<Page, "count" | "tags" | "parents" | "ends" | "refs" | "texts" | "attributes">;

export function scanHtml(source: string, TokenizerOf: TokenizerClass): Page {
  const nodes = createNodes(source);
  const text = createTextRun(source, nodes.addText);
  const attributes = createAttributeReader(source);
  const open = createOpenElements(nodes);
  let tag = OTHER;

  const begin = (isClosed: boolean) => {
    const node = open.begin({ tag, isClosed });
    if (node !== -1) nodes.describe(node, attributes.take());
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
      onopentagend: () => begin(false),
      onselfclosingtag: () => begin(true),
      onclosetag(start, end) {
        text.flush();
        open.close(tagOf(source.slice(start, end)));
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
  const tree = nodes.take();
  return { ...tree, ...readAsides(tree), sourceChars: source.length };
}

/** Every tag makes at most one node, and so does the text before it. */
function createNodes(source: string) {
  let bound = 4;
  for (let place = source.indexOf("<"); place !== -1; place = source.indexOf("<", place + 1)) {
    bound += 2;
  }
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
    add(tag: number): number {
      tags[count] = tag;
      parents[count] = parent;
      ends[count] = count + 1;
      return count++;
    },
    addText(text: string): void {
      tags[count] = TEXT;
      parents[count] = parent;
      ends[count] = count + 1;
      refs[count++] = texts.push(text) - 1;
    },
    describe(node: number, found: Attributes | undefined): void {
      if (found !== undefined) refs[node] = attributes.push(found) - 1;
    },
    enter(node: number): void {
      parent = node;
    },
    close(node: number): void {
      ends[node] = count;
      parent = parents[node] ?? 0;
    },
    take(): Tree {
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
    flush(): void {
      settle();
      if (before !== "") give(before);
      before = "";
    },
  };
}

/** What a page says besides its text. */
function readAsides({ count, tags, ends, refs, texts, attributes }: Tree) {
  const textIn = (element: number) => {
    let text = "";
    for (let node = element + 1; node < at(ends, element); node++) {
      if (at(tags, node) === TEXT) text += texts[at(refs, node)] ?? "";
    }
    return text;
  };
  let title = "";
  let baseHref: string | undefined;
  let styles = "";
  const data: string[] = [];
  let scriptCount = 0;
  let noscriptText = "";
  for (let node = 1; node < count; node++) {
    const tag = at(tags, node);
    if (tag === HTML.base) baseHref ??= attributes[at(refs, node)]?.href;
    else if (tag === HTML.title) title ||= textIn(node).slice(0, MAX_TITLE_CHARS);
    else if (tag === HTML.style) styles += textIn(node);
    else if (tag === HTML.script) {
      scriptCount++;
      const isData = attributes[at(refs, node)]?.type === "application/ld+json";
      if (isData) data.push(textIn(node));
    } else if (tag === HTML.noscript) {
      noscriptText += textIn(node);
      node = at(ends, node) - 1;
    }
  }
  return { title, baseHref, styles, data, scriptCount, noscriptText };
}
