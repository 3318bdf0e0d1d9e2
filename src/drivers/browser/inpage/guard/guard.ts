// Stops trusted events that would reach another element than the one the ref named. Page listeners
// that were registered earlier are covered by guardScript, which asks through an event.

import type { Reaction, Reactions } from "../duplicates/reactions.js";
import type { Point } from "../hit.js";
import type { Look } from "../look.js";
import type { Listening } from "../page-state.js";
import type { Asks } from "../protocol.js";
import { askScript, type Quiet } from "../quiet.js";
import type { RefBook } from "../refs/ref-book.js";
import { hasOthersName, isRenamed } from "../refs/renamed.js";
import { leadOf } from "../refs/typed-field.js";
import { isInput, isShadowRoot, rootOf } from "../tree/clobbered.js";
import {
  type ArmOperation,
  type DisarmAnswer,
  IS_KNOWN,
  KEY_EVENTS,
  NOT_ARMED,
  POINTER_EVENTS,
  WAS_STOPPED,
} from "./guarded-events.js";
import { type GuardedRefs, type Judged, judge, judgeHover, judgeLast } from "./judge.js";

const GUARDED = [...POINTER_EVENTS, ...KEY_EVENTS] as const;
const LASTLY: readonly string[] = ["keydown", "beforeinput", "paste", "click"];
/** An armed guard expires, so that people can go on. */
const ARMED_MS = 15_000;
const MAX_NOTED_EVENTS = 40;
/** Chromium or the page may drop input this early. */
const YOUNG_MS = 3_000;
const OWN_TARGETS = ["", "_self", "_parent", "_top"];
const STOPPED_UNKNOWN: DisarmAnswer = { ...NOT_ARMED, stopped: 1, why: "detached" };
const SENDING: readonly string[] = ["submit", "image", "reset", "file"];

interface Watch extends Judged {
  readonly reaction: Reaction;
  readonly until: number;
  readonly events: string[];
  reached: number;
  stopped: number;
  why: DisarmAnswer["why"];
  opensTab: boolean;
  readonly lead: string | undefined;
}

interface GuardOptions {
  readonly book: RefBook;
  readonly quiet: Quiet;
  readonly reactions: Reactions;
  readonly listening: Listening;
  readonly look: () => Look;
}

