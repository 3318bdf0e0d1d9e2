// The engine that Playwright calls: a question in, an element with the answer as its text out; or a ref
// in, its element out.

import { createAnswer } from "./answerers.js";
import { page } from "./tree/clobbered.js";

/** Of what holds more than five texts Playwright does not take all apart for its log. */
const NOTHING: readonly string[] = ["", "", "", "", ""];
const REF = /^([en])([0-9]{1,9})$/;

export interface Engine {
  query(root: Node, text: string): Element | null;
  queryAll(root: Node, text: string): Element[];
}

export function createEngine(): Engine {
  const { answer, refs } = createAnswer();
  const query = (text: string): Element | null => {
    const [, kind, digits] = REF.exec(text) ?? [];
    if (digits) {
      const found = refs.lookUp(Number(digits));
      return (kind === "e" && found.why ? undefined : found.element) ?? null;
    }
    const holder = page.create("pre");
    holder.append(answer(decodeURIComponent(text)), ...NOTHING);
    return holder;
  };
  return {
    query: (_root, text) => query(text),
    queryAll: (_root, text) => {
      const found = query(text);
      return found ? [found] : [];
    },
  };
}
