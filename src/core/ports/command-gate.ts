// The port that decides whether a command may run, and asks where it must. Which command a decision
// was about is settled by the plan's hash.

import type { CommandInput, CommandPlan, CommandRefusal } from "../command/plan.js";

export const COMMAND_SECURITY = ["deny", "allowlist", "full"] as const;
export type CommandSecurity = (typeof COMMAND_SECURITY)[number];

export const COMMAND_ASK = ["off", "on-miss", "always"] as const;
export type CommandAsk = (typeof COMMAND_ASK)[number];

/** Where a command runs: contained, on this machine, on a paired node. */
export type CommandHost = "sandbox" | "gateway" | "node";

export interface GateRequest {
  readonly command: string;
  /** Absent when the command could not be read into one. */
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
  /** The first eight characters of `id`, enough to answer by. */
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

/** What a pass is bound to next to the plan. */
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
