// What a page says about its parts, gathered in one pass: posts, articles, headings that are links,
// names and times.

import type { Attributes } from "../tree/elements.js";
import { attributesOf, type Measures } from "../tree/measure.js";
import { at, HTML, isHeading, TEXT } from "../tree/tags.js";

const MIN_CODE_BLOCKS = 3;
const POST_TYPES = /(?:DiscussionForumPosting|QAPage|Question|Answer|Comment)$/;
const POST_PROPERTIES = /(?:^|\s)(?:mainEntity|suggestedAnswer|acceptedAnswer|comment)(?:\s|$)/;
const ARTICLE_TYPES = /(?:Article|BlogPosting)$/;
const ARTICLE_NAMES = /(?:^|\s)(?:hentry|(?:entry|post|article)-?(?:content|body))(?:\s|$)/i;
const MANUAL_MAKERS =
  /docusaurus|sphinx|docutils|mkdocs|vitepress|vuepress|hugo|starlight|mdbook|gitbook|antora/i;

export type Marks = ReturnType<typeof readMarks>;

export function readMarks(measures: Measures) {
  const { page, dropped } = measures;
  const sums = () => new Int32Array(page.count + 1);
  // Running sums: headings that are links, and names and times.
  const [headingLinks, authors] = [sums(), sums()];
  const posts: number[] = [];
  const named: number[] = [];
  const articles: number[] = [];
  let title: number | undefined;
  let isMadeByManualMaker = false;
  let hasMain = false;
  let codeBlocks = 0;
  let hiddenUntil = 0;
  for (let node = 0; node < page.count; node++) {
    const tag = at(page.tags, node);
    if (at(dropped, node) === 1) hiddenUntil = Math.max(hiddenUntil, at(page.ends, node));
    const isSeen = node >= hiddenUntil && tag !== TEXT;
    const attributes =
      at(page.refs, node) !== -1 && tag !== TEXT ? attributesOf(page, node) : undefined;
    const isLink = isSeen && isHeadingLink(measures, node, attributes?.href);
    headingLinks[node + 1] = at(headingLinks, node) + (isLink ? 1 : 0);
    const isAuthor = isSeen && (tag === HTML.time || measures.senseOf(node).isAuthor);
    authors[node + 1] = at(authors, node) + (isAuthor ? 1 : 0);
    if (tag === HTML.meta && attributes?.name?.toLowerCase() === "generator") {
      isMadeByManualMaker ||= MANUAL_MAKERS.test(attributes.content ?? "");
    }
    if (!isSeen) continue;
    if (tag === HTML.pre) codeBlocks++;
    hasMain ||= tag === HTML.main || attributes?.role === "main";
    if (tag === HTML.h1) title ??= node;
    if (tag === HTML.article || isArticle(attributes ?? {})) articles.push(node);
    if (attributes !== undefined && isPost(attributes)) posts.push(node);
    else if (attributes !== undefined && measures.senseOf(node).isPost) named.push(node);
  }
  const isManual = isMadeByManualMaker || (hasMain && codeBlocks >= MIN_CODE_BLOCKS);
  return { posts, named, articles, title, isManual, headingLinks, authors };
}

function isArticle({ itemtype = "", itemprop, className = "" }: Attributes): boolean {
  return (
    itemprop === "articleBody" || ARTICLE_TYPES.test(itemtype) || ARTICLE_NAMES.test(className)
  );
}

/** A link in a heading, or a heading in a link; links within the page do not count. */
function isHeadingLink(measures: Measures, node: number, href: string | undefined): boolean {
  const tag = at(measures.page.tags, node);
  if (isHeading(tag)) return at(measures.inLink, node) === 1;
  if (tag !== HTML.a || href === undefined || href.startsWith("#")) return false;
  return isHeading(at(measures.page.tags, at(measures.blocks, node)));
}

function isPost({ itemtype, itemprop }: { itemtype?: string; itemprop?: string }): boolean {
  if (itemprop !== undefined && POST_PROPERTIES.test(itemprop)) return true;
  return itemtype !== undefined && POST_TYPES.test(itemtype) && !itemtype.endsWith("QAPage");
}

const MAX_OBJECTS = 2_000;

export interface StructuredData {
  readonly articleBody: string | undefined;
  readonly isPaid: boolean;
}

export function readStructuredData(blocks: readonly string[]): StructuredData {
  let articleBody: string | undefined;
  let isPaid = false;
  const pending: unknown[] = blocks.map(parseBlock);
  for (let looked = 0; looked < MAX_OBJECTS && pending.length > 0; looked++) {
    const value = pending.pop();
    if (Array.isArray(value)) pending.push(...value.slice(0, MAX_OBJECTS));
    if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
    for (const [key, part] of Object.entries(value)) {
      if (key === "articleBody" && typeof part === "string") articleBody ??= part;
      else if (key === "isAccessibleForFree") isPaid ||= String(part).toLowerCase() === "false";
      else if (typeof part === "object") pending.push(part);
    }
  }
  return { articleBody, isPaid };
}

/** Pages get it wrong often enough; data that cannot be read says nothing. */
function parseBlock(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
