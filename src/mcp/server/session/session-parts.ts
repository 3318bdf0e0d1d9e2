// What one session with one client consists of, for the methods that work on it.
import {
  abortError,
  type CallerToolkit,
  type EntryPoint,
  type Toolkit,
} from "../../../core/index.js";
import {
  keyOfId,
  type OutgoingMessage,
  type RpcAnswer,
  RpcError,
  type RpcId,
  toNotification,
  toRequest,
} from "../json-rpc.js";
import type { ProtocolVersion } from "../versions.js";
import type { ApprovalDesk } from "./approvals.js";
import type { SeenArtifacts } from "./resources.js";
import type { WaitingCalls } from "./waiting-calls.js";

export const LOG_LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;

type LogLevel = (typeof LOG_LEVELS)[number];

export interface SessionSettings {
  readonly toolkit: Toolkit;
  /** What the audit says of the way by which calls come. */
  readonly entryPoint: EntryPoint;
  readonly version: string;
  /** Where questions about calls arrive; undefined: the toolkit asks in its own way. */
  readonly desk: ApprovalDesk | undefined;
  /** How long a call waits for an approval before it answers where it is queued. */
  readonly approvalWaitMs: number;
  /** What a person types for the command line. */
  readonly command: string;
  /** Reported of what went wrong in the server itself; clients hear only that something did. */
  readonly report: (problem: unknown) => void;
  /** Unique among all calls of the toolkit. */
  readonly newCallId: () => string;
}

/** What the client said of itself; it speaks first, so all of it is unknown before. */
interface SessionState {
  version: ProtocolVersion | undefined;
  isReady: boolean;
  canElicit: boolean;
  logLevel: LogLevel | undefined;
}

export interface SessionParts {
  readonly settings: SessionSettings;
  /** The toolkit as this client sees it: its loops and budgets are not those of another client. */
  readonly caller: CallerToolkit;
  readonly state: SessionState;
  readonly outgoing: Outgoing;
  readonly waiting: WaitingCalls;
  readonly artifacts: SeenArtifacts;
}

/** The way back for one request. */
export interface Exchange {
  /** For what belongs to the request: its progress, the questions about it. */
  readonly outlet: Outlet;
  /** False where no question can reach the client while the request runs. */
  readonly canAsk: boolean;
  /** Fires when no one waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface RequestContext {
  readonly parts: SessionParts;
  readonly id: RpcId;
  readonly exchange: Exchange;
}

/** A client that is asked more than this at once does not answer. */
const MAX_OPEN = 64;

export interface Outlet {
  send(message: OutgoingMessage): void;
}

interface ClientRequest {
  readonly method: string;
  readonly params: object;
  readonly outlet: Outlet;
  readonly signal: AbortSignal;
}

interface Outgoing {
  /** What the client answers. Throws its error, or the abort; then the client is informed. */
  ask(request: ClientRequest): Promise<unknown>;
  /** An answer to a request that no one waits for any more is passed over. */
  settle(answer: RpcAnswer): void;
  close(): void;
}

interface OpenQuestion {
  take(answer: RpcAnswer): void;
  takeBack(): void;
}

export function createOutgoing(): Outgoing {
  const open = new Map<string, OpenQuestion>();
  let count = 0;
  return {
    async ask({ method, params, outlet, signal }) {
      if (signal.aborted) throw abortError(signal);
      if (open.size >= MAX_OPEN) throw new RpcError(0, "The client has too many open questions.");
      count++;
      const id = `clawtools-${count}`;
      const key = keyOfId(id);
      const takeBack = () => open.get(key)?.takeBack();
      signal.addEventListener("abort", takeBack);
      try {
        return await new Promise<unknown>((resolve, reject) => {
          open.set(key, {
            take({ result, error }) {
              if (error === undefined) resolve(result);
              else reject(new RpcError(error.code, error.message));
            },
            takeBack() {
              const reason = "The question was answered elsewhere, or its call has ended.";
              outlet.send(toNotification("notifications/cancelled", { requestId: id, reason }));
              reject(abortError(signal));
            },
          });
          outlet.send(toRequest(id, method, params));
        });
      } finally {
        open.delete(key);
        signal.removeEventListener("abort", takeBack);
      }
    },
    settle(answer) {
      open.get(keyOfId(answer.id))?.take(answer);
    },
    close() {
      for (const question of [...open.values()]) question.takeBack();
    },
  };
}
