// Running sums over the nodes of a page, so that what a subtree holds is one subtraction. Subtrees
// that are left out add nothing.

import type { Measures } from "./measure.js";
import { at } from "./numbers.js";
import { HTML, TEXT } from "./tags.js";

export interface Sums {
  /** Of the nodes before each node. */
  readonly chars: Int32Array;
  readonly links: Int32Array;
}

/** `left[node]` of 1 leaves the subtree out, next to what can never be seen. */
export function sumText({ page, chars, inLink, dropped }: Measures, left: Int32Array): Sums {
  const { count, tags, ends } = page;
  const sums = { chars: new Int32Array(count + 1), links: new Int32Array(count + 1) };
  let total = 0;
  let linked = 0;
  for (let node = 0; node < count; node++) {
    sums.chars[node] = total;
    sums.links[node] = linked;
    if (at(dropped, node) === 1 || at(left, node) === 1) {
      const end = at(ends, node);
      sums.chars.fill(total, node, end);
      sums.links.fill(linked, node, end);
      node = end - 1;
    } else if (at(tags, node) === TEXT) {
      total += at(chars, node);
      if (at(inLink, node) === 1) linked += at(chars, node);
    }
  }
  sums.chars[count] = total;
  sums.links[count] = linked;
  return sums;
}

export function charsIn({ page }: Measures, sums: Sums, node: number): number {
  return at(sums.chars, at(page.ends, node)) - at(sums.chars, node);
}

export function linksIn({ page }: Measures, sums: Sums, node: number): number {
  return at(sums.links, at(page.ends, node)) - at(sums.links, node);
}

/** Share of the text that is in links, 0 to 1. */
export function linkShare(measures: Measures, sums: Sums, node: number): number {
  const chars = charsIn(measures, sums, node);
  return chars === 0 ? 0 : linksIn(measures, sums, node) / chars;
}

/** The nearest block above a node; 0, the page, has none and gives itself. */
export function blockAbove({ page, blocks }: Measures, node: number): number {
  return node === 0 ? 0 : at(blocks, at(page.parents, node));
}

export function isInside({ page }: Measures, node: number, outer: number): boolean {
  return node >= outer && node < at(page.ends, outer);
}

/** The nearest element that holds all of them. */
export function commonAncestor(measures: Measures, nodes: readonly number[]): number {
  const [first = 0, ...rest] = nodes;
  let ancestor = first;
  for (const node of rest) {
    while (ancestor !== 0 && !isInside(measures, node, ancestor)) {
      ancestor = at(measures.page.parents, ancestor);
    }
  }
  return ancestor;
}

/** Nodes that a page calls its content, by tag, role or property; with enough text in them. */
export function listSemantic(measures: Measures, sums: Sums, minChars: number): readonly number[] {
  const { page, dropped } = measures;
  const found: number[] = [];
  for (let node = 1; node < page.count; node++) {
    if (at(dropped, node) === 1) {
      node = at(page.ends, node) - 1;
    } else if (isSemantic(measures, node) && charsIn(measures, sums, node) >= minChars) {
      found.push(node);
    }
  }
  return found;
}

export function isSemantic({ page }: Measures, node: number): boolean {
  const tag = at(page.tags, node);
  if (tag === TEXT) return false;
  if (tag === HTML.article || tag === HTML.main) return true;
  const attributes = page.attributes[at(page.refs, node)];
  if (attributes === undefined) return false;
  return attributes.itemprop === "articleBody" || attributes.role === "main";
}
