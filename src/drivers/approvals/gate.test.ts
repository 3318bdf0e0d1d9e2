// When nobody need read a command before the gate: only where every one passes, by request and list.
import { describe, expect, it } from "vitest";
import type { CommandAsk, CommandSecurity } from "../../core/index.js";
import { createCommandGate } from "./gate.js";
import { createMemoryGrants } from "./grants/grants-file.js";

interface Rules {
  readonly security: CommandSecurity;
  readonly ask: CommandAsk;
}

function passesAll({ security, ask }: Rules, defaults: Partial<Rules>) {
  const gate = createCommandGate({
    grantsFile: createMemoryGrants({ version: 1, defaults, agents: {} }),
    store: async () => undefined,
    clock: { now: () => 0, after: () => () => undefined },
    random: { hex: (byteCount) => "0".repeat(byteCount * 2) },
    owners: { own: "own", isDead: () => false },
    report: ({ cause }) => {
      throw cause;
    },
  });
  return gate.passesAll?.({
    command: "rm -rf /",
    cwd: "/root-of-all",
    host: "sandbox",
    security,
    ask,
    env: {},
    agentId: undefined,
    sessionKey: undefined,
    toolCallId: "call",
    signal: new AbortController().signal,
  });
}

describe("the gate lets every command pass", () => {
  it("where request and list are as open as can be", async () => {
    expect(await passesAll({ security: "full", ask: "off" }, {})).toBe(true);
    const open = { security: "full", ask: "off" } as const;
    expect(await passesAll(open, open)).toBe(true);
  });

  it.each<[Rules, Partial<Rules>]>([
    [{ security: "allowlist", ask: "off" }, {}],
    [{ security: "full", ask: "on-miss" }, {}],
    [{ security: "full", ask: "off" }, { security: "allowlist" }],
    [{ security: "full", ask: "off" }, { security: "deny" }],
    [{ security: "full", ask: "off" }, { ask: "always" }],
  ])("but not for %j with a list of %j", async (request, defaults) => {
    expect(await passesAll(request, defaults)).toBe(false);
  });
});
