// The Playwright selector engine: a question gives an element with the answer as text, a ref its element.

import { boxes, offset } from "./answers/boxes.js";
import { changes, list, near } from "./answers/list.js";
import { text } from "./answers/text.js";
import { check, has, type RefLookUp } from "./check.js";
import { rowNow } from "./duplicates/bind-rows.js";
import { choose, focus, put, readState } from "./fields.js";
import { createGuard } from "./guard/guard.js";
import { createPageState, type PageState } from "./page-state.js";
import type { OperationName, Operations, Purpose } from "./protocol.js";
import { nearest } from "./refs/nearest.js";
import { isRenamed } from "./refs/renamed.js";
import { adjacent } from "./refs/typed-field.js";
import { isAnElement, page } from "./tree/clobbered.js";

/** Playwright does not log elements with more than five texts in full. */
const NOTHING: readonly string[] = ["", "", "", "", ""];
const REF = /^([en])([0-9]{1,9})$/;
const WRONG_SELECTOR = "!";

export function createEngine() {
  const state = createPageState();
  const refs = toRefLookUp(state);
  const answerers = createAnswerers(state, refs);
  const query = (text: string): Element | null => {
    const [, kind, digits] = REF.exec(text) ?? [];
    if (digits) {
      const found = refs.lookUp(Number(digits));
      return (kind === "e" && found.why ? undefined : found.element) ?? null;
    }
    state.listening.restore();
    const holder = page.create("pre");
    holder.append(answer(answerers, decodeURIComponent(text)), ...NOTHING);
    return holder;
  };
  return {
    query: (_root: Node, text: string) => query(text),
    queryAll: (_root: Node, text: string) => {
      const found = query(text);
      return found ? [found] : [];
    },
  };
}

type Answerers = {
  readonly [Name in OperationName]: (asks: Operations[Name]["asks"]) => Operations[Name]["answers"];
};

function answer(answerers: Answerers, question: string): string {
  const asks = JSON.parse(question) as { readonly op: OperationName };
  // Each row takes its own question; the table type cannot say so.
  const answerer = answerers[asks.op] as (asks: unknown) => unknown;
  try {
    return JSON.stringify(answerer(asks));
  } catch (error) {
    if (error instanceof DOMException && error.name === "SyntaxError") {
      return `${WRONG_SELECTOR}${error.message}`;
    }
    throw error;
  }
}

function createAnswerers(state: PageState, refs: RefLookUp): Answerers {
  const { quiet, documentId, book, reactions, listening } = state;
  const guard = createGuard(state);
  const whileTyped = <Value>(ref: number, work: () => Value): Value => {
    const field = book.recordOf(ref)?.node.deref();
    const reaction = field && reactions.begin({ element: field, isTyped: true });
    const value = work();
    reaction?.end();
    return value;
  };
  const lookUpPlace = (ref: number) => {
    guard.adopt();
    return book.lookUpPlace(ref);
  };
  const lookUps: { readonly [Name in Purpose]?: RefLookUp["lookUp"] } = {
    drop: lookUpPlace,
    again: (ref) => {
      const found = lookUpPlace(ref);
      const isOther = !found.why && isRenamed(state, book.recordOf(ref));
      return isOther ? { ...found, why: "changed" } : found;
    },
    aim: (ref) => (book.isNamed(ref) ? lookUpPlace(ref) : refs.lookUp(ref)),
  };
  const onInput = (event: Event) => {
    const [target] = event.composedPath();
    if (event.isTrusted && isAnElement(target)) book.typed.note(target);
  };
  listening.on("input", onInput);
  return {
    list: (asks) => list(state, asks),
    changes: (asks) => changes(state, asks),
    near: (asks) => near(state, asks),
    check: (asks) => {
      book.skipTo(asks.firstRef);
      const answer = check(asks, { ...refs, lookUp: lookUps[asks.purpose] ?? refs.lookUp });
      if (!answer.isGood) book.ticks.cancelAct();
      if (!answer.isGood || !asks.arm) return answer;
      return { ...answer, ...guard.arm({ op: "arm", ref: asks.ref, ...asks.arm }) };
    },
    arm: (asks) => guard.arm(asks),
    disarm: (asks) => guard.disarm(asks),
    greet: (asks) => guard.greet(asks),
    watch: () => {
      reactions.forget();
      guard.forget();
      book.ticks.beginAct();
      quiet.begin();
      return { documentId };
    },
    put: (asks) => whileTyped(asks.ref, () => put(asks, refs.lookUp)),
    focus: (asks) => focus(asks, book.lookUpField),
    choose: (asks) => whileTyped(asks.ref, () => choose(asks, refs.lookUp)),
    has: (asks) => has(asks),
    adjacent: (asks) => adjacent(state, asks),
    state: (asks) => readState(asks, refs.lookUp),
    quiet: (asks) => quiet.read(asks),
    boxes: (asks) => boxes(state, asks),
    offset: (asks) => offset(state, asks),
    renew: () => {
      book.renew();
      return { isRenewed: true };
    },
    text: (asks) => text(state, asks),
  };
}

function toRefLookUp(state: PageState): RefLookUp {
  const { book } = state;
  return {
    lookUp: book.lookUp,
    rowOf: (element) => rowNow(state, state.look(), element),
    near: (ref) => {
      const record = book.recordOf(ref);
      const { role = "", name = "" } = record ?? {};
      const element = record?.node.deref();
      return nearest(state, { ref, role, name, ...(element && { element }) });
    },
    nextRef: book.nextRef,
  };
}
