// Whether a trusted event reaches its target while the guard is armed.

import { controlAt, isFor, isOver, type Point } from "../hit.js";
import type { Found } from "../refs/ref-book.js";
import { idOf, isAnElement, isConnected } from "../tree/clobbered.js";
import { isIn } from "../tree/cursor.js";
import { type ArmOperation, type DisarmAnswer, KEY_EVENTS } from "./guarded-events.js";

type Why = DisarmAnswer["why"];

const PRESS = "pointerdown";
const PRESSES: readonly string[] = ["pointerdown", "mousedown"];
const RELEASES: readonly string[] = ["pointerup", "mouseup"];
const NEAR_PX = 20;

export interface GuardedRefs {
  /** For keys, the name of a field may change with the focus. */
  lookUp(ref: number): Found;
  /** For an input under way: the page may have reacted already. */
  lookUpPlace(ref: number): Found;
  /** It still has its name, whatever is around it. */
  isNamed(ref: number): boolean;
  isExchanged(): boolean;
  /** By ref or element: it has the name of another one now. */
  isRenamed(of: number | Element): boolean;
  hasOthersName(ref: number): boolean;
}

export interface Judged {
  readonly asks: ArmOperation;
  readonly element: Element | undefined;
  readonly end: Element | undefined;
  readonly reached: number;
  pressedAt: Point | undefined;
  isPressed: boolean;
  control: Element | undefined;
  pressedControl: Element | undefined;
  readonly why: Why;
}

export interface TrustedEvent {
  readonly type: string;
  readonly target: EventTarget | undefined;
  readonly point: Point;
}

/** undefined: not guarded. null: it reaches its target. */
export function judge(watch: Judged, event: TrustedEvent, refs: GuardedRefs): Why | undefined {
  const isKey = (KEY_EVENTS as readonly string[]).includes(event.type);
  if (watch.asks.input === "keyboard")
    return isKey ? judgeKey(watch, event, refs) : judgeClick(watch, event, refs);
  if (watch.asks.input === "drag") return judgeDrag(watch, event, refs);
  return isKey && event.type !== "drop" ? undefined : judgeElement(watch, event, refs);
}

function judgeKey(watch: Judged, event: TrustedEvent, refs: GuardedRefs): Why | undefined {
  const { asks, element, reached } = watch;
  if (event.type === "drop") return undefined;
  // A text with a gap is worse than half a text.
  if (watch.why !== null) return watch.why === "late" ? "changed" : watch.why;
  if (reached === 0 || !element) return judgeElement(watch, event, refs);
  // Typing changes what is around a field; the first key checked it.
  if (!(event.target instanceof Node) || !isIn(event.target, element)) return "missed";
  if (!refs.isNamed(asks.ref)) return "changed";
  if (!refs.isExchanged()) return null;
  // The keydown was delivered.
  return event.type === "keypress" ? "late" : "changed";
}

/** Judges an event again after the page handled it. */
export function judgeLast({ asks, element }: Judged, event: Event, refs: GuardedRefs): Why {
  if (asks.ref === 0 || !element) return null;
  // A new name that describes the result is fine, unless it is another element's.
  const isOther = refs.isExchanged() || (event.type === "click" && refs.hasOthersName(asks.ref));
  if (!isOther) return null;
  const isText = event instanceof KeyboardEvent ? event.key.length === 1 : event.type !== "click";
  return isText ? "changed" : "late";
}

/** The click that a key makes, on the element or its submit button. */
function judgeClick(watch: Judged, event: TrustedEvent, refs: GuardedRefs): Why | undefined {
  const { asks, element } = watch;
  if (event.type !== "click" || asks.ref === 0 || !element) return undefined;
  if (event.target instanceof Node && isFor(event.target, element))
    return judgeElement(watch, event, refs);
  if (!refs.isNamed(asks.ref) || refs.isExchanged()) return "changed";
  return isAnElement(event.target) && refs.isRenamed(event.target) ? "renamed" : undefined;
}

export function judgeHover({ asks, element }: Judged, refs: GuardedRefs): Why {
  if (asks.ref === 0 || !element) return null;
  return refs.isRenamed(asks.ref) ? "changed" : whyNot(refs.lookUpPlace(asks.ref), element);
}

function judgeDrag(watch: Judged, event: TrustedEvent, refs: GuardedRefs): Why | undefined {
  const { asks, end } = watch;
  if (PRESSES.includes(event.type)) {
    watch.pressedAt = event.point;
    return asks.ref === 0 ? "missed" : judgeElement(watch, event, refs);
  }
  const isDrop = event.type === "drop";
  if (!isDrop && !RELEASES.includes(event.type)) return undefined;
  if (!isDrop && isNear(watch.pressedAt, event.point)) return undefined;
  // Something else may have taken the place of the dragged element.
  if (asks.ref !== 0 && (refs.isExchanged() || refs.isRenamed(asks.ref))) return "exchanged";
  // Pointer capture may send the release elsewhere.
  if (asks.endRef === undefined) return asks.ref === 0 ? "missed" : undefined;
  // Pages change the name of a drop target.
  const now = refs.lookUpPlace(asks.endRef);
  if (now.why) return now.why === "changed" ? "changed" : "detached";
  if (!end || now.element !== end) return "changed";
  if (!isDrop) return isOver(end, event.point) ? undefined : "missed";
  return event.target instanceof Node && isIn(event.target, end) ? null : "missed";
}

function isNear(before: Point | undefined, { x, y }: Point): boolean {
  return before !== undefined && Math.hypot(before.x - x, before.y - y) < NEAR_PX;
}

function judgeElement(watch: Judged, { type, target }: TrustedEvent, refs: GuardedRefs): Why {
  const { asks, element } = watch;
  if (asks.ref === 0 || !element) return "missed";
  const isHeld = watch.isPressed && type !== PRESS;
  const isForwarded = type === "click" && target !== undefined && watch.control === target;
  watch.control = undefined;
  if (isForwarded) return null;
  const why = whyNot(refs.lookUp(asks.ref), element);
  // The page may react to the press at once.
  const isAnswered = why === "changed" && isHeld && !refs.isRenamed(asks.ref);
  const whyStill = isAnswered ? whyNot(refs.lookUpPlace(asks.ref), element) : why;
  const isHit = target instanceof Node && isFor(target, element);
  const control = isHit ? controlAt(target) : undefined;
  if (type === PRESS) {
    watch.isPressed = whyStill === null && isHit;
    watch.pressedControl = control;
  }
  const answer = whyStill ?? (isHit ? null : "missed");
  if (type !== "click" || answer !== null) return answer;
  if (watch.isPressed && isOtherField(control, watch.pressedControl)) return "changed";
  watch.control = control;
  return null;
}

function isOtherField(now: Element | undefined, before: Element | undefined): boolean {
  if (now === before || !before) return now !== before;
  return !now || isConnected(before) || idOf(now) !== idOf(before);
}

function whyNot(now: Found, element: Element): Why {
  if (now.why) return now.why === "changed" ? "changed" : "detached";
  return now.element === element ? null : "changed";
}
