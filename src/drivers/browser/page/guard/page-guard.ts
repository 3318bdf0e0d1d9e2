// Arms the guard around one input: in the document of the element for it, in all others against
// everything, because a page may push another frame under the pointer.

import type { Frame, Page } from "playwright-core";
import type { FoundElement, TabElements } from "../../elements/tab-elements.js";
import type { ArmOperation, DisarmAnswer } from "../../inpage/protocol.js";
import type { WorkTime } from "../work/page-work.js";

/** Frames of others that do not answer in time stay as they are. */
const OTHER_FRAME_MS = 300;
const DISARM_MS = 1_000;

export interface GuardRequest {
  readonly found: FoundElement;
  readonly input: ArmOperation["input"];
  /** Of a drag. */
  readonly end?: FoundElement;
  readonly time: WorkTime;
}

export interface GuardOutcome {
  /** In the document of the element. */
  readonly own: DisarmAnswer;
  /** In other documents. */
  readonly strayed: number;
}

export interface PageGuard {
  /** false: the element is another by now, and nothing was done. */
  around(request: GuardRequest, input: () => Promise<void>): Promise<GuardOutcome | undefined>;
  disarm(): Promise<void>;
}

const NEVER: DisarmAnswer = { reached: 0, stopped: 0, events: [], why: null, wasArmed: false };

export function createPageGuard(options: {
  readonly page: Page;
  readonly elements: TabElements;
  readonly guardName: string | undefined;
}): PageGuard {
  const { page, elements, guardName } = options;
  const arm = async (frame: Frame, request: GuardRequest): Promise<boolean> => {
    const { found, input, end, time } = request;
    const isOwn = frame === found.frame;
    const asks: ArmOperation = {
      op: "arm",
      ref: isOwn ? found.ref : 0,
      input,
      ...(end?.frame === frame && { endRef: end.ref }),
      ...(guardName && { guardName }),
    };
    const asked = elements.ask<"arm">(frame, asks, time.part(isOwn ? undefined : OTHER_FRAME_MS));
    return (await (isOwn ? asked : asked.catch(() => undefined)))?.isArmed ?? false;
  };
  /** Not under the signal of the work: it must happen however the work ended. */
  const disarm = async (frame: Frame): Promise<DisarmAnswer> => {
    const scope = { timeoutMs: DISARM_MS, signal: new AbortController().signal };
    return elements.ask<"disarm">(frame, { op: "disarm" }, scope).catch(() => NEVER);
  };
  return {
    around: async (request, input) => {
      const frames = page.frames();
      const own = request.found.frame;
      const others = frames.filter((frame) => frame !== own && !frame.isDetached());
      const [isArmed] = await Promise.all([own, ...others].map((frame) => arm(frame, request)));
      let answers: readonly DisarmAnswer[] = [];
      try {
        if (isArmed) await input();
      } finally {
        answers = await Promise.all([own, ...others].map(disarm));
      }
      if (!isArmed) return undefined;
      const [first = NEVER, ...rest] = answers;
      return { own: first, strayed: rest.reduce((sum, answer) => sum + answer.stopped, 0) };
    },
    disarm: async () => {
      await Promise.all(page.frames().map(disarm));
    },
  };
}
