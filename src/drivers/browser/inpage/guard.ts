// Stops trusted events that would reach another element than the ref named: the page may change
// between the check and the event, and while a click is under way. Listens in the capture phase of the
// window; what page scripts registered there earlier is met by guardScript, which asks by an event.

import type {
  ArmOperation,
  DisarmAnswer,
  DisarmOperation,
  GreetOperation,
} from "./act-protocol.js";
import type { LookUp } from "./check.js";
import { IS_KNOWN, KEY_EVENTS, POINTER_EVENTS, WAS_STOPPED } from "./guarded-events.js";
import { isFor, isIn } from "./hit.js";
import type { Quiet } from "./quiet.js";

const GUARDED = [...POINTER_EVENTS, ...KEY_EVENTS] as const;
const PRESSES: readonly string[] = ["pointerdown", "mousedown"];
/** A guard that nobody takes away ends by itself, so that people can go on. */
const ARMED_MS = 15_000;
const MAX_NOTED_EVENTS = 40;
/** Targets of links that stay in the tab. */
const OWN_TARGETS = ["", "_self", "_parent", "_top"];

export interface Guard {
  arm(asks: ArmOperation): { readonly isArmed: boolean };
  disarm(asks: DisarmOperation): DisarmAnswer;
  greet(asks: GreetOperation): { readonly isKnown: boolean };
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
  opensTab: boolean;
}

const NOTHING: DisarmAnswer = {
  reached: 0,
  stopped: 0,
  events: [],
  why: null,
  wasArmed: false,
  opensTab: false,
};

const STOPPED_UNKNOWN: DisarmAnswer = { ...NOTHING, stopped: 1, why: "detached" };

export function createGuard(refs: (ref: number) => LookUp, quiet: Quiet): Guard {
  const lookUp = rememberLookUps(refs, quiet);
  let watch: Watch | undefined;
  let askedBy: string | undefined;
  /** Judged already, when the script at the start of the document asked. */
  let judged: string | undefined;

  const isStopped = (type: string, path: readonly EventTarget[]): boolean => {
    if (!watch || performance.now() > watch.until) return false;
    const why = judge({ watch, type, path, lookUp });
    if (why === undefined) return false;
    note(watch, type, why);
    if (type === "click") watch.opensTab = why === null && path.some(isOtherTabLink);
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
    const detail = event instanceof UIEvent ? event.detail : undefined;
    if (detail === IS_KNOWN) event.preventDefault();
    const type = GUARDED[detail ?? -1];
    if (!watch || !type) return;
    if (isStopped(type, event.composedPath())) event.preventDefault();
    else judged = type;
    event.stopImmediatePropagation();
  };
  for (const type of GUARDED) addEventListener(type, onEvent, { capture: true, passive: false });

  const listenTo = (guardName: string | undefined) => {
    if (!guardName || guardName === askedBy) return;
    askedBy = guardName;
    addEventListener(guardName, onAsked, { capture: true });
  };
  return {
    greet: ({ guardName }) => {
      listenTo(guardName);
      watch = undefined;
      return { isKnown: true };
    },
    arm: (asks) => {
      listenTo(asks.guardName);
      watch = toWatch(asks, lookUp);
      // Changes in a shadow root are not seen from outside.
      for (const element of [watch.element, watch.end]) observeRoots(quiet, element);
      judged = undefined;
      return { isArmed: asks.ref === 0 || watch.element !== undefined };
    },
    disarm: ({ guardName }) => {
      const ended = watch;
      watch = undefined;
      if (!ended) return wasStopped(guardName) ? STOPPED_UNKNOWN : NOTHING;
      const { reached, stopped, events, why, opensTab } = ended;
      return { reached, stopped, events, why, wasArmed: true, opensTab };
    },
  };
}

/** Asks the script at the start of this document, which nobody knew when the input came. */
function wasStopped(guardName: string | undefined): boolean {
  if (!guardName) return false;
  return !dispatchEvent(new MouseEvent(guardName, { cancelable: true, detail: WAS_STOPPED }));
}

/** Looking at names takes time on large pages, and nothing is another while nothing changes. */
function rememberLookUps(lookUp: (ref: number) => LookUp, quiet: Quiet): (ref: number) => LookUp {
  const known = new Map<number, { readonly stamp: number; readonly found: LookUp }>();
  return (ref) => {
    const stamp = quiet.stamp();
    const last = known.get(ref);
    if (last?.stamp === stamp) return last.found;
    known.clear();
    const found = lookUp(ref);
    known.set(ref, { stamp, found });
    return found;
  };
}

function observeRoots(quiet: Quiet, element: Element | undefined): void {
  for (
    let root = element?.getRootNode();
    root instanceof ShadowRoot;
    root = root.host.getRootNode()
  )
    quiet.observe(root);
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
    opensTab: false,
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

function isOtherTabLink(target: EventTarget): boolean {
  if (!(target instanceof HTMLAnchorElement)) return false;
  return target.href !== "" && !OWN_TARGETS.includes(target.target.toLowerCase());
}

function note(watch: Watch, type: string, why: DisarmAnswer["why"]): void {
  if (why === null) watch.reached += 1;
  else {
    watch.stopped += 1;
    watch.why ??= why;
  }
  if (watch.events.length < MAX_NOTED_EVENTS) watch.events.push(why === null ? type : `!${type}`);
}
