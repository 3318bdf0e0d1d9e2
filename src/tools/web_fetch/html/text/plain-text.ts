// The text of nodes as it is shown: lines, code, formulas, and the addresses of links.

import { dropUnseen } from "../../charset.js";
import { attributesOf, HAS_UNSEEN, IS_CLEAN, type Measures, textOf } from "../tree/measure.js";
import { at, HTML, isBlock, TEXT } from "../tree/tags.js";
import { isLineNumbers } from "../tree/words.js";

const SPACES = /[\s\p{Cc}]+/gu;

export function shownText({ page, textFlags }: Measures, node: number): string {
  const text = textOf(page, node);
  const flags = at(textFlags, node);
  if (flags === IS_CLEAN) return text;
  const seen = (flags & HAS_UNSEEN) === 0 ? text : dropUnseen(text).text;
  return (flags & IS_CLEAN) === 0 ? seen.replace(SPACES, " ") : seen;
}

export function lineText(measures: Measures, element: number): string {
  return gather(measures, element).join("").replace(SPACES, " ").trim();
}

export function isGutter(measures: Measures, element: number): boolean {
  const { page } = measures;
  if (!isLineNumbers(attributesOf(page, element).className)) return false;
  for (let node = element + 1; node < at(page.ends, element); node++) {
    if (at(page.tags, node) === TEXT && !/^[\d\s]*$/.test(textOf(page, node))) return false;
  }
  return true;
}

function rawText(measures: Measures, element: number): string {
  return dropUnseen(gather(measures, element).join("")).text.replace(/\r\n?/g, "\n");
}

function gather(measures: Measures, element: number): string[] {
  const { page, dropped } = measures;
  const pieces: string[] = [];
  const breakLine = () => {
    if (pieces.length > 0 && pieces.at(-1)?.endsWith("\n") === false) pieces.push("\n");
  };
  let blockEnd = -1;
  for (let node = element + 1; node < at(page.ends, element); node++) {
    if (node >= blockEnd && blockEnd !== -1) {
      breakLine();
      blockEnd = -1;
    }
    const tag = at(page.tags, node);
    const power = tag === HTML.sup ? powerText(measures, node) : undefined;
    if (tag === TEXT) pieces.push(textOf(page, node));
    else if (power !== undefined) {
      pieces.push(power);
      node = at(page.ends, node) - 1;
    } else if (tag === HTML.br) pieces.push("\n");
    else if (
      at(dropped, node) === 1 ||
      isLineNumbers(page.attributes[at(page.refs, node)]?.className)
    ) {
      node = at(page.ends, node) - 1;
    } else if (isBlock(tag)) {
      breakLine();
      blockEnd = at(page.ends, node);
    }
  }
  return pieces;
}

