// Whether a trusted event reaches what it is meant for, while an input is guarded.

import type { LookUp } from "../check.js";
import { controlAt, isFor, isOver, type Point } from "../hit.js";
import { idOf, isAnElement, isConnected } from "../tree/clobbered.js";
import { isIn } from "../tree/cursor.js";
import { type ArmOperation, type DisarmAnswer, KEY_EVENTS } from "./guarded-events.js";

type Why = DisarmAnswer["why"];

const PRESS = "pointerdown";
const PRESSES: readonly string[] = ["pointerdown", "mousedown"];
const RELEASES: readonly string[] = ["pointerup", "mouseup"];
const NEAR_PX = 20;

export interface GuardedRefs {
  /** When keys are sent, a field may have got more of a name by the focus, or less. */
  lookUp(ref: number): LookUp;
  /** The same while an input is under way, to which the page may have answered already. */
  lookUpPlace(ref: number): LookUp;
  /** It has its name still, whatever is around it; pages write there what they think of a text. */
  isNamed(ref: number): boolean;
  isExchanged(): boolean;
  /** A ref, or an element by how it was listed last: its name is another's, see refs/renamed. */
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

/** undefined: not for us to judge. null: it reaches what it is meant for. */
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
  // A text with a hole in it is worse than half of one.
  if (watch.why !== null) return watch.why === "late" ? "changed" : watch.why;
  if (reached === 0 || !element) return judgeElement(watch, event, refs);
  // Typing changes what is around a field; the first key found it unchanged.
  if (!(event.target instanceof Node) || !isIn(event.target, element)) return "missed";
  if (!refs.isNamed(asks.ref)) return "changed";
  if (!refs.isExchanged()) return null;
  // The key itself went down before.
  return event.type === "keypress" ? "late" : "changed";
}

/** Judges an event that reached the element again after the page has handled it. */
export function judgeLast({ asks, element }: Judged, event: Event, refs: GuardedRefs): Why {
  if (asks.ref === 0 || !element) return null;
  // A name that describes the result of the click belongs to this element only.
  const isOther = refs.isExchanged() || (event.type === "click" && refs.hasOthersName(asks.ref));
  if (!isOther) return null;
  const isText = event instanceof KeyboardEvent ? event.key.length === 1 : event.type !== "click";
  return isText ? "changed" : "late";
}

/** The click that a key makes: of the element, or of the button that sends its form. */
function judgeClick(watch: Judged, event: TrustedEvent, refs: GuardedRefs): Why | undefined {
  const { asks, element } = watch;
  if (event.type !== "click" || asks.ref === 0 || !element) return undefined;
  if (event.target instanceof Node && isFor(event.target, element))
    return judgeElement(watch, event, refs);
  if (!refs.isNamed(asks.ref) || refs.isExchanged()) return "changed";
  return isAnElement(event.target) && refs.isRenamed(event.target) ? "renamed" : undefined;
}

/** Of an element that the pointer is over, once the page has heard of it. */
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
  // Pages move what is dragged and mark it; what took its place would be dropped instead of it.
  if (asks.ref !== 0 && (refs.isExchanged() || refs.isRenamed(asks.ref))) return "exchanged";
  // A release goes to anyone who holds the pointer, also when the end is in another document.
  if (asks.endRef === undefined) return asks.ref === 0 ? "missed" : undefined;
  // Pages write on a target what is over it.
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
  // The page may answer to the press at once, by a form of the name or a mark on the row.
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

function whyNot(now: LookUp, element: Element): Why {
  if (now.why) return now.why === "changed" ? "changed" : "detached";
  return now.element === element ? null : "changed";
}
