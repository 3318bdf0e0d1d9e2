// Stops trusted events that would reach another element than the ref named: the page may change
// between the check and the event, and while a click is under way. Listens in the capture phase of the
// window; what page scripts registered there earlier is met by guardScript, which asks by an event.

import type { LookUp } from "./check.js";
import { KEY_EVENTS, POINTER_EVENTS } from "./guarded-events.js";
import { isFor, isIn } from "./hit.js";
import type { ArmOperation, DisarmAnswer } from "./protocol.js";

const GUARDED = [...POINTER_EVENTS, ...KEY_EVENTS] as const;
const PRESSES: readonly string[] = ["pointerdown", "mousedown"];
/** A guard that nobody takes away ends by itself, so that people can go on. */
const ARMED_MS = 15_000;
const MAX_NOTED_EVENTS = 40;

export interface Guard {
  arm(asks: ArmOperation): { readonly isArmed: boolean };
  disarm(): DisarmAnswer;
}

interface Watch {
  readonly asks: ArmOperation;
  readonly element: Element | undefined;
  readonly end: Element | undefined;
  readonly until: number;
  readonly events: string[];
  reached: number;
  stopped: number;
  why: DisarmAnswer["why"];
}

const NOTHING: DisarmAnswer = { reached: 0, stopped: 0, events: [], why: null, wasArmed: false };

export function createGuard(lookUp: (ref: number) => LookUp): Guard {
  let watch: Watch | undefined;
  let askedBy: string | undefined;
  /** Judged already, when the script at the start of the document asked. */
  let judged: string | undefined;

  const isStopped = (type: string, path: readonly EventTarget[]): boolean => {
    if (!watch || performance.now() > watch.until) return false;
    const why = judge({ watch, type, path, lookUp });
    if (why === undefined) return false;
    note(watch, type, why);
    return why !== null;
  };
  const onEvent = (event: Event) => {
    if (!watch || !event.isTrusted) return;
    const isKnown = judged === event.type;
    judged = undefined;
    if (isKnown || !isStopped(event.type, event.composedPath())) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const onAsked = (event: Event) => {
    const type = event instanceof UIEvent ? GUARDED[event.detail] : undefined;
    if (!watch || !type) return;
    if (isStopped(type, event.composedPath())) event.preventDefault();
    else judged = type;
    event.stopImmediatePropagation();
  };
  for (const type of GUARDED) addEventListener(type, onEvent, { capture: true, passive: false });

  return {
    arm: (asks) => {
      if (asks.guardName && asks.guardName !== askedBy) {
        askedBy = asks.guardName;
        addEventListener(askedBy, onAsked, { capture: true });
      }
      watch = toWatch(asks, lookUp);
      judged = undefined;
      return { isArmed: asks.ref === 0 || watch.element !== undefined };
    },
    disarm: () => {
      const ended = watch;
      watch = undefined;
      if (!ended) return NOTHING;
      const { reached, stopped, events, why } = ended;
      return { reached, stopped, events, why, wasArmed: true };
    },
  };
}

function toWatch(asks: ArmOperation, lookUp: (ref: number) => LookUp): Watch {
  const find = (ref: number | undefined) => {
    const found = ref ? lookUp(ref) : undefined;
    return found?.why === undefined ? found?.element : undefined;
  };
  return {
    asks,
    element: find(asks.ref),
    end: find(asks.endRef),
    until: performance.now() + ARMED_MS,
    events: [],
    reached: 0,
    stopped: 0,
    why: null,
  };
}

/** undefined: not for us to judge. null: it reaches what it is meant for. */
function judge(options: {
  readonly watch: Watch;
  readonly type: string;
  readonly path: readonly EventTarget[];
  readonly lookUp: (ref: number) => LookUp;
}): DisarmAnswer["why"] | undefined {
  const { watch, type, path, lookUp } = options;
  const { asks, element, end } = watch;
  const isKey = (KEY_EVENTS as readonly string[]).includes(type);
  const isDrop = type === "drop";
  if (asks.input === "keyboard" ? !isKey || isDrop : isKey && !isDrop) return undefined;
  const [target] = path;
  if (asks.input === "drag" && !PRESSES.includes(type)) {
    // A release during a drag goes to whoever holds the pointer; where it happens was looked at.
    if (!isDrop || asks.endRef === undefined) return undefined;
    return judgeElement({ ref: asks.endRef, element: end, target, lookUp });
  }
  if (asks.input === "drag" && asks.ref === 0) return "missed";
  // Typing changes what stands around a field; the first key found it unchanged.
  if (asks.input === "keyboard" && watch.reached > 0 && element) {
    return target instanceof Node && isIn(target, element) ? null : "missed";
  }
  return judgeElement({ ref: asks.ref, element, target, lookUp });
}

function judgeElement(options: {
  readonly ref: number;
  readonly element: Element | undefined;
  readonly target: EventTarget | undefined;
  readonly lookUp: (ref: number) => LookUp;
}): DisarmAnswer["why"] {
  const { ref, element, target, lookUp } = options;
  if (ref === 0 || !element) return "missed";
  const now = lookUp(ref);
  if (now.why) return now.why === "changed" ? "changed" : "detached";
  if (now.element !== element) return "changed";
  return target instanceof Node && isFor(target, element) ? null : "missed";
}

function note(watch: Watch, type: string, why: DisarmAnswer["why"]): void {
  if (why === null) watch.reached += 1;
  else {
    watch.stopped += 1;
    watch.why ??= why;
  }
  if (watch.events.length < MAX_NOTED_EVENTS) watch.events.push(why === null ? type : `!${type}`);
}
