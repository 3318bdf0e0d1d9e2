// What style sheets may show or hide while no mark of an element or of what it stands in changes: by the
// pointer, by what stands beside it, by the size of the window. All else leaves a record of its own.

import { remember } from "../remember.js";
import { tree } from "./clobbered.js";

/** Beyond the names of tags, classes, ids and attributes, of the element and of what it stands in. */
const LOOSE = /(?<!\\)[+~]|(?<![:\\]):(?!:|root\b|not\(|is\(|where\(|before\b|after\b)/u;
const STATES = /(?<!\\):+[\w-]+(?:\((?:[^()]|\([^()]*\))*\))?/gu;
const COMBINATORS = /[\s>+~]+/u;
/** Shown by scripts without any rule, or by what is drawn. */
const SHOWN_OTHERWISE = "[popover],svg:has(set,animate) *";
/** As part of a selector: what is around it counts by more than marks. */
const UNKNOWN_GROUP = ":group";

export interface Showing {
  /** Another text as soon as rules that show or hide are others, or hold otherwise. */
  readonly rules: string;
  /** Those that may be shown or hidden; undefined: any. */
  readonly elements: readonly Element[] | undefined;
}

/** Of the document without its shadow roots, when it has no more rules than that. */
export function readShowing(maxRules: number): Showing {
  const loose = new Set([SHOWN_OTHERWISE]);
  const media = new Map<string, string>();
  let rules = "";
  let left = maxRules;
  const noteMedia = ({ mediaText }: MediaList) => {
    if (mediaText) rules += remember(media, mediaText, () => `${matchMedia(mediaText).matches}`);
  };
  const readSheet = (sheet: CSSStyleSheet) => {
    noteMedia(sheet.media);
    rules += `${sheet.disabled}${sheet.cssRules.length}`;
    if (!sheet.disabled) readRules(sheet.cssRules, "");
  };
  const readRules = (list: CSSRuleList, around: string) => {
    left -= list.length;
    if (left < 0) throw new RangeError();
    for (const rule of list) readRule(rule, around);
  };
  const readRule = (rule: CSSRule, around: string) => {
    if (rule instanceof CSSKeyframesRule) return;
    if (rule instanceof CSSImportRule) {
      // One that is loading has no rules yet, and they come without a record.
      rules += rule.styleSheet !== null;
      if (rule.styleSheet) readSheet(rule.styleSheet);
      return;
    }
    const own = rule instanceof CSSStyleRule ? rule.selectorText : "";
    if ("style" in rule && rule.style instanceof CSSStyleDeclaration) {
      const shows = `${rule.style.display}${rule.style.visibility}`;
      const selector = `${around} ${own}`;
      if (shows) rules += `${selector}{${rule.style.cssText}}`;
      if (shows && (LOOSE.test(selector) || shows.includes("("))) loose.add(subjectOf(own));
    }
    if (!("cssRules" in rule && rule.cssRules instanceof CSSRuleList)) return;
    if (rule instanceof CSSMediaRule) noteMedia(rule.media);
    const isPlain = own || /^CSS(?:Media|Supports|LayerBlock)/u.test(rule.constructor.name);
    if (rule.cssRules.length > 0)
      readRules(rule.cssRules, `${around} ${isPlain ? own : UNKNOWN_GROUP}`);
  };
  try {
    for (const sheet of tree.sheets(document)) readSheet(sheet);
    return { rules, elements: [...tree.findAll(document, [...loose].join())] };
  } catch {
    // A sheet of another origin, or a selector that is too much for this.
    return { rules, elements: undefined };
  }
}

/** What a rule is about, whatever its state. */
function subjectOf(selector: string): string {
  const subjects = selector
    .replace(STATES, "")
    .split(",")
    .map((each) => each.trim().split(COMBINATORS).at(-1)?.replace("&", "*") || "*");
  return subjects.join();
}
