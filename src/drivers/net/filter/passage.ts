// The one way from a request to a connection: judged, opened, counted, and what went wrong written
// down. Plain requests, tunnels and upgrades all come through here.

import { setMaxListeners } from "node:events";
import type { Socket } from "node:net";
import type { ToolError } from "../../../core/index.js";
import type { Dial } from "../connect/dial.js";
import { type Deadline, startDeadline } from "../deadline.js";
import { netTimeout } from "../errors/failures.js";
import { toNetError } from "../errors/to-net-error.js";
import type { JudgeTarget, Route } from "./judge-target.js";
import { openSocket, type Use } from "./open-socket.js";
import type { ProblemLog } from "./problem-log.js";
import type { Target } from "./target.js";

/** For the name, and again for the connection. */
const MAX_STEP_MS = 15_000;

/** All reject with the errors of the network port. */
export interface Passage {
  judge(target: Target): Promise<Route>;
  /** Open when it is given; ends with the passage at the latest. */
  connect(request: {
    readonly target: Target;
    readonly route: Route;
    readonly use: Use;
  }): Promise<Socket>;
  /** The same judgement without a connection. */
  check(target: Target, options: { readonly signal: AbortSignal }): Promise<void>;
  counts(): { readonly passed: number; readonly denied: number; readonly failed: number };
  close(): void;
}

interface Step<Value> {
  readonly signal: AbortSignal;
  readonly work: (deadline: Deadline) => Promise<Value>;
}

export function createPassage(parts: {
  readonly judge: JudgeTarget;
  readonly dial: Dial;
  readonly log: ProblemLog;
}): Passage {
  const { judge, dial, log } = parts;
  const counts = { passed: 0, denied: 0, failed: 0 };
  const sockets = new Set<Socket>();
  const ending = new AbortController();
  // One for each connection that is being made.
  setMaxListeners(0, ending.signal);

  function note(target: Target, error: ToolError): void {
    if (error.code === "aborted") return;
    counts[error.code === "denied" ? "denied" : "failed"] += 1;
    log.add(target, error);
  }

  function keep(socket: Socket): Socket {
    // No one else may listen yet, and an error without a listener ends the process.
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
    sockets.add(socket);
    counts.passed += 1;
    return socket;
  }

  async function step<Value>(target: Target, { signal, work }: Step<Value>): Promise<Value> {
    try {
      return await underLimit({ target, signal, work });
    } catch (thrown) {
      const error = toNetError(thrown, target.host);
      note(target, error);
      throw error;
    }
  }

  return {
    judge: (target) =>
      step(target, { signal: ending.signal, work: (deadline) => judge(target, deadline) }),
    connect: (request) =>
      step(request.target, {
        signal: ending.signal,
        work: async (deadline) => keep(await openSocket({ ...request, dial, deadline })),
      }),
    check: (target, { signal }) =>
      step(target, { signal, work: async (deadline) => void (await judge(target, deadline)) }),
    counts: () => ({ ...counts }),
    close() {
      ending.abort();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function underLimit<Value>(
  request: Step<Value> & { readonly target: Target },
): Promise<Value> {
  const { target, signal, work } = request;
  const onTimeout = () => netTimeout(target.host, MAX_STEP_MS);
  const deadline = startDeadline({ signal, timeoutMs: MAX_STEP_MS, onTimeout });
  try {
    if (deadline.error) throw deadline.error;
    return await work(deadline);
  } finally {
    deadline.end();
  }
}
