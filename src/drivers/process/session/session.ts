// One run as its callers see it: deadline, end, input, listeners.

import {
  type Clock,
  type CommandHost,
  type HostAccess,
  type ProcessEnd,
  type ProcessRun,
  ToolError,
} from "../../../core/index.js";
import { pause } from "../../../lib/system/pause.js";
import type { LaunchedEnd } from "../launch/kill-ladder.js";
import type { StartedRun } from "../start/start-run.js";

const MIN_TELL_MS = 100;

type RunChanges = ReturnType<typeof createRunChanges>;

const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

export interface SessionFacts {
  readonly sessionId: string;
  readonly command: string;
  readonly name: string;
  readonly cwd: string;
  readonly startedAtMs: number;
  readonly containment: string;
  readonly host: CommandHost;
  readonly hasNetwork: boolean;
  readonly hosts: HostAccess | undefined;
  readonly agentId: string | undefined;
  readonly sessionKey: string | undefined;
  readonly duplicateOf: string | undefined;
  readonly warnings: readonly string[];
}

export interface SessionDeps {
  readonly facts: SessionFacts;
  readonly started: StartedRun;
  readonly changes: RunChanges;
  readonly clock: Clock;
  /** 0: no limit. */
  readonly timeoutMs: number;
  readonly lastOutputAtMs: () => number | undefined;
  readonly onBackground: (session: Session) => void;
  readonly onEnd: (session: Session, end: ProcessEnd) => void;
  readonly onAcknowledge: (session: Session) => void;
}

export interface Session extends ProcessRun {
  readonly agentId: string | undefined;
  readonly sessionKey: string | undefined;
  readonly isBackground: boolean;
  readonly isAcknowledged: boolean;
  remove(): Promise<void>;
  stopNow(): void;
}

export function createSession(deps: SessionDeps): Session {
  const { facts, started, changes, clock } = deps;
  const { duplicateOf, ...ownFacts } = facts;
  let end: ProcessEnd | undefined;
  let stopReason: "timeout" | "killed" | undefined;
  let timedOutAtMs: number | undefined;
  let isBackground = false;
  let isAcknowledged = false;

  function stop(reason: "timeout" | "killed"): void {
    if (end !== undefined) return;
    stopReason ??= reason;
    if (stopReason === "timeout") timedOutAtMs ??= clock.now();
    started.stop();
  }

  const cancelDeadline =
    deps.timeoutMs > 0 ? clock.after(deps.timeoutMs, () => stop("timeout")) : () => undefined;

  async function finish(): Promise<ProcessEnd> {
    const launched = await started.ended.catch(() => unknownEnd(started.pid));
    cancelDeadline();
    // After its own output.
    if (launched.notice !== undefined) {
      started.recorder.onChunk(Buffer.from(`\n[${launched.notice}]\n`));
    }
    await started.recorder.finish();
    end = endOf({ launched, stopReason, timedOutAtMs, endedAtMs: clock.now() });
    changes.end();
    deps.onEnd(session, end);
    return end;
  }

  const session: Session = {
    ...ownFacts,
    ...(duplicateOf === undefined ? {} : { duplicateOf }),
    pid: started.pid,
    output: started.recorder.output,
    isTerminal: started.isTerminal,
    get warnings() {
      const { problem } = started.recorder;
      return problem === undefined ? facts.warnings : [...facts.warnings, problem];
    },
    get end() {
      return end;
    },
    get ended() {
      return ended;
    },
    get canWrite() {
      return end === undefined && canTake(started);
    },
    get isInputFull() {
      return started.input?.isOpen === true && started.input.isFull === true;
    },
    get lastOutputAtMs() {
      return deps.lastOutputAtMs();
    },
    get applicationCursor() {
      return started.applicationCursor();
    },
    get isBackground() {
      return isBackground;
    },
    get isAcknowledged() {
      return isAcknowledged;
    },
    async write(bytes) {
      await writeTo({ started, sessionId: facts.sessionId, isOver: end !== undefined }, bytes);
    },
    async endInput() {
      await started.input?.end();
    },
    kill() {
      stop("killed");
      return ended;
    },
    onOutput: changes.onOutput,
    async waitForChange(options) {
      if (end === undefined) await changes.wait(options);
    },
    toBackground() {
      if (isBackground) return;
      isBackground = true;
      deps.onBackground(session);
    },
    acknowledge() {
      isAcknowledged = true;
      deps.onAcknowledge(session);
    },
    remove: () => started.recorder.remove(),
    stopNow: started.stopNow,
  };
  const ended = finish();
  return session;
}

