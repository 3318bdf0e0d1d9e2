// What is read of the computed style of an element, once for each question to the page.

/** Bits. */
export const NOT_SHOWN = 1;
export const INVISIBLE = 2;
export const POINTER = 4;
export const INLINE = 8;
/** In a line with others, as a box of its own. */
export const BOX_IN_LINE = 32;
/** Its content is skipped, by `content-visibility`. */
export const CONTENT_SKIPPED = 16;

/** Of `content`: one string in quotes after another, with counters and images between them. */
const QUOTED = /"((?:[^"\\]|\\.)*)"/gu;
/** Letters of icon fonts; they say nothing. */
const PRIVATE_USE = /[\uE000-\uF8FF\u{F0000}-\u{10FFFD}]/gu;

export interface Styles {
  bitsOf(element: Element): number;
  /** Text that a style sheet puts before or after the content. */
  generatedText(element: Element, place: "::before" | "::after"): string;
}

export function createStyles(): Styles {
  const known = new Map<Element, number>();
  const roots = new Map<Node, boolean>();
  const generates = (root: Node): boolean => {
    let answer = roots.get(root);
    if (answer === undefined) {
      answer = hasGeneratedText(root);
      roots.set(root, answer);
    }
    return answer;
  };
  return {
    bitsOf: (element) => {
      let bits = known.get(element);
      if (bits === undefined) {
        bits = readBits(element);
        known.set(element, bits);
      }
      return bits;
    },
    generatedText: (element, place) => {
      if (!generates(element.getRootNode())) return "";
      const { content } = getComputedStyle(element, place);
      if (!content.includes('"')) return "";
      const texts = [...content.matchAll(QUOTED)].map(([, text = ""]) =>
        text.replace(/\\(.)/gu, "$1"),
      );
      return texts.join("").replace(PRIVATE_USE, "");
    },
  };
}

function readBits(element: Element): number {
  const style = getComputedStyle(element);
  const { display } = style;
  if (display === "none") return NOT_SHOWN;
  return (
    (style.visibility === "visible" ? 0 : INVISIBLE) |
    (style.cursor === "pointer" ? POINTER : 0) |
    lineBits(display) |
    (style.contentVisibility === "hidden" ? CONTENT_SKIPPED : 0)
  );
}

function lineBits(display: string): number {
  if (display === "inline" || display === "contents") return INLINE;
  return display.startsWith("inline") ? BOX_IN_LINE : 0;
}

/** Asking each element for its generated text is dear, and most pages have none. */
function hasGeneratedText(root: Node): boolean {
  if (!(root instanceof Document || root instanceof ShadowRoot)) return false;
  return [...root.styleSheets, ...root.adoptedStyleSheets].some(sheetGenerates);
}

function sheetGenerates(sheet: CSSStyleSheet): boolean {
  try {
    return rulesGenerate(sheet.cssRules);
  } catch {
    // The sheet of another origin: nobody may read it.
    return true;
  }
}

function rulesGenerate(first: CSSRuleList): boolean {
  const lists = [first];
  for (let list = lists.pop(); list; list = lists.pop()) {
    for (const rule of list) {
      if (rule instanceof CSSStyleRule && isGenerating(rule)) return true;
      if (rule instanceof CSSImportRule && (!rule.styleSheet || sheetGenerates(rule.styleSheet))) {
        return true;
      }
      if ("cssRules" in rule && rule.cssRules instanceof CSSRuleList) lists.push(rule.cssRules);
    }
  }
  return false;
}

function isGenerating({ selectorText, style }: CSSStyleRule): boolean {
  if (!selectorText.includes("before") && !selectorText.includes("after")) return false;
  const { content } = style;
  return content.includes("attr(") || content.includes("var(") || /"[^"]+"/u.test(content);
}
