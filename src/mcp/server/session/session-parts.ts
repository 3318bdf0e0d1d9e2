// What one session with one client consists of, for the methods that work on it.

import type { CallerToolkit, EntryPoint, Toolkit } from "../../../core/index.js";
import type { RpcId } from "../protocol/json-rpc.js";
import type { ProtocolVersion } from "../protocol/versions.js";
import type { ApprovalDesk } from "./approvals/desk.js";
import type { Outgoing, Outlet } from "./outgoing.js";
import type { SeenArtifacts } from "./resources/seen-artifacts.js";
import type { WaitingCalls } from "./tools/waiting-calls.js";

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

export type LogLevel = (typeof LOG_LEVELS)[number];

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
export interface SessionState {
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
