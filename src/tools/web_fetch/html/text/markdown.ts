// Writes the chosen part of a page as Markdown, or by the same walk as plain text. The walk follows
// the order of the nodes with a stack of its own.

import { cutChars } from "../../../../lib/unicode-text.js";
import type { Choice } from "../content/choose.js";
import { attributesOf, type Measures } from "../tree/measure.js";
import { at, HTML, isBlock, isHeading, TEXT } from "../tree/tags.js";
import {
  type Blocks,
  createBlocks,
  createInline,
  escapeLines,
  type Inline,
  isTitle,
} from "./lines.js";
import {
  createResolver,
  hasText,
  isGutter,
  lineText,
  mathText,
  plainCode,
  powerText,
  type Resolve,
  shownText,
  writeCode,
} from "./plain-text.js";
import { createTable, isDataTable, type Table, toOneLine } from "./table.js";

const MAX_ALT_CHARS = 200;
const TITLE_WITHIN_CHARS = 200;
const MAX_TEXT_CHARS = 2_000_000;
const MIN_ROOM_CHARS = 10_000;
export type TextMode = "markdown" | "text";

export interface WriteRequest {
  readonly measures: Measures;
  readonly choice: Choice;
  readonly mode: TextMode;
  readonly url: string;
}

export interface Written {
  readonly text: string;
  readonly heading: string | undefined;
  readonly isCut: boolean;
}

interface Walk {
  readonly measures: Measures;
  readonly mode: TextMode;
  readonly inline: Inline;
  readonly blocks: Blocks;
  readonly resolve: Resolve;
  readonly lists: { readonly node: number; readonly isOrdered: boolean; next: number }[];
  readonly links: boolean[];
  table: { readonly node: number; readonly cells: Table; cell: number } | undefined;
  headingLevel: number;
  heading: string | undefined;
}

export function writeContent({ measures, choice, mode, url }: WriteRequest): Written {
  const { page, dropped } = measures;
  // A page of nested lists would grow without end by its indents.
  const maxChars = Math.min(MAX_TEXT_CHARS, page.sourceChars * 2 + MIN_ROOM_CHARS);
  const walk: Walk = {
    measures,
    mode,
    inline: createInline(),
    blocks: createBlocks({ maxChars }),
    resolve: createResolver(url, page.baseHref),
    lists: [],
    links: [],
    table: undefined,
    headingLevel: 0,
    heading: undefined,
  };
  const open: number[] = [];
  for (const root of choice.region) {
    for (let node = root; node < at(page.ends, root) && !walk.blocks.isFull(); node++) {
      closeUntil(walk, open, node);
      const tag = at(page.tags, node);
      if (tag === TEXT) {
        walk.inline.addText(shownText(measures, node));
      } else if (
        at(dropped, node) === 1 ||
        at(choice.left, node) === 1 ||
        enter(walk, node, tag) === "skip"
      ) {
        if (isBlock(tag)) flush(walk);
        node = at(page.ends, node) - 1;
      } else if (at(page.ends, node) > node + 1) {
        open.push(node);
      } else {
        leave(walk, node);
      }
    }
    closeUntil(walk, open, page.count);
    flush(walk);
  }
  const text = cutChars(walk.blocks.take(), maxChars);
  return { text, heading: walk.heading, isCut: walk.blocks.isFull() };
}

function closeUntil(walk: Walk, open: number[], node: number): void {
  const { ends } = walk.measures.page;
  for (let top = open.at(-1); top !== undefined && at(ends, top) <= node; top = open.at(-1)) {
    open.pop();
    leave(walk, top);
  }
}

type Entered = "skip" | "open";

function enter(walk: Walk, node: number, tag: number): Entered {
  if (isBlock(tag)) return enterBlock(walk, node, tag);
  const { inline, mode } = walk;
  if (tag === HTML.br) inline.addBreak();
  else if (tag === HTML.img) addImage(walk, node);
  else if (tag === HTML.a) return openLink(walk, node);
  else if (tag === HTML.sup || tag === HTML.math) return addFormula(walk, node, tag);
  else if (mode === "text") return "open";
  else if (tag === HTML.code || tag === HTML.kbd || tag === HTML.samp || tag === HTML.tt) {
    return addCode(walk, node);
  } else {
    const mark = MARKS.get(tag);
    if (mark !== undefined) inline.openMark({ open: mark, close: mark });
  }
  return "open";
}

const MARKS: ReadonlyMap<number, string> = new Map([
  [HTML.b, "**"],
  [HTML.strong, "**"],
  [HTML.i, "*"],
  [HTML.em, "*"],
  [HTML.del, "~~"],
  [HTML.s, "~~"],
  [HTML.strike, "~~"],
]);

function enterBlock(walk: Walk, node: number, tag: number): Entered {
  const { blocks, inline, measures, table } = walk;
  if (isGutter(measures, node)) return "skip";
  if (table !== undefined) return enterInTable(walk, node, tag);
  flush(walk);
  if (tag === HTML.pre) {
    blocks.emit(walk.mode === "text" ? plainCode(measures, node) : writeCode(measures, node));
    return "skip";
  }
  if (tag === HTML.hr) blocks.emit("---");
  else if (isHeading(tag)) walk.headingLevel = tag - HTML.h1 + 1;
  else if (tag === HTML.ul || tag === HTML.ol) beginList(walk, node, tag);
  else if (tag === HTML.li) beginItem(walk);
  else if (tag === HTML.blockquote) blocks.enter({ indent: walk.mode === "text" ? "  " : "> " });
  else if (tag === HTML.dd) {
    blocks.enter({ indent: "  ", listId: at(measures.page.parents, node) });
    blocks.mark("");
  } else if (tag === HTML.dt) {
    blocks.enter({ indent: "", listId: at(measures.page.parents, node) });
  } else if (tag === HTML.table && isDataTable(measures, node)) {
    walk.table = { node, cells: createTable(), cell: -1 };
    inline.take();
  }
  return "open";
}

