// Decides about a command before it starts: where it runs and by which rules, which a call can tighten,
// never loosen, and whether it may run: planned, allowed by the gate, planned again because files may
// have changed.

import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import {
  type CommandPlan,
  type CommandPlanner,
  isSingleProgram,
  type PlannedCommand,
  renderPlan,
  toSpawn,
} from "../../../core/command/index.js";
import {
  COMMAND_ASK,
  COMMAND_SECURITY,
  type CommandAsk,
  type CommandGate,
  type CommandHost,
  type CommandSecurity,
  type Containment,
  type Containments,
  type GateRequest,
  type StartRequest,
  ToolError,
} from "../../../core/index.js";
import { isInside } from "../../../lib/paths.js";
import type { LaunchWork } from "../launch/inner-script.js";
import type { ElevatedLevel, ElevatedSettings, ProcessSettings } from "../settings.js";

const MAX_COMMAND_BYTES = 128 * 1_024;
/** Used when the rules changed between two checks. */
const NOT_READ: PlannedCommand = {
  ok: false,
  refusal: { reason: "command_unreadable", message: "The rules were just changed; run it again." },
};

const ANYBODY = "*";
const SANDBOX_RULES = { security: "full", ask: "off" } as const;
/** Outside the sandbox a person approves each command. */
const ELEVATED_RULES = { security: "full", ask: "always" } as const;
const HOST_RULES = { security: "allowlist", ask: "on-miss" } as const;

export interface ChosenHost {
  readonly host: CommandHost;
  readonly containment: Containment;
  readonly security: CommandSecurity;
  readonly ask: CommandAsk;
}

export interface HostQuestion {
  readonly settings: ProcessSettings;
  readonly containments: Containments;
  readonly request: Pick<
    StartRequest,
    "host" | "security" | "ask" | "elevated" | "sender" | "node" | "sandboxed"
  >;
}

export function chooseHost({ settings, containments, request }: HostQuestion): ChosenHost {
  const mustSandbox = settings.mustSandbox || request.sandboxed === true;
  const usual = usualHost({ ...settings, mustSandbox }, containments);
  const isElevated = request.elevated === true && usual === "sandbox";
  const level = isElevated ? assertElevated(settings.elevated, request.sender) : undefined;
  const host = isElevated ? "gateway" : (request.host ?? usual);
  if (host === "node" || request.node !== undefined) {
    throw new ToolError("unavailable", 'Commands on nodes are not built yet; use host "gateway".', {
      reason: "host_unavailable",
    });
  }
  if (host !== usual && !isElevated) throw otherHost(host, usual);
  const isFree = level === "full" || host === "sandbox";
  const defaults = isFree ? SANDBOX_RULES : isElevated ? ELEVATED_RULES : HOST_RULES;
  const containment = host === "sandbox" ? sandboxOf(containments) : containments.host;
  return { host, containment, ...tighten({ defaults, settings, request }) };
}

/** Without any request of the call. */
export function usualHost(settings: ProcessSettings, containments: Containments): CommandHost {
  if (settings.mustSandbox) return "sandbox";
  return settings.host ?? (containments.sandbox === undefined ? "gateway" : "sandbox");
}

/** undefined where nothing can run. */
export function containmentOf(
  host: CommandHost,
  { sandbox, host: machine }: Containments,
): Containment | undefined {
  if (host === "sandbox") return sandbox;
  return host === "gateway" ? machine : undefined;
}

export function usualRules(settings: ProcessSettings, host: CommandHost) {
  const defaults = host === "sandbox" ? SANDBOX_RULES : HOST_RULES;
  return tighten({ defaults, settings, request: {} });
}

interface Rules {
  readonly security?: CommandSecurity | undefined;
  readonly ask?: CommandAsk | undefined;
}

interface RuleLayers {
  readonly defaults: Required<Pick<ChosenHost, "security" | "ask">>;
  readonly settings: Rules;
  readonly request: Rules;
}

function tighten({ defaults, settings, request }: RuleLayers) {
  const security = settings.security ?? defaults.security;
  const ask = settings.ask ?? defaults.ask;
  // Both lists are ordered: the first security and the last ask are the strictest.
  return {
    security:
      COMMAND_SECURITY.find((one) => one === security || one === request.security) ?? "deny",
    ask: COMMAND_ASK.findLast((one) => one === ask || one === request.ask) ?? "always",
  };
}

function sandboxOf({ sandbox, sandboxProblem }: Containments): Containment {
  if (sandbox !== undefined) return sandbox;
  throw new ToolError(
    "unavailable",
    `Commands must run in a sandbox, and there is none: ${sandboxProblem ?? "no reason is known."}`,
    { reason: "sandbox_unavailable" },
  );
}

