// What is read of the computed style of an element, once for each question to the page.

import { remember } from "../remember.js";
import { isDrawn, isMatch, rootOf } from "./clobbered.js";
import { type Generated, readGenerated } from "./generated.js";

/** Whether an element is seen. What is invisible may hold what is seen; what is not shown holds nothing. */
export type Sight = "shown" | "invisible" | "none";
/** How it is among texts: in the line, as a box in the line, or on lines of its own. */
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
  /** Attributes whose values style sheets show as text. */
  generatedFrom(element: Element): readonly string[];
  /** The same of those that have words there, as far as sheets can be read; much cheaper. */
  wordsAt(element: Element, place: "::before" | "::after"): string;
  /** Words that style sheets show before and after its content. */
  generatedWords(element: Element): string;
}

export function createStyles(): Styles {
  const sights = new Map<Element, Sight>();
  const roots = new Map<Node, Generated>();
  const generatedIn = (element: Element): Generated =>
    remember(roots, rootOf(element), readGenerated);
  const generatedText: Styles["generatedText"] = (element, place) => {
    if (!generatedIn(element).isAny) return "";
    const { content } = getComputedStyle(element, place);
    if (!content.includes('"')) return "";
    const texts = [...content.matchAll(QUOTED)].map(([, text = ""]) =>
      text.replace(/\\(.)/gu, "$1"),
    );
    return texts.join("").replace(PRIVATE_USE, "");
  };
  const wordsAt: Styles["wordsAt"] = (element, place) => {
    const { worded } = generatedIn(element);
    return worded && isMatch(element, worded) ? generatedText(element, place) : "";
  };
  return {
    // Asked for so often that even the way through `remember` counts.
    sightOf: (element) => {
      let sight = sights.get(element);
      if (sight === undefined) {
        sight = readSight(element);
        sights.set(element, sight);
      }
      return sight;
    },
    lineOf: (element) => toLine(getComputedStyle(element).display),
    generates: (element) => generatedIn(element).isAny,
    generatedFrom: (element) => generatedIn(element).attributes,
    isPointer: (element) => getComputedStyle(element).cursor === "pointer",
    generatedText,
    wordsAt,
    generatedWords: (element) =>
      `${wordsAt(element, "::before")} ${wordsAt(element, "::after")}`.trim(),
  };
}

/** Most elements are seen, and asking for that is much cheaper than asking for styles. */
function readSight(element: Element): Sight {
  if (isDrawn(element, { visibilityProperty: true })) return "shown";
  const { display, visibility } = getComputedStyle(element);
  if (display === "none") return "none";
  if (visibility !== "visible") return "invisible";
  // Without a box of its own. Anyone who has one and is not seen is in what is skipped.
  return display === "contents" ? "shown" : "none";
}

export function toLine(display: string): Line {
  if (display === "inline" || display === "contents") return "inline";
  return display.startsWith("inline") ? "box" : "block";
}