/** Following it failed, so it may still be there. */
function unknownEnd(pid: number): LaunchedEnd {
  return { exitCode: undefined, exitSignal: undefined, survivors: [pid] };
}

interface EndFacts {
  readonly launched: LaunchedEnd;
  readonly stopReason: "timeout" | "killed" | undefined;
  readonly timedOutAtMs: number | undefined;
  readonly endedAtMs: number;
}

function endOf({ launched, stopReason, timedOutAtMs, endedAtMs }: EndFacts): ProcessEnd {
  const { exitCode, exitSignal, survivors } = launched;
  const reason = stopReason ?? reasonOf(launched);
  return {
    exitCode,
    exitSignal,
    reason,
    endedAtMs,
    ...(timedOutAtMs === undefined ? {} : { timedOutAtMs }),
    ...(survivors.length === 0 ? {} : { survivors }),
  };
}

function reasonOf({ exitCode, exitSignal }: LaunchedEnd): ProcessEnd["reason"] {
  if (exitSignal !== undefined || exitCode === undefined) return "signal";
  if (exitCode === NOT_EXECUTABLE) return "not_executable";
  return exitCode === NOT_FOUND ? "not_found" : "exit";
}

function canTake({ input }: StartedRun): boolean {
  return input?.isOpen === true && input.isFull !== true;
}

interface WriteTarget {
  readonly started: StartedRun;
  readonly sessionId: string;
  readonly isOver: boolean;
}

async function writeTo(target: WriteTarget, bytes: Uint8Array): Promise<void> {
  const { started, sessionId, isOver } = target;
  const problem = isOver ? "has ended" : "has no open input";
  const closed = (cause?: unknown) =>
    new ToolError("conflict", `Session "${sessionId}" ${problem}; nothing was written.`, {
      reason: "input_closed",
      cause,
    });
  if (isOver || !canTake(started)) throw closed();
  try {
    await started.input?.write(bytes);
  } catch (error) {
    throw closed(error);
  }
}

export function createRunChanges(clock: Clock) {
  const listeners = new Set<() => void>();
  const waiters = new Set<AbortController>();
  let cancelTelling: (() => void) | undefined;
  let lastToldMs = Number.NEGATIVE_INFINITY;

  function tell(): void {
    cancelTelling = undefined;
    lastToldMs = clock.now();
    for (const listener of listeners) listener();
  }

  function wake(): void {
    for (const waiter of waiters) waiter.abort();
  }

  return {
    change() {
      wake();
      if (listeners.size === 0 || cancelTelling !== undefined) return;
      const waitMs = Math.max(0, lastToldMs + MIN_TELL_MS - clock.now());
      cancelTelling = clock.after(waitMs, tell);
    },
    end() {
      if (cancelTelling !== undefined) {
        cancelTelling();
        tell();
      }
      listeners.clear();
      wake();
    },
    onOutput(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    async wait({ timeoutMs, signal }: Parameters<ProcessRun["waitForChange"]>[0]) {
      const waiter = new AbortController();
      waiters.add(waiter);
      const woken = AbortSignal.any([signal, waiter.signal]);
      await pause(clock, { delayMs: timeoutMs, signal: woken });
      waiters.delete(waiter);
    },
  };
}
