// Arms the guard around one input: for the element in its document, against everything in all others,
// because a page may move another frame under the pointer.
import type { Frame } from "playwright-core";
import { isToolError } from "../../../core/index.js";
import type { FoundElement } from "../elements/tab-elements.js";
import {
  type Arming,
  type ArmOperation,
  type DisarmAnswer,
  NOT_ARMED,
} from "../inpage/guard/guarded-events.js";
import type { Purpose } from "../inpage/protocol.js";
import { pause } from "../session/within.js";
import { isTimeout } from "./errors.js";
import type { PageHandle } from "./page-handle.js";
import type { WorkTime } from "./page-work.js";

const OTHER_FRAME_MS = 300;
const DISARM_MS = 1_000;
const MAX_COVERED_MS = 1_000;
const COVERED_AGAIN_MS = 50;

export interface GuardRequest {
  readonly found: FoundElement;
  readonly input: ArmOperation["input"];
  readonly end?: FoundElement;
  readonly time: WorkTime;
}

export interface FindRequest extends Pick<GuardRequest, "input" | "time"> {
  readonly purpose: Purpose;
}

export interface GuardOutcome {
  readonly own: DisarmAnswer;
  readonly strayed: number;
}

/** All input reached the element, or opened another document. */
export function isTaken({ own, strayed }: GuardOutcome): boolean {
  return own.stopped + strayed === 0 && (own.reached > 0 || !own.wasArmed);
}

export function describeLoss({ own }: GuardOutcome): string {
  if (own.why === "renamed") return "the button that the key presses got another name";
  return own.why === "changed" || own.why === "late"
    ? "it became another one"
    : "the focus was elsewhere";
}

export function describeNothing(outcome: GuardOutcome | undefined): string {
  const isUnseen = outcome && outcome.own.stopped + outcome.strayed === 0;
  return isUnseen
    ? "it is unknown whether the keys arrived"
    : "the focus was elsewhere, and nothing was typed";
}

/** What part of the last key or click was held back; undefined: nothing. */
export function describeLate(ref: string, { own }: GuardOutcome): string | undefined {
  if (own.why !== "late") return undefined;
  if (own.events.at(-1) === "!click")
    return `${ref} is another one since it was clicked; what the browser does by itself for a click was held back.`;
  return `${ref} is another one since the last key went down; the rest of that key was held back.`;
}

export type PageGuard = ReturnType<typeof createPageGuard>;

async function waitUncovered(
  look: () => Promise<FoundElement>,
  { clock, time }: Pick<PageHandle, "clock"> & { readonly time: WorkTime },
): Promise<FoundElement> {
  const untilMs = clock.now() + Math.min(MAX_COVERED_MS, time.leftMs() / 2);
  for (;;) {
    try {
      return await look();
    } catch (error) {
      const isCovered = isToolError(error) && error.reason === "element_covered";
      if (!isCovered || clock.now() >= untilMs) throw error;
    }
    await pause({ clock, ms: COVERED_AGAIN_MS, signal: time.signal });
  }
}

export function createPageGuard(handle: PageHandle) {
  const { page, elements, guardName, clock } = handle;
  const toArming = ({ input, time }: Pick<GuardRequest, "input" | "time">): Arming => ({
    input,
    guardName,
    forMs: time.leftMs() + DISARM_MS,
  });
  const arm = async (frame: Frame, request: GuardRequest): Promise<boolean> => {
    const { found, end, time } = request;
    const isOwn = frame === found.frame;
    if (isOwn && found.isArmed) return true;
    const asks: ArmOperation = {
      op: "arm",
      ref: isOwn ? found.ref : 0,
      ...(end?.frame === frame && { endRef: end.ref }),
      ...toArming(request),
    };
    const asked = elements.ask<"arm">(frame, asks, time.part(isOwn ? undefined : OTHER_FRAME_MS));
    return (await (isOwn ? asked : asked.catch(() => undefined)))?.isArmed ?? false;
  };
  /** Ignores the signal of the work: it must always run. */
  const disarm = async (frame: Frame): Promise<DisarmAnswer> => {
    const scope = { timeoutMs: DISARM_MS, signal: new AbortController().signal };
    const asks = { op: "disarm", guardName } as const;
    return elements.ask<"disarm">(frame, asks, scope).catch(() => NOT_ARMED);
  };
  const disarmAll = async () => {
    await Promise.all(page.frames().map(disarm));
  };
  return {
    find: (ref: string, request: FindRequest) => {
      const { purpose, time } = request;
      const look = () => elements.find(ref, purpose, { ...time.part(), arm: toArming(request) });
      return waitUncovered(look, { clock, time }).catch((error: unknown) => {
        // A late answer would leave it armed.
        if (time.signal.aborted || isTimeout(error)) void disarmAll();
        throw error;
      });
    },
    around: async (request: GuardRequest, input: () => Promise<void>) => {
      const own = request.found.frame;
      const others = page.frames().filter((frame) => frame !== own && !frame.isDetached());
      const [isArmed, ...armed] = await Promise.all(
        [own, ...others].map((frame) => arm(frame, request)),
      );
      const watched = others.filter((_frame, index) => armed[index]);
      let answers: readonly DisarmAnswer[] = [];
      try {
        if (isArmed) await input();
      } finally {
        answers = await Promise.all([own, ...watched].map(disarm));
      }
      if (!isArmed) return undefined;
      const [first = NOT_ARMED, ...rest] = answers;
      return { own: first, strayed: rest.reduce((sum, answer) => sum + answer.stopped, 0) };
    },
    greet: async (time: WorkTime) => {
      const asks = { op: "greet", guardName } as const;
      const greeted = page.frames().map((frame) => {
        const isMain = frame === page.mainFrame();
        const asked = elements.ask<"greet">(
          frame,
          asks,
          time.part(isMain ? undefined : OTHER_FRAME_MS),
        );
        return isMain ? asked : asked.catch(() => undefined);
      });
      await Promise.all(greeted);
    },
    disarm: disarmAll,
  };
}
