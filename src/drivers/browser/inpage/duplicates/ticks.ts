// Numbers that change by themselves: clocks, percentages, prices. A number ticks once it changed twice
// while no act ran. Old texts are kept, so that a row can be read as it was listed.

import { firstChildOf, isText, nextSiblingOf, parentNodeOf, textOf } from "../tree/clobbered.js";

const NUMBER = /\p{Nd}+(?:[.,:]\p{Nd}+)*/gu;
const DIGIT = /\p{Nd}/u;
const MIN_TICKS = 2;
const MIN_APART_MS = 30;
/** How long a page may react to an act. */
const AFTER_ACT_MS = 500;
/** After this, an unreported act counts as over. */
const MAX_ACT_MS = 15_000;
const MAX_TEXTS = 200;

export type Ticks = ReturnType<typeof createTicks>;

interface Ticking {
  count: number;
  lastMs: number;
  readonly texts: { readonly moment: number; readonly text: string }[];
  isCut: boolean;
}

export function withoutNumbers(text: string): string {
  return text.replace(NUMBER, "#");
}

export function maskedText(node: Node): string {
  return withoutNumbers(node.nodeValue ?? "");
}

export function createTicks() {
  /** Key: the text node, or the element whose only child it is. */
  const known = new WeakMap<Node, Ticking>();
  const turns = new WeakMap<Node, { readonly count: number; readonly lastMs: number }>();
  let moment = 0;
  let isAny = false;
  let actUntilMs = Number.NEGATIVE_INFINITY;

  const noteTurn = (node: Node) => {
    const atMs = performance.now();
    const turn = turns.get(node) ?? { count: 0, lastMs: 0 };
    if (atMs < actUntilMs || atMs - turn.lastMs < MIN_APART_MS) return;
    turns.set(node, { count: turn.count + 1, lastMs: atMs });
  };
  const noteChange = (node: Node, { old, now }: { readonly old: string; readonly now: string }) => {
    if (old === now) return;
    noteTurn(node);
    if (!DIGIT.test(old) || withoutNumbers(old) !== withoutNumbers(now)) {
      known.delete(node);
      return;
    }
    const ticking = known.get(node) ?? { count: 0, lastMs: 0, texts: [], isCut: false };
    known.set(node, ticking);
    isAny = true;
    if (ticking.texts.at(-1)?.moment !== moment) ticking.texts.push({ moment, text: old });
    if (ticking.texts.length > MAX_TEXTS) {
      ticking.texts.shift();
      ticking.isCut = true;
    }
    const atMs = performance.now();
    if (atMs < actUntilMs || atMs - ticking.lastMs < MIN_APART_MS) return;
    ticking.count += 1;
    ticking.lastMs = atMs;
  };
  const tickingOf = (node: Node): Ticking | undefined => {
    const own = known.get(node);
    const parent = own ? null : parentNodeOf(node);
    return own ?? (parent && isOnlyChild(node, parent) ? known.get(parent) : undefined);
  };
  return {
    note: (records: readonly MutationRecord[]) => {
      // The first of several changes has the original text.
      const seen = new Set<Node>();
      for (const record of records) {
        const change = readChange(record);
        if (seen.has(record.target)) continue;
        if (change || isOther(record)) seen.add(record.target);
        if (change) noteChange(record.target, change);
        else if (seen.has(record.target)) noteTurn(record.target);
      }
    },
    mark: () => {
      moment += 1;
      return moment;
    },
    isAny: () => isAny,
    isTurning: (node: Node) => (turns.get(node)?.count ?? 0) >= MIN_TICKS,
    /** The text at that moment; undefined: unchanged or unknown. */
    textAt: (then: number) => (node: Node) => {
      const ticking = tickingOf(node);
      if (!ticking || ticking.count < MIN_TICKS) return undefined;
      const at = ticking.texts.findIndex((each) => each.moment >= then);
      return at === 0 && ticking.isCut ? undefined : ticking.texts[at]?.text;
    },
    beginAct: () => {
      actUntilMs = performance.now() + MAX_ACT_MS;
    },
    endAct: () => {
      if (performance.now() < actUntilMs) actUntilMs = performance.now() + AFTER_ACT_MS;
    },
    cancelAct: () => {
      actUntilMs = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Other content may be visible now. */
function isOther({ type, addedNodes, removedNodes }: MutationRecord): boolean {
  const [removed, added] = [removedNodes[0], addedNodes[0]];
  return type === "attributes" || (removed && added && textOf(removed) !== textOf(added)) === true;
}

function readChange(
  record: MutationRecord,
): { readonly old: string; readonly now: string } | undefined {
  const { type, target, oldValue, addedNodes, removedNodes } = record;
  if (type === "characterData") return { old: oldValue ?? "", now: target.nodeValue ?? "" };
  if (type !== "childList" || addedNodes.length !== 1 || removedNodes.length !== 1)
    return undefined;
  const [removed, now] = [removedNodes[0], firstChildOf(target)];
  if (!removed || !now || !isText(removed) || !isText(now) || nextSiblingOf(now)) return undefined;
  return { old: removed.nodeValue ?? "", now: now.nodeValue ?? "" };
}

function isOnlyChild(node: Node, parent: Node): boolean {
  return firstChildOf(parent) === node && nextSiblingOf(node) === null;
}
