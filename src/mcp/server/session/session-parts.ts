// The parts of a session with one client.
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
  /** For the audit. */
  readonly entryPoint: EntryPoint;
  readonly version: string;
  /** undefined: the toolkit asks in its own way. */
  readonly desk: ApprovalDesk | undefined;
  readonly approvalWaitMs: number;
  readonly command: string;
  /** Clients only learn that something failed. */
  readonly report: (problem: unknown) => void;
  readonly newCallId: () => string;
}

/** Unknown until the client initializes. */
interface SessionState {
  version: ProtocolVersion | undefined;
  isReady: boolean;
  canElicit: boolean;
  logLevel: LogLevel | undefined;
}

export interface SessionParts {
  readonly settings: SessionSettings;
  /** Has loops and budgets of its own. */
  readonly caller: CallerToolkit;
  readonly state: SessionState;
  readonly outgoing: Outgoing;
  readonly waiting: WaitingCalls;
  readonly artifacts: SeenArtifacts;
}

export interface Exchange {
  /** For progress and questions of this request. */
  readonly outlet: Outlet;
  readonly canAsk: boolean;
  /** No one waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface RequestContext {
  readonly parts: SessionParts;
  readonly exchange: Exchange;
}

/** Such a client does not answer. */
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

type Outgoing = ReturnType<typeof createOutgoing>;

interface OpenQuestion {
  take(answer: RpcAnswer): void;
  takeBack(): void;
}

export function createOutgoing() {
  const open = new Map<string, OpenQuestion>();
  let count = 0;
  return {
    /** Throws the client's error, or the abort after telling the client. */
    async ask({ method, params, outlet, signal }: ClientRequest) {
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
    settle(answer: RpcAnswer) {
      open.get(keyOfId(answer.id))?.take(answer);
    },
    close() {
      for (const question of [...open.values()]) question.takeBack();
    },
  };
}
