// The port to the person or program that approves calls.

import type { CommandInput, CommandPlan, CommandRefusal } from "../command/plan.js";

export const APPROVAL_DECISIONS = ["allow-once", "allow-always", "deny"] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

export interface ApprovalRequest {
  readonly toolCallId: string;
  readonly toolName: string;
  /** One line for a person: what wants to happen, and why it must be asked. */
  readonly title: string;
  readonly params: unknown;
  /** Whose call it is; absent when the caller has no session. */
  readonly sessionKey?: string | undefined;
  /** Only for a command: everything that is asked about. */
  readonly command?: CommandQuestion;
}

export interface ApprovalAnswer {
  readonly decision: ApprovalDecision;
  readonly reason?: string;
  /** Who said it, in words, for the record; default: the program's approver. */
  readonly by?: string;
}

/** `signal` fires when it is over without this answer; its reason says how. */
export type Approver = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => Promise<ApprovalAnswer>;

/** An entry that `allow-always` would put on the list. */
export interface CommandGrant {
  readonly pattern: string;
  readonly argPattern?: string;
  /** For people: the words that it lets through, and where. */
  readonly shown?: string;
}

/** A command to approve, with everything that the answer covers. */
export interface CommandQuestion {
  readonly id: string;
  /** The first eight characters of `id`, enough to answer by. */
  readonly slug: string;
  /** As it was given, invisible characters included. */
  readonly command: string;
  /** What runs, whole and safe to print: unseen characters are escaped, nothing is cut. */
  readonly shown: readonly string[];
  /** Of the plan; absent when the command could not be read into one. */
  readonly planHash?: string;
  readonly cwd: string;
  readonly host: CommandHost;
  /** What the call adds to the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** How it reads input; closed when absent. */
  readonly input?: CommandInput;
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly toolCallId: string;
  /** Why it must be asked, one sentence. */
  readonly why: string;
  /** What `allow-always` saves, one for each program; empty when it is not among the decisions. */
  readonly grants: readonly CommandGrant[];
  /** Why it cannot be allowed for good. */
  readonly onceBecause?: string;
  readonly decisions: readonly ApprovalDecision[];
  /** What `clawtools approvals` needs as `--state-dir` to find it; absent for the usual folder. */
  readonly stateDir?: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export const COMMAND_SECURITY = ["deny", "allowlist", "full"] as const;
export type CommandSecurity = (typeof COMMAND_SECURITY)[number];

export const COMMAND_ASK = ["off", "on-miss", "always"] as const;
export type CommandAsk = (typeof COMMAND_ASK)[number];

/** Where a command runs: contained, on this machine, on a paired node. */
export type CommandHost = "sandbox" | "gateway" | "node";

export interface GateRequest {
  readonly command: string;
  readonly plan?: CommandPlan;
  readonly refusal?: CommandRefusal;
  readonly cwd: string;
  readonly host: CommandHost;
  /** What the caller's configuration and the call itself ask for; the file can only tighten it. */
  readonly security: CommandSecurity;
  readonly ask: CommandAsk;
  /** Names and values the call adds to the environment: part of what is approved. */
  readonly env: Readonly<Record<string, string>>;
  /** Closed when absent: part of what is approved. */
  readonly input?: CommandInput | undefined;
  readonly agentId: string | undefined;
  readonly sessionKey: string | undefined;
  readonly toolCallId: string;
  readonly signal: AbortSignal;
  /** Called once when a person is being waited for. */
  readonly onWaiting?: (pending: PendingApproval) => void;
}

export interface PendingApproval {
  readonly id: string;
  readonly slug: string;
  readonly expiresAtMs: number;
  readonly host: CommandHost;
  readonly command: string;
  readonly cwd: string;
}

export interface GatePass {
  readonly by: "full" | "allowlist" | "approval";
  /** Allowlist entries, safe programs or the approval that let it through, in words. */
  readonly rule: string;
  readonly approvalId?: string;
  /** What anyone who asked for the command should know of it, one sentence. */
  readonly note?: string;
  /** Takes the pass for the plan that is about to start, once. */
  consume(plan: CommandPlan | undefined, run?: RunSurroundings): Promise<void>;
}

export type RunSurroundings = Pick<GateRequest, "command" | "cwd" | "host" | "env" | "input">;

/** Fulfilled only for a command that may run. */
export interface CommandGate {
  /**
   * Whether every command passes here, whatever it is, so that no one need read it before
   * `authorise`, which decides. Absent: not known.
   */
  passesAll?(request: Omit<GateRequest, "plan" | "refusal">): Promise<boolean>;
  authorise(request: GateRequest): Promise<GatePass>;
}
