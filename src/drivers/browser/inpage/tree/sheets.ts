// Goes through the rules of the style sheets of a tree, with what they stand in.

import { isTree, tree } from "./clobbered.js";

const STATES = /(?<!\\):+[\w-]+(?:\((?:[^()]|\([^()]*\))*\))?/gu;
const COMBINATORS = /[\s>+~]+/u;
/** What is in them counts once and for all, or as media do. */
const PLAIN_GROUPS = /^CSS(?:Media|Supports|LayerBlock)/u;
/** As part of a selector: what is around it counts by more than marks. */
const UNKNOWN_GROUP = ":group";

export interface SheetRule {
  readonly style: CSSStyleDeclaration;
  /** Its selector; empty: that of the rule around it. */
  readonly own: string;
  /** Selectors of the rules it is in. */
  readonly around: string;
}

export interface RuleVisitor {
  /** May throw, which ends it. */
  visit(rule: SheetRule): void;
  /** Of what says whether rules count. */
  note?(condition: string, mediaText?: string): void;
}

/** false: not all of them can be read, as those of another origin. */
export function eachRule(root: Node, { visit, note }: RuleVisitor): boolean {
  const readSheet = (sheet: CSSStyleSheet) => {
    note?.(`${sheet.disabled}${sheet.cssRules.length}`, sheet.media.mediaText);
    if (!sheet.disabled) readRules(sheet.cssRules, "");
  };
  const readRules = (list: CSSRuleList, around: string) => {
    for (const rule of list) readRule(rule, around);
  };
  const readRule = (rule: CSSRule, around: string) => {
    if (rule instanceof CSSKeyframesRule) return;
    if (rule instanceof CSSImportRule) {
      // One that is loading has no rules yet, and they come without a record.
      note?.(`${rule.styleSheet !== null}`);
      if (rule.styleSheet) readSheet(rule.styleSheet);
      return;
    }
    const own = rule instanceof CSSStyleRule ? rule.selectorText : "";
    if ("style" in rule && rule.style instanceof CSSStyleDeclaration)
      visit({ style: rule.style, own, around });
    if (!("cssRules" in rule && rule.cssRules instanceof CSSRuleList)) return;
    if (rule instanceof CSSMediaRule) note?.("", rule.media.mediaText);
    const isPlain = own || PLAIN_GROUPS.test(rule.constructor.name);
    if (rule.cssRules.length > 0)
      readRules(rule.cssRules, `${around} ${isPlain ? own : UNKNOWN_GROUP}`);
  };
  try {
    for (const sheet of isTree(root) ? tree.sheets(root) : []) readSheet(sheet);
    return true;
  } catch {
    return false;
  }
}

/** A selector of what a rule is about, whatever its state. */
export function subjectOf(selector: string): string {
  const subjects = selector.replace(STATES, "").split(",");
  return subjects
    .map((each) => each.trim().split(COMBINATORS).at(-1)?.replace("&", "*"))
    .map((each) => (each && CSS.supports(`selector(${each})`) ? each : "*"))
    .join();
}
