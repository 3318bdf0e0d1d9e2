// What style sheets put before and after elements as text. Asking each element for it is dear, and most
// pages have none, so the sheets of a tree are read once.

import { isTree, tree } from "./clobbered.js";

export interface Generated {
  readonly isAny: boolean;
  /** Whose values are shown as text. */
  readonly attributes: readonly string[];
}

const ATTRIBUTE = /attr\(\s*([\w-]+)/gu;
const TEXT = /"[^"]+"|var\(/u;

export function readGenerated(root: Node): Generated {
  const attributes = new Set<string>();
  let isAny = false;
  const sheets = isTree(root) ? [...tree.sheets(root)] : [];
  for (let sheet = sheets.pop(); sheet; sheet = sheets.pop()) {
    const rules = rulesOf(sheet);
    isAny ||= !rules;
    for (const rule of rules ?? []) {
      if (rule instanceof CSSImportRule && rule.styleSheet) sheets.push(rule.styleSheet);
      if (!(rule instanceof CSSStyleRule) || !isBesideContent(rule)) continue;
      const { content } = rule.style;
      for (const [, name = ""] of content.matchAll(ATTRIBUTE)) attributes.add(name);
      isAny ||= attributes.size > 0 || TEXT.test(content);
    }
  }
  return { isAny, attributes: [...attributes] };
}

/** With those in groups of rules. undefined: the sheet is of another origin, and nobody may read it. */
function rulesOf(sheet: CSSStyleSheet): readonly CSSRule[] | undefined {
  try {
    const found: CSSRule[] = [];
    const lists = [sheet.cssRules];
    for (let list = lists.pop(); list; list = lists.pop()) {
      for (const rule of list) {
        found.push(rule);
        if ("cssRules" in rule && rule.cssRules instanceof CSSRuleList) lists.push(rule.cssRules);
      }
    }
    return found;
  } catch {
    return undefined;
  }
}

function isBesideContent({ selectorText }: CSSStyleRule): boolean {
  return selectorText.includes("before") || selectorText.includes("after");
}
