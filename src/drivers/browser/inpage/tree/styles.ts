// Styles read for one question: visibility, layout, and text added by style sheets.
import { remember } from "../collect.js";
import { isDrawn, isMatch, isTree, rootOf, tree } from "./clobbered.js";

/** The quoted strings of `content`. */
const QUOTED = /"((?:[^"\\]|\\.)*)"/gu;
const PRIVATE_USE = /[\uE000-\uF8FF\u{F0000}-\u{10FFFD}]/gu;
const ATTRIBUTE = /attr\(\s*([\w-]+)/gu;
const TEXT = /"[^"]+"|var\(/u;
const WORDS = /"[^"]*[\p{L}\p{N}][^"]*"|var\(/u;
const PSEUDO_ELEMENT = /before|after/u;
const STATES = /(?<!\\):+[\w-]+(?:\((?:[^()]|\([^()]*\))*\))?/gu;
const COMBINATORS = /[\s>+~]+/u;

/** `invisible` elements may contain visible ones; `none` cannot. */
type Sight = "shown" | "invisible" | "none";

/** In a line, a box in a line, or a line of its own. */
type Line = "inline" | "box" | "block";

export type Styles = ReturnType<typeof createStyles>;

type Place = "::before" | "::after";

export function createStyles() {
  const sights = new Map<Element, Sight>();
  const roots = new Map<Node, Generated>();
  const generatedIn = (element: Element): Generated =>
    remember(roots, rootOf(element), readGenerated);
  const generatedText = (element: Element, place: Place): string => {
    if (!generatedIn(element).isAny) return "";
    const { content } = getComputedStyle(element, place);
    if (!content.includes('"')) return "";
    const texts = [...content.matchAll(QUOTED)].map(([, text = ""]) =>
      text.replace(/\\(.)/gu, "$1"),
    );
    return texts.join("").replace(PRIVATE_USE, "");
  };
  /** Only where style sheets add words; much faster. */
  const wordsAt = (element: Element, place: Place) => {
    const { worded } = generatedIn(element);
    return worded && isMatch(element, worded) ? generatedText(element, place) : "";
  };
  return {
    // Called so often that even `remember` is too slow.
    sightOf: (element: Element) => {
      let sight = sights.get(element);
      if (sight === undefined) {
        sight = readSight(element);
        sights.set(element, sight);
      }
      return sight;
    },
    lineOf: (element: Element) => toLine(getComputedStyle(element).display),
    generates: (element: Element) => generatedIn(element).isAny,
    generatedFrom: (element: Element) => generatedIn(element).attributes,
    isPointer: (element: Element) => getComputedStyle(element).cursor === "pointer",
    generatedText,
    wordsAt,
    generatedWords: (element: Element) =>
      `${wordsAt(element, "::before")} ${wordsAt(element, "::after")}`.trim(),
  };
}

/** Checking visibility is faster than reading styles. */
function readSight(element: Element): Sight {
  if (isDrawn(element, { visibilityProperty: true })) return "shown";
  const { display, visibility } = getComputedStyle(element);
  if (display === "none") return "none";
  if (visibility !== "visible") return "invisible";
  // `contents` has no box; anything else undrawn is inside skipped content.
  return display === "contents" ? "shown" : "none";
}

export function toLine(display: string): Line {
  if (display === "inline" || display === "contents") return "inline";
  return display.startsWith("inline") ? "box" : "block";
}

type Generated = ReturnType<typeof readGenerated>;

function readGenerated(root: Node) {
  const attributes = new Set<string>();
  const worded = new Set<string>();
  let isAny = false;
  const visit = ({ content }: CSSStyleDeclaration, selector: string) => {
    if (!PSEUDO_ELEMENT.test(selector)) return;
    for (const [, name = ""] of content.matchAll(ATTRIBUTE)) attributes.add(name);
    isAny ||= attributes.size > 0 || TEXT.test(content);
    if (WORDS.test(content)) worded.add(subjectOf(selector));
  };
  const isRead = eachRule(root, visit);
  return { isAny: isAny || !isRead, attributes: [...attributes], worded: [...worded].join() };
}

function eachRule(root: Node, visit: (style: CSSStyleDeclaration, selector: string) => void) {
  const readSheet = (sheet: CSSStyleSheet) => {
    if (!sheet.disabled) readRules(sheet.cssRules, "");
  };
  const readRules = (list: CSSRuleList, around: string) => {
    for (const rule of list) {
      if (rule instanceof CSSKeyframesRule) continue;
      if (rule instanceof CSSImportRule) {
        if (rule.styleSheet) readSheet(rule.styleSheet);
        continue;
      }
      const selector = rule instanceof CSSStyleRule ? rule.selectorText : around;
      if ("style" in rule && rule.style instanceof CSSStyleDeclaration) visit(rule.style, selector);
      if ("cssRules" in rule && rule.cssRules instanceof CSSRuleList)
        readRules(rule.cssRules, selector);
    }
  };
  try {
    for (const sheet of isTree(root) ? tree.sheets(root) : []) readSheet(sheet);
    return true;
  } catch {
    return false;
  }
}

function subjectOf(selector: string): string {
  const subjects = selector.replace(STATES, "").split(",");
  return subjects
    .map((each) => each.trim().split(COMBINATORS).at(-1)?.replace("&", "*"))
    .map((each) => (each && CSS.supports(`selector(${each})`) ? each : "*"))
    .join();
}
