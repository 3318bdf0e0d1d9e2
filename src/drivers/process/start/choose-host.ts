// Where a command runs and by which rules. A call can tighten them, never loosen.

import {
  COMMAND_ASK,
  COMMAND_SECURITY,
  type CommandAsk,
  type CommandHost,
  type CommandSecurity,
  type Containment,
  type Containments,
  type StartRequest,
  ToolError,
} from "../../../core/index.js";
import type { ElevatedLevel, ElevatedSettings, ProcessSettings } from "../settings.js";

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
