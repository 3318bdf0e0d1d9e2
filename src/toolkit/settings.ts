// The parts of the configuration that the door itself reads; everything else goes to the tools as it
// is. The configuration has been checked before.

import type { BudgetLimits, LoopSettings, TaintMode } from "../core/index.js";

const DEFAULT_RESULT_CHARS = 50_000;
const DEFAULT_TURN_CHARS = 150_000;

export interface DoorSettings {
  readonly resultChars: number;
  readonly turnChars: number;
  readonly taintMode: TaintMode;
  readonly budgets: BudgetLimits;
  readonly loop: LoopSettings;
  readonly pluginPaths: readonly string[];
  readonly mcpServers: readonly string[];
}

type Section = Readonly<Record<string, unknown>>;

export function readDoorSettings(config: Section): DoorSettings {
  const limits = section(config, "limits");
  const tools = section(config, "tools");
  const taint = tools.taint;
  const budgets = section(config, "budgets");
  const loop = section(tools, "loopDetection");
  const paths = section(section(config, "plugins"), "load").paths;
  return {
    resultChars: number(limits.resultChars) ?? DEFAULT_RESULT_CHARS,
    turnChars: number(limits.turnChars) ?? DEFAULT_TURN_CHARS,
    taintMode: taint === "ask" || taint === "deny" ? taint : "mark",
    budgets: {
      calls: number(budgets.calls),
      wallMs: number(budgets.wallMs),
      resultChars: number(budgets.resultChars),
      tokens: number(budgets.tokens),
      usd: number(budgets.usd),
    },
    loop: {
      enabled: loop.enabled !== false,
      warnAt: number(loop.warnAt),
      stopAt: number(loop.stopAt),
    },
    mcpServers: Object.keys(section(section(config, "mcp"), "servers")),
    pluginPaths: Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [],
  };
}

function section(parent: Section, name: string): Section {
  const value = Object.hasOwn(parent, name) ? parent[name] : undefined;
  // A parse border: a JSON object, read key by key as unknown.
  return typeof value === "object" && value !== null ? (value as Section) : {};
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