const MAX_POWER_NODES = 8;
const MAX_FORMULA_CHARS = 2_000;
/** Words above the line: endings of numbers, signs of trade; and places of notes. */
const NO_POWER = /^(?:\p{L}{2,}|[eoaº°ª™®©†‡*§¶]|\W*)$|[[\]]/u;
const SIMPLE = /^[-+\u2212]?[\p{L}\d.,]+[-+\u2212]?$/u;
/** Words in a row, as no formula has them. */
const PROSE = /(?:(?<![\\{\p{L}])\p{L}{2,30}[\s,.;:!]+){4}/u;

export function powerText({ page }: Measures, sup: number): string | undefined {
  const end = at(page.ends, sup);
  const isBehind = at(page.tags, sup - 1) === TEXT && /\S$/.test(textOf(page, sup - 1));
  if (!isBehind || end - sup > MAX_POWER_NODES) return undefined;
  let text = "";
  for (let node = sup + 1; node < end; node++) {
    const tag = at(page.tags, node);
    if (tag === HTML.a) return undefined;
    if (tag === TEXT) text += textOf(page, node);
  }
  const power = dropUnseen(text).text.replace(/\s+/g, " ").trim();
  if (power === "" || NO_POWER.test(power)) return undefined;
  return SIMPLE.test(power) ? `^${power}` : `^(${power})`;
}

export function mathText(measures: Measures, math: number): string {
  const { page } = measures;
  const written = attributesOf(page, math).mathText ?? findSource(measures, math);
  // No reader sees it, so it is taken for what it should be and for no sentence.
  const given = written === undefined || PROSE.test(written) ? undefined : written;
  return (given ?? spell(measures, math)).replace(/\s+/g, " ").trim().slice(0, MAX_FORMULA_CHARS);
}

function findSource({ page }: Measures, math: number): string | undefined {
  for (let node = math + 1; node < at(page.ends, math); node++) {
    const isSource =
      at(page.tags, node) === HTML.annotation &&
      /tex/i.test(attributesOf(page, node).encoding ?? "");
    if (isSource && at(page.tags, node + 1) === TEXT) return textOf(page, node + 1);
  }
  return undefined;
}

const FORMS: ReadonlyMap<number, (parts: readonly string[]) => string> = new Map([
  [HTML.msup, (parts) => parts.join("^")],
  [HTML.msub, (parts) => parts.join("_")],
  [HTML.mfrac, (parts) => `(${parts.join("/")})`],
  [HTML.msqrt, (parts) => `\u221a(${parts.join("")})`],
]);

function spell(measures: Measures, element: number): string {
  const { page, dropped } = measures;
  const parts: string[] = [];
  for (let node = element + 1; node < at(page.ends, element); node = at(page.ends, node)) {
    if (at(dropped, node) === 1) continue;
    const isText = at(page.tags, node) === TEXT;
    const part = isText ? textOf(page, node).trim() : spell(measures, node);
    if (part !== "") parts.push(part);
  }
  const write = FORMS.get(at(page.tags, element));
  return write === undefined ? parts.join("") : write(parts);
}

const NAMED =
  /(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-|sourceCode |brush:\s*|highlight-)([\w+#.-]+)/i;
const NO_LANGUAGE =
  /^(?:none|plain|plaintext|text|default|auto|source|notranslate|highlight|console-output)$/i;
const MAX_LEVELS = 2;
const MAX_FENCE = 40;

export function writeCode(measures: Measures, pre: number): string {
  const code = rawText(measures, pre).replace(/^\n+/, "").trimEnd();
  if (code === "") return "";
  let longest = 2;
  for (const [run] of code.matchAll(/`{3,}/g))
    longest = Math.max(longest, Math.min(run.length, MAX_FENCE));
  const fence = "`".repeat(longest + 1);
  return `${fence}${languageOf(measures, pre)}\n${code}\n${fence}`;
}

export function plainCode(measures: Measures, pre: number): string {
  return rawText(measures, pre).replace(/^\n+/, "").trimEnd();
}

function languageOf({ page }: Measures, pre: number): string {
  const asked = [pre];
  for (let node = pre + 1; node < Math.min(at(page.ends, pre), pre + 6); node++) {
    if (at(page.tags, node) === HTML.code) asked.push(node);
  }
  for (let node = at(page.parents, pre), level = 0; node > 0 && level < MAX_LEVELS; level++) {
    asked.push(node);
    node = at(page.parents, node);
  }
  for (const node of asked) {
    const { className, language } = attributesOf(page, node);
    const found = language ?? NAMED.exec(className ?? "")?.[1];
    if (found !== undefined && /^[\w+#.-]{1,30}$/.test(found) && !NO_LANGUAGE.test(found))
      return found;
  }
  return "";
}

const ABSOLUTE = /^https?:\/\//i;
const REFUSED = /^(?:javascript|data|file|vbscript|blob|about):/i;
const MAX_ADDRESS_CHARS = 2_048;
const AWKWARD = /[()\s<>]/g;

export type Resolve = (href: string) => string | undefined;

export function createResolver(pageUrl: string, baseHref: string | undefined): Resolve {
  const base = parse(baseHref ?? "", pageUrl) ?? parse(pageUrl);
  const origin = base?.origin;
  return (href) => {
    const address = href.trim();
    if (address === "" || address.startsWith("#") || address.length > MAX_ADDRESS_CHARS)
      return undefined;
    if (ABSOLUTE.test(address)) return toSafe(address);
    const isRooted =
      address.startsWith("/") && !address.startsWith("//") && !address.includes("..");
    if (isRooted && origin !== undefined) return toSafe(origin + address);
    const resolved = parse(address, base?.href);
    const isRefused = resolved === undefined || REFUSED.test(resolved.protocol);
    return isRefused ? undefined : toSafe(resolved.href);
  };
}

function parse(address: string, base?: string): URL | undefined {
  return URL.canParse(address, base) ? new URL(address, base) : undefined;
}

function toSafe(address: string): string {
  return address.replace(
    AWKWARD,
    (found) => `%${found.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`,
  );
}

export function hasText({ page, chars }: Measures, element: number): boolean {
  let count = 0;
  for (let node = element + 1; node < at(page.ends, element) && count < 2; node++) {
    count += at(chars, node);
  }
  return count > 1;
}
