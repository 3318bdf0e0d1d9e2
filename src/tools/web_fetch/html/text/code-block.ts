// A piece of code with the language its page names, fenced so that no backtick inside ends it.

import { attributesOf, type Measures } from "../tree/measure.js";
import { at } from "../tree/numbers.js";
import { HTML } from "../tree/tags.js";
import { rawText } from "./plain-text.js";

const NAMED =
  /(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-|sourceCode |brush:\s*|highlight-)([\w+#.-]+)/i;
/** Names that say that this is code, and not of which language. */
const NO_LANGUAGE =
  /^(?:none|plain|plaintext|text|default|auto|source|notranslate|highlight|console-output)$/i;
const MAX_LEVELS = 2;
/** A longer row of backticks is not a fence but an attempt to fill the text with them. */
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

/** On the element, on the code in it, or on what is around it. */
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