function otherHost(asked: CommandHost, usual: CommandHost): ToolError {
  return new ToolError(
    "denied",
    `Commands run on host "${usual}" here, not on "${asked}"; leave host out, or use elevated where the owner allows it.`,
    { reason: "host_not_allowed" },
  );
}

/** Throws `denied` / `elevated_denied` with the closed gates. */
function assertElevated(
  { enabled, allowFrom, level }: ElevatedSettings,
  sender: StartRequest["sender"],
): Exclude<ElevatedLevel, "off"> {
  const closed: string[] = [];
  if (!enabled) closed.push("tools.elevated.enabled is false");
  if (level === "off") closed.push('agents.defaults.elevatedDefault is "off"');
  if (sender !== undefined && !isListed(allowFrom[sender.channel] ?? [], sender.id)) {
    closed.push(`tools.elevated.allowFrom.${sender.channel} does not list the sender`);
  }
  if (closed.length === 0 && level !== "off") return level;
  throw new ToolError("denied", `elevated is not allowed here: ${closed.join("; ")}.`, {
    reason: "elevated_denied",
  });
}

function isListed(entries: readonly (string | number)[], id: string): boolean {
  return entries.some((entry) => String(entry) === ANYBODY || String(entry) === id);
}

type CommandQuestion = Omit<GateRequest, "plan" | "refusal"> & Pick<StartRequest, "onPass">;

interface AuthoriseDeps {
  readonly planner: CommandPlanner;
  readonly gate: CommandGate;
}

export async function authoriseCommand(
  { planner, gate }: AuthoriseDeps,
  question: CommandQuestion,
) {
  assertCommand(question.command);
  const plan = () => planner.plan(question);
  const planned = (await needsNoPlan(gate, question)) ? NOT_READ : await plan();
  const answer = planned.ok ? { plan: planned.plan } : { refusal: planned.refusal };
  const pass = await gate.authorise({ ...question, ...answer });
  question.onPass?.(pass);
  // A full pass covers any plan.
  const current = pass.by === "full" ? planned : await plan();
  await pass.consume(current.ok ? current.plan : undefined, question);
  const runsText = !current.ok || (pass.by === "full" && question.host === "sandbox");
  const work = runsText ? textOf(question.command) : workOf(current.plan);
  return { work, rule: pass.rule, note: pass.note };
}

/** A sandbox that allows everything runs the text as it is. */
async function needsNoPlan(gate: CommandGate, question: CommandQuestion): Promise<boolean> {
  return question.host === "sandbox" && (await gate.passesAll?.(question)) === true;
}

function textOf(command: string): LaunchWork {
  return { kind: "script", text: command };
}

function workOf(plan: CommandPlan): LaunchWork {
  const [step] = plan.steps;
  return step !== undefined && isSingleProgram(plan)
    ? { kind: "argv", argv: toSpawn(step) }
    : textOf(renderPlan(plan));
}

function assertCommand(command: string): void {
  const bytes = Buffer.byteLength(command);
  if (bytes > MAX_COMMAND_BYTES) {
    throw new ToolError(
      "limit",
      `The command has ${bytes} bytes; put it into a file of at most ${MAX_COMMAND_BYTES} and run that.`,
      { reason: "command_too_long" },
    );
  }
  if (command.trim() !== "" && !command.includes("\0")) return;
  throw new ToolError(
    "invalid_input",
    "The command is empty or has a NUL in it; write a command.",
    { reason: "command_invalid" },
  );
}

interface WorkdirRequest {
  readonly root: string;
  readonly workdir: string | undefined;
  readonly isSandbox: boolean;
}

/** Absolute, links resolved. A missing folder is refused, never replaced. */
export function resolveWorkdir(request: WorkdirRequest): string {
  const { root, workdir, isSandbox } = request;
  if (workdir === undefined) return realFolder(root, root);
  if (workdir.includes("\0")) throw invalid("workdir has a NUL in it; write it without.");
  const path = realFolder(resolve(root, workdir), workdir);
  if (!isSandbox || isInside(path, realFolder(root, root))) return path;
  throw new ToolError(
    "denied",
    `workdir "${workdir}" is outside of the workspace, where the sandbox has nothing; use a folder of the workspace.`,
    { reason: "workdir_outside_root" },
  );
}

/** Synchronous: the thread pool would take longer. */
function realFolder(path: string, shown: string): string {
  try {
    const real = realpathSync.native(path);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw new ToolError("not_found", `The folder "${shown}" does not exist; nothing was run.`, {
      reason: "workdir_missing",
      cause: error,
    });
  }
  throw invalid(`"${shown}" is not a folder; nothing was run.`);
}

function invalid(message: string): ToolError {
  return new ToolError("invalid_input", message, { reason: "workdir_invalid" });
}
