// Whether an element is still what its ref named: same role, name and surroundings. Counts such as
// "Cart (2)", ticking numbers and validation texts may change.

import { isTypable } from "../check.js";
import { type ItemLook, isSameBinding, isStillBound } from "../duplicates/binding.js";
import { hasSameNaming } from "../duplicates/same-item.js";
import { withoutNumbers } from "../duplicates/ticks.js";
import type { Look } from "../look.js";
import { BETWEEN, labelsAround } from "../name/around.js";
import { type Context, contextOf, isSameContext, itemText } from "../name/context.js";
import { nameOf } from "../name/name-of.js";
import type { Asked } from "./namesakes.js";
import type { Fingerprint, RefRecord } from "./ref-book.js";
import { isEqual, isSurrounded, type Surroundings } from "./surroundings.js";
import { leadOf } from "./typed-field.js";

/** Names near the cut length. */
const LONG_CHARS = 200;
const COUNT = /\s*\(\p{Nd}[\p{Nd}.,]*[km]?\+?\)$/iu;
const BRACKETS = /[()]/gu;
const NUMBERED = /^[^\p{L}]*\p{Nd}|^[\p{L}\p{M}]/u;

export function isStill(items: ItemLook, element: Element, naming: Naming): boolean {
  const { known, now } = naming;
  if (known.role !== now.role || !isCalledStill(items, element, naming)) return false;
  if (known.whole !== wholeOf(items, element, now.name)) return false;
  const { binding, context, surroundings, moment } = known;
  if (binding && !isSameBinding(binding, now.binding) && !isStillBound(items, element, binding)) {
    return false;
  }
  const { ticks } = items.memory;
  const counts = () => countsAround(items, known);
  const isAround = (look: Look, before: Surroundings) => {
    const item = binding?.item.deref();
    return isSurrounded({ look, element, item, ticks, counts, found: now.heading }, before);
  };
  const isSameIn = (look: Look, read?: Surroundings) =>
    (!context ||
      isStandingStill(naming, { before: context, now: contextOf(look, element), counts })) &&
    (!surroundings || isEqual(surroundings, read) || isAround(look, surroundings));
  if (isSameIn(items.look, now.surroundings)) return true;
  const then = ticks.isAny() ? items.at(moment).look : undefined;
  return (
    then !== undefined &&
    isSameIn(then) &&
    hasSameNumbers(element, surroundings, { then, now: items.look })
  );
}

/** Hash of the full text of a long name, which may be cut; else 0. */
export function wholeOf({ contents }: ItemLook, element: Element, name: string): number {
  return name.length > LONG_CHARS ? contents.of(element).full : 0;
}

export interface Counts {
  isHeading(said: Said & { readonly own: Asked["own"] }): boolean;
  areLabels(said: Said): boolean;
}

interface Said {
  readonly before: string;
  readonly now: string;
}

interface Naming {
  readonly known: RefRecord;
  readonly now: Fingerprint;
}

function isCalledStill(items: ItemLook, element: Element, naming: Naming): boolean {
  const { known, now } = naming;
  if (known.name === now.name) return true;
  const { role, binding, firstAt: since } = known;
  const isOnlyOne = (name: string, bare: Asked["bare"]) =>
    !items.memory.namesakes.has(items.look, { name, role, own: [element], bare, since });
  const said = { before: known.name, now: now.name };
  // Their rows distinguish duplicates.
  if (binding) return hasTicked(items, element, naming);
  if (isCounted(said) && isOnlyOne(now.name, withoutCount)) return true;
  if (hasTicked(items, element, naming)) return isOnlyOne(now.name, withoutNumbers);
  if (!hasMore(items.look, element, said)) return false;
  return isOnlyOne(now.name, whole) && isOnlyOne(known.name, whole);
}

/** Its own name or a trailing count in the context may differ. */
function isStandingStill(
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

function countsAround({ look, memory }: ItemLook, known: RefRecord): Counts {
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

/** Only a trailing count differs, and not a number that names a thing. */
function isCounted({ before, now }: Said): boolean {
  const bare = withoutCount(before);
  if (bare === "" || bare !== withoutCount(now)) return false;
  return hasSameNaming(before.replace(BRACKETS, " "), now.replace(BRACKETS, " "));
}

export function isSameCount(before: string, now: string): boolean {
  if (before === now) return true;
  return withoutNumbers(withoutCount(before)) === withoutNumbers(withoutCount(now));
}

function hasTicked(items: ItemLook, element: Element, { known, now }: Naming): boolean {
  if (!items.memory.ticks.isAny() || !hasSameNaming(known.name, now.name)) return false;
  if (withoutNumbers(known.name) !== withoutNumbers(now.name)) return false;
  return nameOf(items.at(known.moment).look, element, known.role).text === known.name;
}

/** The label has more text after its old one, as validation adds it. */
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

function hasSameNumbers(
  element: Element,
  surroundings: Surroundings | undefined,
  { then, now }: { readonly then: Look; readonly now: Look },
): boolean {
  const heading = surroundings?.heading?.node.deref();
  const said = (look: Look) =>
    [
      contextOf(look, element).mark ?? "",
      labelsAround(look, element),
      heading ? itemText(look, heading) : "",
    ].join("; ");
  return hasSameNaming(said(then), said(now));
}
