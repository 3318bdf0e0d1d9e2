// The life of one profile's browser: started on demand, shared by all calls, stopped when idle.

import type { PageScope } from "../../../core/browser.js";
import type { Clock, ToolError } from "../../../core/index.js";
import { createRefCount } from "../elements/refs.js";
import { MAX_START_MS } from "../launch/launch-browser.js";
import type { Session, SessionSource } from "./open-session.js";
import { browserGone } from "./playwright-errors.js";
import { within } from "./within.js";

const MINUTE_MS = 60_000;
const START_ROOM_MS = 10_000;

export type SessionBinding = Pick<SessionSource, "nextTabId" | "refCount" | "noteUse" | "onGone">;

export interface ProfileLifeSource {
  readonly profile: string;
  readonly clock: Clock;
  readonly idleMs: number | undefined;
  readonly open: (binding: SessionBinding, signal: AbortSignal) => Promise<Session>;
}

export type ProfileLife = ReturnType<typeof createProfileLife>;

export function createProfileLife(source: ProfileLifeSource) {
  const { profile, clock, idleMs, open } = source;
  let session: Session | undefined;
  let starting: Promise<Session> | undefined;
  let stopping: Promise<void> | undefined;
  let unreportedEnd: ToolError | undefined;
  let stopStart = new AbortController();
  let forgetIdle: () => void = () => undefined;
  let tabNumber = 0;
  let active = 0;

  const binding: SessionBinding = {
    nextTabId: () => `t${++tabNumber}`,
    refCount: createRefCount(),
    async noteUse(work) {
      active += 1;
      forgetIdle();
      try {
        return await work();
      } finally {
        active -= 1;
        watchIdle();
      }
    },
    onGone({ wasReported }) {
      const ended = session;
      session = undefined;
      forgetIdle();
      if (!wasReported) unreportedEnd = browserGone(profile, "its process ended");
      // The next start waits for the cleanup.
      stopping = ended?.end();
    },
  };

  function watchIdle(): void {
    forgetIdle();
    if (idleMs === undefined || active > 0 || session === undefined) return;
    forgetIdle = clock.after(idleMs, () => {
      const minutes = Math.round(idleMs / MINUTE_MS);
      unreportedEnd = browserGone(
        profile,
        `it was stopped after ${minutes} minutes without a call`,
      );
      void endNow();
    });
  }

  function endNow(): Promise<void> {
    const ended = session;
    session = undefined;
    forgetIdle();
    stopping = Promise.all([stopping, ended?.end()]).then(() => undefined);
    return stopping;
  }

  async function begin(signal: AbortSignal): Promise<Session> {
    await stopping;
    try {
      const opened = await open(binding, signal);
      if (signal.aborted || opened.isGone()) {
        await opened.end();
        throw browserGone(profile, "it ended while it started");
      }
      session = opened;
      watchIdle();
      return opened;
    } catch (error) {
      if (signal.aborted) throw browserGone(profile, "it was stopped while it started");
      throw error;
    }
  }

  return {
    running: () => (session?.isGone() ? undefined : session),
    async ensure({ signal, timeoutMs = MAX_START_MS + START_ROOM_MS }: PageScope) {
      unreportedEnd = undefined;
      if (session !== undefined && !session.isGone()) {
        watchIdle();
        return session;
      }
      if (starting === undefined) {
        stopStart = new AbortController();
        starting = begin(stopStart.signal).finally(() => {
          starting = undefined;
        });
        // All waiting calls may be gone.
        starting.catch(() => undefined);
      }
      const begun = starting;
      return within({ timeoutMs, signal, what: "the browser to start" }, () => begun);
    },
    takeEnd() {
      const end = unreportedEnd;
      unreportedEnd = undefined;
      return end;
    },
    async stop() {
      unreportedEnd = undefined;
      stopStart.abort();
      await starting?.catch(() => undefined);
      await endNow();
    },
  };
}
