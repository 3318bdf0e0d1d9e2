// What is read of the computed style of an element, once for each question to the page.

/** Whether an element is seen. What is invisible may hold what is seen; what is not shown holds nothing. */
export type Sight = "shown" | "invisible" | "none";
/** How it stands among texts: in the line, as a box in the line, or on lines of its own. */
export type Line = "inline" | "box" | "block";

/** Of `content`: one string in quotes after another, with counters and images between them. */
const QUOTED = /"((?:[^"\\]|\\.)*)"/gu;
/** Letters of icon fonts; they say nothing. */
const PRIVATE_USE = /[\uE000-\uF8FF\u{F0000}-\u{10FFFD}]/gu;

export interface Styles {
  sightOf(element: Element): Sight;
  lineOf(element: Element): Line;
  /** The pointer is a hand over it. Apart from the bits, because it is dear and seldom asked. */
  isPointer(element: Element): boolean;
  /** Whether style sheets may put text before or after the content. */
  generates(element: Element): boolean;
  generatedText(element: Element, place: "::before" | "::after"): string;
}

export function createStyles(): Styles {
  const sights = new Map<Element, Sight>();
  const roots = new Map<Node, boolean>();
  const generates = (element: Element): boolean => {
    const root = element.getRootNode();
    let answer = roots.get(root);
    if (answer === undefined) {
      answer = hasGeneratedText(root);
      roots.set(root, answer);
    }
    return answer;
  };
  return {
    sightOf: (element) => {
      let sight = sights.get(element);
      if (sight === undefined) {
        sight = readSight(element);
        sights.set(element, sight);
      }
      return sight;
    },
    lineOf: (element) => toLine(getComputedStyle(element).display),
    generates,
    isPointer: (element) => getComputedStyle(element).cursor === "pointer",
    generatedText: (element, place) => {
      if (!generates(element)) return "";
      const { content } = getComputedStyle(element, place);
      if (!content.includes('"')) return "";
      const texts = [...content.matchAll(QUOTED)].map(([, text = ""]) =>
        text.replace(/\\(.)/gu, "$1"),
      );
      return texts.join("").replace(PRIVATE_USE, "");
    },
  };
}

/** Most elements are seen, and asking for that is much cheaper than asking for styles. */
function readSight(element: Element): Sight {
  if (element.checkVisibility({ visibilityProperty: true })) return "shown";
  const { display, visibility } = getComputedStyle(element);
  if (display === "none") return "none";
  if (visibility !== "visible") return "invisible";
  // Without a box of its own. Whoever has one and is not seen stands in what is skipped.
  return display === "contents" ? "shown" : "none";
}

function toLine(display: string): Line {
  if (display === "inline" || display === "contents") return "inline";
  return display.startsWith("inline") ? "box" : "block";
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
