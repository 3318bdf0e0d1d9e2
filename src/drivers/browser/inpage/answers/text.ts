// The text of a page as people read it: one line per block, tabs between cells.

import { words } from "../collect.js";
import type { Look } from "../look.js";
import type { PageState } from "../page-state.js";
import type { Answers, Asks } from "../protocol.js";
import { fieldValue } from "../row/states.js";
import { isAnElement, isDrawn, isText, page, tagOf } from "../tree/clobbered.js";
import { type Cursor, nextNode, openCursor } from "../tree/cursor.js";
import { queryDeep } from "../tree/find.js";

const MAX_TOTAL_CHARS = 20_000_000;
const SKIPPED = words("script style noscript template head title svg canvas iframe select");
const PARAGRAPHS = words("p h1 h2 h3 h4 h5 h6 ul ol table blockquote pre");
const CELLS = words("td th");
const KEEPS_LINES = /^(?:pre|break-spaces)/u;
const MAIN_PARTS = ["main", "[role=main]", "article", "body"] as const;
const BLANKS = /[ \t\n\r\f]+/gu;

interface Level {
  readonly cursor: Cursor;
  readonly isInvisible: boolean;
  readonly keepsLines: boolean;
  readonly end: "" | "\n" | "\n\n" | "\t";
}

export function text({ look }: PageState, asks: Asks<"text">): Answers<"text"> {
  const root = asks.selector === undefined ? findMain() : queryDeep(document, asks.selector);
  if (!root) return { text: "", totalChars: 0, isMissing: true };
  const lines = createLines(asks.maxChars);
  readText(look(), root, lines);
  return { ...lines.done(), isMissing: false };
}

function findMain(): Element | undefined {
  for (const selector of MAIN_PARTS) {
    const found = page.findAll(selector);
    const [first] = found;
    if (first && found.length === 1 && isDrawn(first)) return first;
  }
  return page.body() ?? page.root() ?? undefined;
}

function readText(look: Look, root: Element, lines: Lines): void {
  const levels: Level[] = [openLevel(look, root)];
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const node = lines.isFull() ? null : nextNode(level.cursor);
    if (!node) {
      lines.end(level.end);
      levels.pop();
    } else if (isText(node)) {
      if (!level.isInvisible) lines.add(node.nodeValue ?? "", level.keepsLines ? "kept" : "joined");
    } else if (isAnElement(node)) {
      const inner = enter(look, node, lines);
      if (inner) levels.push(inner);
    }
  }
}

function enter(look: Look, element: Element, lines: Lines): Level | undefined {
  const tag = tagOf(element);
  if (tag === "br") lines.end("\n");
  if (tag === "br" || SKIPPED.has(tag)) return undefined;
  if (look.styles.sightOf(element) === "none") return undefined;
  if (tag === "textarea" || tag === "input") {
    lines.add(fieldValue(element) ?? "", "kept");
    return undefined;
  }
  const level = openLevel(look, element);
  if (level.end !== "\t") lines.end(level.end);
  return level;
}

function openLevel(look: Look, element: Element): Level {
  const tag = tagOf(element);
  const isInline = look.styles.lineOf(element) !== "block";
  return {
    cursor: openCursor(element),
    isInvisible: look.styles.sightOf(element) === "invisible",
    keepsLines:
      (tag === "pre" || !isInline) && KEEPS_LINES.test(getComputedStyle(element).whiteSpace),
    end: isInline ? "" : endOf(tag),
  };
}

function endOf(tag: string): Level["end"] {
  if (CELLS.has(tag)) return "\t";
  return PARAGRAPHS.has(tag) ? "\n\n" : "\n";
}

type Lines = ReturnType<typeof createLines>;

function createLines(maxChars: number) {
  const pieces: string[] = [];
  let kept = 0;
  let total = 0;
  let waiting = "";
  const push = (piece: string) => {
    total += piece.length;
    if (kept >= maxChars) return;
    const part = piece.slice(0, maxChars - kept);
    pieces.push(part);
    kept += part.length;
  };
  const pushWaiting = () => {
    if (waiting && total > 0) push(waiting);
    waiting = "";
  };
  return {
    add: (piece: string, how: "kept" | "joined") => {
      const shown = how === "kept" ? piece : piece.replace(BLANKS, " ");
      const trimmed = how === "kept" ? shown : shown.trim();
      if (shown.startsWith(" ") && waiting === "") waiting = " ";
      if (trimmed === "") return;
      pushWaiting();
      push(trimmed);
      if (how === "joined" && shown.endsWith(" ")) waiting = " ";
    },
    end: (mark: Level["end"]) => {
      if (mark.length > waiting.length || (mark !== "" && waiting === " ")) waiting = mark;
      else if (mark === "\n" && waiting === "\t") waiting = mark;
    },
    isFull: () => total >= MAX_TOTAL_CHARS,
    done: () => ({ text: pieces.join(""), totalChars: total }),
  };
}