export function createGuard(options: GuardOptions) {
  const { book, quiet, reactions, listening, look } = options;
  let watch: Watch | undefined;
  let last: Watch | undefined;
  let judgedAt = 0;
  let wasExchanged = false;
  let isTyped = false;
  const refs: GuardedRefs = {
    lookUp: (ref) => (isTyped ? book.lookUpField : book.lookUp)(ref),
    lookUpPlace: (ref) => {
      watch?.reaction.adopt();
      return book.lookUpPlace(ref);
    },
    isNamed: (ref) => book.isNamed(ref, watch?.lead),
    isExchanged: () => {
      const stamp = quiet.stamp();
      if (stamp !== judgedAt) wasExchanged = watch?.reaction.adopt() === true;
      judgedAt = stamp;
      return wasExchanged;
    },
    hasOthersName: (ref) => hasOthersName(options, book.recordOf(ref)),
    isRenamed: (of) =>
      isRenamed(options, typeof of === "number" ? book.recordOf(of) : book.recordFor(of)),
  };
  let askedBy: string | undefined;
  let judged: string | undefined;

  const isStopped = (type: string, event: Event): boolean => {
    if (!watch || performance.now() > watch.until) return false;
    const path = event.composedPath();
    const why = judge(watch, { type, target: path[0], point: pointOf(event) }, refs);
    if (why === undefined) return false;
    note(watch, type, why);
    if (type === "click") watch.opensTab = why === null && path.some(isOtherTabLink);
    return why !== null;
  };
  const lastHearing = createLastHearing((event) => {
    if (!watch || !event.isTrusted || event.defaultPrevented) return;
    if (event.type === "click" && !hasOwnDeed(event.composedPath())) return;
    const why = judgeLast(watch, event, refs);
    if (why === null) return;
    note(watch, event.type, why);
    watch.opensTab = false;
    event.preventDefault();
  });
  const onEvent = (event: Event) => {
    if (!watch || !event.isTrusted) return;
    const isKnown = judged === event.type;
    judged = undefined;
    if (isKnown || !isStopped(event.type, event)) {
      if (LASTLY.includes(event.type)) lastHearing.expect(event);
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const onAsked = (event: Event) => {
    const detail = event instanceof UIEvent ? event.detail : undefined;
    if (detail === IS_KNOWN) event.preventDefault();
    const type = GUARDED[detail ?? -1];
    if (!watch || !type) return;
    if (isStopped(type, event)) event.preventDefault();
    else judged = type;
    event.stopImmediatePropagation();
  };
  for (const type of GUARDED) listening.on(type, onEvent);

  const listenTo = (guardName: string | undefined) => {
    if (!guardName || guardName === askedBy) return;
    askedBy = guardName;
    listening.on(guardName, onAsked);
  };
  return {
    adopt: () => (watch ?? last)?.reaction.adopt(),
    forget: () => {
      last = undefined;
    },
    greet: ({ guardName }: Asks<"greet">) => {
      listenTo(guardName);
      watch = undefined;
      return { isKnown: true };
    },
    arm: (asks: ArmOperation) => {
      listenTo(asks.guardName);
      isTyped = asks.input === "keyboard";
      watch = toWatch(asks, { refs, reactions, look, isTyped });
      judgedAt = quiet.stamp();
      wasExchanged = false;
      // Changes in a shadow root are not visible from outside.
      for (const element of [watch.element, watch.end]) observeRoots(quiet, element);
      judged = undefined;
      return { isArmed: asks.ref === 0 || watch.element !== undefined };
    },
    disarm: ({ guardName }: Asks<"disarm">) => {
      const ended = watch;
      if (ended?.asks.input === "hover") ended.why = judgeHover(ended, refs);
      last = ended;
      watch = undefined;
      lastHearing.end();
      if (!ended) return askScript(guardName, WAS_STOPPED) ? STOPPED_UNKNOWN : NOT_ARMED;
      if (ended.reached > 0) ended.reaction.end();
      const { reached, stopped, events, why, opensTab } = ended;
      const isYoung =
        guardName !== undefined && performance.now() < YOUNG_MS && !listening.wereLost();
      return { reached, stopped, events, why, wasArmed: true, opensTab, isYoung };
    },
  };
}

function observeRoots(quiet: Quiet, element: Element | undefined): void {
  let root = element && rootOf(element);
  for (; isShadowRoot(root); root = rootOf(root.host)) quiet.observe(root);
}

function pointOf(event: Event): Point {
  return event instanceof MouseEvent ? { x: event.clientX, y: event.clientY } : { x: 0, y: 0 };
}

interface WatchOptions extends Pick<GuardOptions, "reactions" | "look"> {
  readonly refs: GuardedRefs;
  readonly isTyped: boolean;
}

function toWatch(asks: ArmOperation, { refs, reactions, look, isTyped }: WatchOptions): Watch {
  const find = (ref: number | undefined) => {
    const found = ref ? refs.lookUp(ref) : undefined;
    return found?.why === undefined ? found?.element : undefined;
  };
  const [element, end] = [find(asks.ref), find(asks.endRef)];
  return {
    asks,
    element,
    end,
    reaction: reactions.begin({ element, end, isTyped }),
    until: performance.now() + (asks.forMs ?? ARMED_MS),
    pressedAt: undefined,
    isPressed: false,
    control: undefined,
    pressedControl: undefined,
    lead: isTyped && element ? leadOf(look(), element) : undefined,
    events: [],
    reached: 0,
    stopped: 0,
    why: null,
    opensTab: false,
  };
}

function isOtherTabLink(target: EventTarget): boolean {
  if (!(target instanceof HTMLAnchorElement)) return false;
  return target.href !== "" && !OWN_TARGETS.includes(target.target.toLowerCase());
}

function note(watch: Watch, type: string, why: DisarmAnswer["why"]): void {
  if (why === null) watch.reached += 1;
  else {
    if (why !== "late") watch.stopped += 1;
    watch.why ??= why;
  }
  if (watch.events.length < MAX_NOTED_EVENTS) watch.events.push(why === null ? type : `!${type}`);
}

const { addEventListener } = EventTarget.prototype;

function createLastHearing(hear: (event: Event) => void) {
  let ending = new AbortController();
  return {
    expect: (event: Event) => {
      const { signal } = ending;
      for (const target of event.composedPath())
        addEventListener.call(target, event.type, hear, { signal });
    },
    end: () => {
      ending.abort();
      ending = new AbortController();
    },
  };
}

function hasOwnDeed(path: readonly EventTarget[]): boolean {
  return path.some(
    (target) =>
      (target instanceof HTMLAnchorElement && target.href !== "") ||
      (target instanceof HTMLButtonElement && target.form !== null && target.type !== "button") ||
      (isInput(target) && SENDING.includes(target.type)) ||
      (target instanceof HTMLLabelElement && target.control !== null),
  );
}
