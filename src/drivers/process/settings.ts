// The configuration of commands.

import type { CommandAsk, CommandHost, CommandSecurity } from "../../core/index.js";

const DEFAULT_TIMEOUT_MS = 1_800_000;
const DEFAULT_KEEP_MS = 1_800_000;
export const MAX_FINISHED_RUNS = 50;
export const MAX_RUNNING = 500;
export const MAX_TIMEOUT_MS = 24 * 60 * 60_000;

export type ElevatedLevel = "off" | "on" | "ask" | "full";

export interface ElevatedSettings {
  /** `tools.elevated.enabled` of the configuration and of the agent. */
  readonly enabled: boolean;
  /** `tools.elevated.allowFrom`: senders for each channel. Asked only when a sender is known. */
  readonly allowFrom: Readonly<Record<string, readonly (string | number)[]>>;
  /** `agents.defaults.elevatedDefault`; `ask` when absent. */
  readonly level: ElevatedLevel;
}

export interface ProcessSettings {
  readonly root: string;
  /** `tools.exec.host`. */
  readonly host?: CommandHost | undefined;
  /** `tools.exec.security` and `tools.exec.ask`. */
  readonly security?: CommandSecurity | undefined;
  readonly ask?: CommandAsk | undefined;
  /** The agent must run in a sandbox. */
  readonly mustSandbox: boolean;
  /** `tools.exec.network`. */
  readonly allowsNetwork: boolean;
  /** `tools.exec.timeoutSec`; 0 is the maximum. */
  readonly timeoutMs: number;
  /** `tools.exec.cleanupMs`. */
  readonly keepMs: number;
  /** `tools.exec.notifyOnExit` and `tools.exec.notifyOnExitEmptySuccess`. */
  readonly notifyOnExit: boolean;
  readonly notifyOnEmptySuccess: boolean;
  readonly elevated: ElevatedSettings;
  /** Variables that commands get and calls may set despite the rules. */
  readonly declaredNames: readonly string[];
}

export function defaultSettings(root: string): ProcessSettings {
  return {
    root,
    mustSandbox: false,
    allowsNetwork: false,
    timeoutMs: DEFAULT_TIMEOUT_MS,
    keepMs: DEFAULT_KEEP_MS,
    notifyOnExit: true,
    notifyOnEmptySuccess: false,
    elevated: { enabled: true, allowFrom: {}, level: "ask" },
    declaredNames: [],
  };
}
