// A name, a heading or a label that says the same with another count behind it, "Cart (2)" for "Cart (1)",
// with numbers that go on by themselves, or with words that were added to the label of a field.

import { isTypable } from "../check.js";
import type { ItemLook } from "../duplicates/binding.js";
import { hasSameNaming } from "../duplicates/naming.js";
import { withoutNumbers } from "../duplicates/ticks.js";
import type { Look } from "../look.js";
import { BETWEEN } from "../name/around.js";
import { type Context, isSameContext } from "../name/context.js";
import { nameOf } from "../name/name-of.js";
import { leadOf } from "./field-name.js";
import type { Asked } from "./namesakes.js";
import type { Fingerprint, RefRecord } from "./ref-book.js";

const COUNT = /\s*\(\p{Nd}[\p{Nd}.,]*[km]?\+?\)$/iu;
const BRACKETS = /[()]/gu;
/** "Street 2" is another field than "Street". */
const NUMBERED = /^[^\p{L}]*\p{Nd}|^[\p{L}\p{M}]/u;

/** What is asked of what is around an element. */
export interface Counts {
  isHeading(said: Said & { readonly own: Asked["own"] }): boolean;
  areLabels(said: Said): boolean;
}

interface Said {
  readonly before: string;
  readonly now: string;
}

export interface Naming {
  readonly known: RefRecord;
  readonly now: Fingerprint;
}

export function isCalledStill(items: ItemLook, element: Element, naming: Naming): boolean {
  const { known, now } = naming;
  if (known.name === now.name) return true;
  const { role, binding, firstAt: since } = known;
  const isOnlyOne = (name: string, bare: Asked["bare"]) =>
    !items.memory.namesakes.has(items.look, { name, role, own: [element], bare, since });
  const said = { before: known.name, now: now.name };
  // Those of one name are distinguished by their rows.
  if (binding) return hasTicked(items, element, naming);
  if (isCounted(said) && isOnlyOne(now.name, withoutCount)) return true;
  if (hasTicked(items, element, naming)) return isOnlyOne(now.name, withoutNumbers);
  if (!hasMore(items.look, element, said)) return false;
  return isOnlyOne(now.name, whole) && isOnlyOne(known.name, whole);
}

/** It is in the same, in which its own name or a count behind the title may be another. */
export function isStandingStill(
  { known, now: { name } }: Naming,
  at: { readonly before: Context; readonly now: Context; readonly counts: () => Counts },
): boolean {
  const { before, now, counts } = at;
  if (isSameContext(before, now)) return true;
  const { labels = "", heading } = known.surroundings ?? {};
  if (before.mark && now.mark && [heading?.text, ...labels.split(BETWEEN)].includes(before.mark)) {
    return counts().areLabels({ before: before.mark, now: now.mark });
  }
  const renamed = (text: string) => text.replace(known.name, () => name);
  const mark = before.mark === null ? null : renamed(before.mark);
  return isSameContext({ mark, around: before.around.map(renamed) }, now);
}

export function countsAround({ look, memory }: ItemLook, known: RefRecord): Counts {
  const since = known.firstAt;
  const isOnlyOne = (asked: Pick<Asked, "name" | "role" | "own">) =>
    !memory.namesakes.has(look, { ...asked, bare: withoutCount, since });
  return {
    isHeading: ({ before, now, own }) =>
      isCounted({ before, now }) && isOnlyOne({ name: now, role: "heading", own }),
    areLabels: (said) => {
      const [before, now] = [said.before.split(BETWEEN), said.now.split(BETWEEN)];
      return (
        before.length === now.length &&
        now.every((name, at) => {
          const label = { before: before[at] ?? "", now: name };
          return label.before === name || (isCounted(label) && isOnlyOne({ name, own: [] }));
        })
      );
    },
  };
}

/** Nothing but the count that comes last; and that is not a number of an order, say. */
function isCounted({ before, now }: Said): boolean {
  const bare = withoutCount(before);
  if (bare === "" || bare !== withoutCount(now)) return false;
  return hasSameNaming(before.replace(BRACKETS, " "), now.replace(BRACKETS, " "));
}

/** Counts and numbers aside. */
export function isSameCount(before: string, now: string): boolean {
  if (before === now) return true;
  return withoutNumbers(withoutCount(before)) === withoutNumbers(withoutCount(now));
}

function hasTicked(items: ItemLook, element: Element, { known, now }: Naming): boolean {
  if (!items.memory.ticks.isAny() || !hasSameNaming(known.name, now.name)) return false;
  if (withoutNumbers(known.name) !== withoutNumbers(now.name)) return false;
  return nameOf(items.at(known.moment).look, element, known.role).text === known.name;
}

/** Its label begins as it did, and says more in pieces of its own, as pages do with what is wrong. */
function hasMore(look: Look, element: Element, { before, now }: Said): boolean {
  if (before === "" || !now.startsWith(before) || !isTypable(element)) return false;
  const lead = leadOf(look, element);
  return !!lead && before.startsWith(lead) && !NUMBERED.test(now.slice(before.length));
}

function withoutCount(text: string): string {
  return text.replace(COUNT, "");
}

function whole(name: string): string {
  return name;
}
