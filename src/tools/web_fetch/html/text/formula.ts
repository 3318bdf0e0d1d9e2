// Powers and formulas on one line: what is above the line gets a sign, so that ten to the 23rd
// does not become a thousand and twenty-three.

import { dropUnseen } from "../../unseen.js";
import { attributesOf, type Measures, textOf } from "../tree/measure.js";
import { at } from "../tree/numbers.js";
import { HTML, TEXT } from "../tree/tags.js";

const MAX_POWER_NODES = 8;
const MAX_FORMULA_CHARS = 2_000;
/** Words above the line: endings of numbers, signs of trade; and places of notes. */
const NO_POWER = /^(?:\p{L}{2,}|[eoaº°ª™®©†‡*§¶]|\W*)$|[[\]]/u;
const SIMPLE = /^[-+\u2212]?[\p{L}\d.,]+[-+\u2212]?$/u;

/** Words in a row, as no formula has them. */
const PROSE = /(?:(?<![\\{\p{L}])\p{L}{2,30}[\s,.;:!]+){4}/u;

/** With its sign; undefined when it is not a power, such as the mark of a note. */
export function powerText({ page }: Measures, sup: number): string | undefined {
  const end = at(page.ends, sup);
  const isBehind = at(page.tags, sup - 1) === TEXT && /\S$/.test(textOf(page, sup - 1));
  if (!isBehind || end - sup > MAX_POWER_NODES) return undefined;
  let text = "";
  for (let node = sup + 1; node < end; node++) {
    const tag = at(page.tags, node);
    if (tag === HTML.a) return undefined;
    if (tag === TEXT) text += textOf(page, node);
  }
  const power = dropUnseen(text).text.replace(/\s+/g, " ").trim();
  if (power === "" || NO_POWER.test(power)) return undefined;
  return SIMPLE.test(power) ? `^${power}` : `^(${power})`;
}

/** What the page gives as its text, else its parts with signs for powers, indices and fractions. */
export function mathText(measures: Measures, math: number): string {
  const { page } = measures;
  const written = attributesOf(page, math).mathText ?? findSource(measures, math);
  // No reader sees it, so it is taken for what it should be and for no sentence.
  const given = written === undefined || PROSE.test(written) ? undefined : written;
  return (given ?? spell(measures, math)).replace(/\s+/g, " ").trim().slice(0, MAX_FORMULA_CHARS);
}

function findSource({ page }: Measures, math: number): string | undefined {
  for (let node = math + 1; node < at(page.ends, math); node++) {
    const isSource =
      at(page.tags, node) === HTML.annotation &&
      /tex/i.test(attributesOf(page, node).encoding ?? "");
    if (isSource && at(page.tags, node + 1) === TEXT) return textOf(page, node + 1);
  }
  return undefined;
}

const BETWEEN: ReadonlyMap<number, string> = new Map([
  [HTML.msup, "^"],
  [HTML.msub, "_"],
  [HTML.mfrac, "/"],
]);

/** Signs are put down ahead, at the nodes before which they stand. */
function spell({ page, dropped }: Measures, math: number): string {
  const before = new Map<number, string>();
  const put = (node: number, sign: string) => before.set(node, (before.get(node) ?? "") + sign);
  // What ends here ends before anything else is said.
  const close = (node: number) => before.set(node, `)${before.get(node) ?? ""}`);
  const end = at(page.ends, math);
  let text = "";
  for (let node = math + 1; node < end && text.length < MAX_FORMULA_CHARS; node++) {
    text += before.get(node) ?? "";
    const tag = at(page.tags, node);
    if (tag === TEXT) text += textOf(page, node).trim();
    else if (at(dropped, node) === 1) node = at(page.ends, node) - 1;
    const sign = BETWEEN.get(tag);
    const second = sign === undefined ? undefined : secondChild(page, node);
    if (sign !== undefined && second !== undefined) put(second, sign);
    if (tag !== HTML.mfrac && tag !== HTML.msqrt) continue;
    text += tag === HTML.msqrt ? "\u221a(" : "(";
    close(at(page.ends, node));
  }
  return text + (before.get(end) ?? "");
}

function secondChild(
  { ends, tags, parents }: Measures["page"],
  parent: number,
): number | undefined {
  let count = 0;
  for (let node = parent + 1; node < at(ends, parent); node = at(ends, node)) {
    if (at(tags, node) !== TEXT && at(parents, node) === parent && ++count === 2) return node;
  }
  return undefined;
}