function enterInTable(walk: Walk, node: number, tag: number): Entered {
  const { table, inline, measures } = walk;
  if (table === undefined) return "open";
  if (table.cell === -1 && tag === HTML.tr) table.cells.beginRow();
  else if (table.cell === -1 && (tag === HTML.td || tag === HTML.th)) {
    flush(walk);
    table.cell = node;
  } else if (tag === HTML.pre && table.cell !== -1) {
    inline.addText(` \`${lineText(measures, node)}\` `);
    return "skip";
  } else inline.addSpace();
  return "open";
}

function leave(walk: Walk, node: number): void {
  const { measures, inline, blocks, table } = walk;
  const tag = at(measures.page.tags, node);
  if (!isBlock(tag)) {
    const isMarked = tag === HTML.a ? walk.links.pop() === true : MARKS.has(tag);
    if (isMarked && walk.mode === "markdown") inline.closeMark();
    return;
  }
  if (table !== undefined) {
    leaveInTable(walk, node, tag);
    return;
  }
  flush(walk);
  if (isHeading(tag)) walk.headingLevel = 0;
  else if (tag === HTML.li) blocks.leave();
  else if (tag === HTML.ul || tag === HTML.ol) walk.lists.pop();
  else if (tag === HTML.blockquote || tag === HTML.dd || tag === HTML.dt) blocks.leave();
}

function leaveInTable(walk: Walk, node: number, tag: number): void {
  const { table, inline, blocks, measures } = walk;
  if (table === undefined) return;
  if (node === table.node) {
    walk.table = undefined;
    blocks.emit(table.cells.write(walk.mode));
  } else if (node === table.cell) {
    const { colspan, rowspan } = attributesOf(measures.page, node);
    table.cells.addCell(inline.take(), { columns: toSpan(colspan), rows: toSpan(rowspan) });
    table.cell = -1;
  } else if (table.cell !== -1) inline.addSpace();
  else if (tag === HTML.caption) flush(walk);
}

function toSpan(text: string | undefined): number {
  const span = Number.parseInt(text ?? "1", 10);
  return Number.isFinite(span) ? Math.min(Math.max(span, 1), 100) : 1;
}

function beginList(walk: Walk, node: number, tag: number): void {
  const start = Number.parseInt(attributesOf(walk.measures.page, node).start ?? "1", 10);
  walk.lists.push({ node, isOrdered: tag === HTML.ol, next: Number.isFinite(start) ? start : 1 });
}

function beginItem({ lists, blocks }: Walk): void {
  const list = lists.at(-1);
  const marker = list?.isOrdered ? `${list.next++}. ` : "- ";
  blocks.mark(marker);
  blocks.enter({ indent: " ".repeat(marker.length), listId: lists[0]?.node ?? 0 });
}

function flush(walk: Walk): void {
  const { inline, blocks, mode, headingLevel, table } = walk;
  if (table !== undefined && table.cell !== -1) {
    inline.addSpace();
    return;
  }
  const text = inline.take();
  if (text === "") return;
  if (headingLevel > 0) writeHeading(walk, text);
  else blocks.emit(mode === "text" ? text : escapeLines(text));
}

function writeHeading(walk: Walk, text: string): void {
  const { blocks, mode, headingLevel, measures } = walk;
  const line = toOneLine(text);
  const plain = line.replace(/^\[(.*)\]\([^()]*\)$/, "$1");
  if (
    blocks.chars() < TITLE_WITHIN_CHARS &&
    walk.heading === undefined &&
    isTitle(plain, measures.page.title)
  ) {
    walk.heading = plain;
    return;
  }
  blocks.emit(mode === "text" ? line : `${"#".repeat(headingLevel)} ${line}`);
}

function openLink({ measures, inline, links, mode, resolve }: Walk, node: number): Entered {
  const { href } = attributesOf(measures.page, node);
  if (href?.startsWith("#") && !hasText(measures, node)) return "skip";
  const address = mode === "text" || href === undefined ? undefined : resolve(href);
  if (address !== undefined) inline.openMark({ open: "[", close: `](${address})` });
  links.push(address !== undefined);
  return "open";
}

function addCode(walk: Walk, node: number): Entered {
  const code = lineText(walk.measures, node);
  if (code === "") return "skip";
  walk.inline.addText(code.includes("`") ? `\`\` ${code} \`\`` : `\`${code}\``);
  return "skip";
}

function addFormula({ measures, inline }: Walk, node: number, tag: number): Entered {
  const text = tag === HTML.math ? mathText(measures, node) : powerText(measures, node);
  if (text === undefined) return "open";
  inline.addText(text);
  return "skip";
}

function addImage({ measures, inline, mode, resolve }: Walk, node: number): void {
  const { alt, src, dataSource } = attributesOf(measures.page, node);
  const text = alt
    ?.replace(/[\s[\]]+/g, " ")
    .trim()
    .slice(0, MAX_ALT_CHARS);
  const address = resolve(src ?? "") ?? resolve(dataSource ?? "");
  if (text === undefined || text === "" || address === undefined || mode === "text") return;
  inline.addText(`![${text}](${address})`);
}
