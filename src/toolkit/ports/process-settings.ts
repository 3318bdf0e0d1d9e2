// Settings of commands from the config. An agent's own settings win.
import { type ClawtoolsConfig, findAgent } from "../../config/index.js";
import type { ProcessSettings } from "../../drivers/process/index.js";
import type { SandboxChoice } from "../../drivers/sandbox/index.js";

const DEFAULT_TIMEOUT_SECONDS = 1_800;
const DEFAULT_KEEP_MS = 1_800_000;
const SECOND_MS = 1_000;
const ANYBODY = "*";
/** No model reviews commands here, so `auto` asks a person where OpenClaw asks its reviewer first. */
const MODES = {
  deny: { security: "deny" },
  allowlist: { security: "allowlist", ask: "off" },
  ask: { security: "allowlist", ask: "on-miss" },
  auto: { security: "allowlist", ask: "on-miss" },
  full: { security: "full", ask: "off" },
} as const satisfies Record<NonNullable<ExecSection["mode"]>, ExecSection>;

interface CommandSettings {
  readonly process: ProcessSettings;
  readonly sandbox: SandboxChoice;
  readonly pathPrepend: readonly string[];
  readonly safeBins: readonly string[] | undefined;
  readonly trustedDirs: readonly string[] | undefined;
  /** `tools.exec.network.allow`; undefined when there is none. */
  readonly allowedHosts: readonly string[] | undefined;
  readonly yieldMs: number | undefined;
  readonly approvalTimeoutMs: number | undefined;
}

export interface SettingsSource {
  readonly root: string;
  readonly config: ClawtoolsConfig;
  readonly agentId: string | undefined;
  readonly sandboxed: boolean;
}

type ExecSection = NonNullable<NonNullable<ClawtoolsConfig["tools"]>["exec"]>;
type ElevatedSection = NonNullable<NonNullable<ClawtoolsConfig["tools"]>["elevated"]>;

/** The configuration has been checked before. */
export function readCommandSettings(source: SettingsSource): CommandSettings {
  const { root, config, agentId, sandboxed } = source;
  const own = findAgent(config, agentId)?.tools;
  const exec = { ...readExec(config.tools?.exec), ...readExec(own?.exec) };
  return {
    process: {
      root,
      host: exec.host ?? (mustContain(exec.sandbox) ? "sandbox" : undefined),
      security: exec.security,
      ask: exec.ask,
      mustSandbox: sandboxed,
      allowsNetwork: exec.network === true,
      timeoutMs: (exec.timeoutSec ?? DEFAULT_TIMEOUT_SECONDS) * SECOND_MS,
      keepMs: exec.cleanupMs ?? DEFAULT_KEEP_MS,
      notifyOnExit: exec.notifyOnExit ?? true,
      notifyOnEmptySuccess: exec.notifyOnExitEmptySuccess ?? false,
      elevated: readElevated(config, own?.elevated),
      declaredNames: [],
    },
    sandbox: exec.sandbox ?? "auto",
    pathPrepend: exec.pathPrepend ?? [],
    safeBins: exec.safeBins,
    trustedDirs: exec.safeBinTrustedDirs,
    allowedHosts: typeof exec.network === "object" ? exec.network.allow : undefined,
    yieldMs: exec.backgroundMs,
    approvalTimeoutMs: config.approvals?.timeoutMs,
  };
}

/** Anyone who names a sandbox wants one: where it does not hold, nothing runs. */
function mustContain(choice: SandboxChoice | undefined): boolean {
  return choice === "bwrap" || choice === "docker";
}

/** `mode` is another way to write `security` and `ask`; the schema refuses both together. */
function readExec({ mode, timeoutSeconds, ...exec }: ExecSection = {}): ExecSection {
  return {
    ...exec,
    ...(mode === undefined ? {} : MODES[mode]),
    ...(timeoutSeconds === undefined ? {} : { timeoutSec: timeoutSeconds }),
  };
}

/** Both must agree: an agent can close what is open for all, and not open what is closed. */
function readElevated(
  config: ClawtoolsConfig,
  own: ElevatedSection | undefined,
): ProcessSettings["elevated"] {
  const all = config.tools?.elevated;
  return {
    enabled: (all?.enabled ?? true) && (own?.enabled ?? true),
    allowFrom: intersect(all?.allowFrom, own?.allowFrom),
    level: config.agents?.defaults?.elevatedDefault ?? "ask",
  };
}

type Senders = Readonly<Record<string, readonly (string | number)[]>>;

function intersect(all: Senders | undefined, own: Senders | undefined): Senders {
  if (all === undefined || own === undefined) return own ?? all ?? {};
  return Object.fromEntries(
    Object.entries(own).map(([channel, entries]) => {
      const allowed = (all[channel] ?? []).map(String);
      const isAllowed = (entry: string | number) =>
        allowed.includes(ANYBODY) || allowed.includes(String(entry));
      return [channel, entries.includes(ANYBODY) ? allowed : entries.filter(isAllowed)];
    }),
  );
}
