// How good an extraction of a page is compared with its gold: words, phrases, structure. And the peer
// it is compared with, turndown over the whole page.

import { readdirSync, readFileSync } from "node:fs";
import TurndownService from "turndown";

const FOLDER = new URL("../../test/data/pages/", import.meta.url);
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu;
const FEW_WORDS = 5;

/** `{ name, source, gold }` of every page. */
export function readPages() {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(".html"))
    .map((file) => ({
      name: file.replace(".html", ""),
      source: readFileSync(new URL(file, FOLDER), "utf8"),
      gold: JSON.parse(readFileSync(new URL(file.replace(".html", ".gold.json"), FOLDER), "utf8")),
    }));
}

/** Markdown by the peer, in the form that suits it best. */
export function extractByPeer({ source }) {
  const turndown = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
  });
  turndown.remove(["head", "script", "style", "noscript", "nav", "footer", "form"]);
  return turndown.turndown(source);
}

/** Precision and recall of words, share of phrases that are right, share of structure kept: 0 to 1. */
export function scoreText(markdown, { text, must, mustNot, structure }) {
  const plain = toPlain(markdown);
  const words = scoreWords(plain, text.join("\n"));
  const flat = toFlat(plain);
  const right =
    must.filter((phrase) => flat.includes(toFlat(phrase))).length +
    mustNot.filter((phrase) => !flat.includes(toFlat(phrase))).length;
  const asked = must.length + mustNot.length;
  const phrases = asked === 0 ? 1 : right / asked;
  const shape = scoreStructure(markdown, structure);
  return { ...words, phrases, shape, total: (words.f1 + phrases + shape) / 3 };
}

function scoreWords(found, wanted) {
  const [ours, gold] = [found, wanted].map((text) => text.toLowerCase().match(WORD) ?? []);
  if (gold.length === 0) {
    const value = ours.length <= FEW_WORDS ? 1 : 0;
    return { precision: value, recall: value, f1: value };
  }
  const left = new Map();
  for (const word of gold) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of ours) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    shared++;
  }
  const precision = ours.length === 0 ? 0 : shared / ours.length;
  const recall = shared / gold.length;
  return {
    precision,
    recall,
    f1: shared === 0 ? 0 : (2 * precision * recall) / (precision + recall),
  };
}

function scoreStructure(markdown, structure) {
  const found = countStructure(markdown);
  const kinds = Object.entries(structure).filter(([, count]) => count > 0);
  if (kinds.length === 0) return 1;
  const shares = kinds.map(([kind, count]) => {
    const ours = found[kind];
    return Math.min(ours, count) / Math.max(ours, count);
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

function countStructure(markdown) {
  const counts = { headings: 0, codeBlocks: 0, tableRows: 0, listItems: 0, quotes: 0, links: 0 };
  let fence;
  let wasQuote = false;
  for (const line of markdown.split("\n")) {
    const mark = /^\s*(`{3,})/.exec(line)?.[1];
    if (mark && (fence === undefined || mark === fence)) {
      if (fence === undefined) counts.codeBlocks++;
      fence = fence === undefined ? mark : undefined;
      continue;
    }
    if (fence !== undefined) continue;
    if (/^#{1,6} /.test(line)) counts.headings++;
    else if (/^\s*(?:[-*+]|\d+\.) /.test(line)) counts.listItems++;
    else if (/^\|/.test(line) && !/^\|(?:\s*:?-+:?\s*\|)+$/.test(line)) counts.tableRows++;
    const isQuote = line.startsWith(">");
    if (isQuote && !wasQuote) counts.quotes++;
    wasQuote = isQuote;
    counts.links += (line.match(/(?<!!)\[[^\]]+\]\([^)]+\)/g) ?? []).length;
  }
  return counts;
}

/** Without marks: addresses of links, pictures, fences with their language, escapes. */
function toPlain(markdown) {
  return markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/^\s*`{3,}[\w+#.-]*$/gm, "")
    .replace(/\\([\\`*_{}[\]()#+.!|>~-])/g, "$1");
}

function toFlat(text) {
  return text
    .replace(/[`*_[\]\\]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
