// What style sheets may show or hide while no mark of an element or of what it is in changes: by the
// pointer, by what is next to it, by the size of the window. All else leaves a record of its own.

import { remember } from "../collect.js";
import { isMatch, page } from "./clobbered.js";
import { parentElementOf } from "./cursor.js";
import { eachRule, subjectOf } from "./styles.js";

/** Beyond the names of tags, classes, ids and attributes, of the element and of what it is in. */
const LOOSE = /(?<!\\)[+~]|(?<![:\\]):(?!:|root\b|not\(|is\(|where\(|before\b|after\b)/u;
const SHOWN_OTHERWISE = "[popover]";
const ANIMATING = "set,animate";

export interface Showing {
  /** Another text as soon as rules that show or hide are others, or hold otherwise. */
  readonly rules: string;
  /** Those that may be shown or hidden; undefined: any. */
  readonly elements: readonly Element[] | undefined;
}

/** Of the document without its shadow roots, when it has no more rules than that. */
export function readShowing(maxRules: number): Showing {
  const loose = new Set([SHOWN_OTHERWISE, ANIMATING]);
  const media = new Map<string, string>();
  let rules = "";
  let left = maxRules;
  const isRead = eachRule(document, {
    note: (condition, mediaText = "") => {
      const matches = () => `${matchMedia(mediaText).matches}`;
      rules += `${condition}${mediaText && remember(media, mediaText, matches)}`;
    },
    visit: ({ style, own, around }) => {
      left -= 1;
      if (left < 0) throw new RangeError();
      const shows = `${style.display}${style.visibility}`;
      if (!shows) return;
      const selector = `${around} ${own}`;
      rules += `${selector}{${style.cssText}}`;
      if (LOOSE.test(selector) || shows.includes("(")) loose.add(subjectOf(own));
    },
  });
  const shownBy = (each: Element) => (isMatch(each, ANIMATING) && parentElementOf(each)) || each;
  const elements = () => [...page.findAll([...loose].join())].map(shownBy);
  return { rules, elements: isRead ? elements() : undefined };
}
