// Where a command runs and by which rules: the whole table of machine, configuration and call.

import { describe, expect, it } from "vitest";
import type { Containment, Containments } from "../../../core/index.js";
import { defaultSettings, type ProcessSettings } from "../settings.js";
import { chooseHost, type HostQuestion } from "./authorise-command.js";

function contain(kind: Containment["kind"]): Containment {
  return {
    kind,
    isSandbox: kind === "bwrap",
    endsChildren: kind !== "group",
    limits: [],
    warnings: [],
    setupScript: "",
    smallSetupScript: "",
    wrapperCount: 0,
    startsInit: false,
    enclose: ({ argv: [file, ...args], cwd, env }) => ({ file, args, cwd, env }),
  };
}

const WITH: Containments = { sandbox: contain("bwrap"), host: contain("namespace") };
const WITHOUT: Containments = { sandboxProblem: "bwrap is missing.", host: contain("group") };

interface Case {
  readonly machine?: Containments;
  readonly config?: Partial<ProcessSettings>;
  readonly call?: HostQuestion["request"];
}

function choose({ machine = WITH, config = {}, call = {} }: Case): string {
  const settings = { ...defaultSettings("/ws"), ...config };
  try {
    const { host, containment, security, ask } = chooseHost({
      settings,
      containments: machine,
      request: call,
    });
    return `${host} ${containment.kind} ${security} ${ask}`;
  } catch (error) {
    return String(Reflect.get(Object(error), "reason"));
  }
}

const elevated = (change: Partial<ProcessSettings["elevated"]>) => ({
  elevated: { ...defaultSettings("/ws").elevated, ...change },
});

describe("a command", () => {
  it.each<[string, Case, string]>([
    ["in the sandbox where there is one", {}, "sandbox bwrap full off"],
    ["on the host where there is none", { machine: WITHOUT }, "gateway group allowlist on-miss"],
    [
      "on the host when it is configured",
      { config: { host: "gateway" } },
      "gateway namespace allowlist on-miss",
    ],
    [
      "in the sandbox when that is said twice",
      { config: { host: "sandbox" }, call: { host: "sandbox" } },
      "sandbox bwrap full off",
    ],
    [
      "by the configured rules",
      { config: { security: "allowlist", ask: "always" } },
      "sandbox bwrap allowlist always",
    ],
    [
      "by tighter rules of the call",
      { call: { security: "deny", ask: "on-miss" } },
      "sandbox bwrap deny on-miss",
    ],
    [
      "never by looser rules of the call",
      { config: { host: "gateway" }, call: { security: "full", ask: "off" } },
      "gateway namespace allowlist on-miss",
    ],
    [
      "167 · on the host with full security when elevated, and each command is asked for",
      { call: { elevated: true } },
      "gateway namespace full always",
    ],
    [
      "on the host by full rules when the owner has said so",
      { config: elevated({ level: "full" }), call: { elevated: true } },
      "gateway namespace full off",
    ],
    [
      "by the configured rules even when elevated fully",
      {
        config: { ...elevated({ level: "full" }), security: "allowlist" },
        call: { elevated: true },
      },
      "gateway namespace allowlist off",
    ],
    [
      "168 · as ever when elevated without a sandbox",
      { machine: WITHOUT, call: { elevated: true } },
      "gateway group allowlist on-miss",
    ],
  ])("runs %s", (_, given, expected) => {
    expect(choose(given)).toBe(expected);
  });

  it.each<[string, Case, string]>([
    [
      "that must be sandboxed where no sandbox holds",
      { machine: WITHOUT, config: { mustSandbox: true } },
      "sandbox_unavailable",
    ],
    [
      "whose configured sandbox does not hold",
      { machine: WITHOUT, config: { host: "sandbox" } },
      "sandbox_unavailable",
    ],
    ["that asks for the host from a sandbox", { call: { host: "gateway" } }, "host_not_allowed"],
    [
      "that asks for a sandbox on the host",
      { machine: WITHOUT, call: { host: "sandbox" } },
      "host_not_allowed",
    ],
    ["for a node", { call: { host: "node" } }, "host_unavailable"],
    ["for a node by its name", { call: { node: "laptop" } }, "host_unavailable"],
    [
      "166 · that is elevated where that is off",
      { config: elevated({ enabled: false }), call: { elevated: true } },
      "elevated_denied",
    ],
    [
      "that is elevated at level off",
      { config: elevated({ level: "off" }), call: { elevated: true } },
      "elevated_denied",
    ],
    [
      "that is elevated for a sender who is not listed",
      {
        config: elevated({ allowFrom: { slack: ["U1"] } }),
        call: { elevated: true, sender: { channel: "slack", id: "U2" } },
      },
      "elevated_denied",
    ],
  ])("%s is refused", (_, given, expected) => {
    expect(choose(given)).toBe(expected);
  });

  it("is elevated for a sender who is listed", () => {
    const config = elevated({ allowFrom: { slack: ["U1", 7] } });
    const call = (id: string) => ({ elevated: true, sender: { channel: "slack", id } });
    expect(choose({ config, call: call("U1") })).toContain("gateway");
    expect(choose({ config, call: call("7") })).toContain("gateway");
  });
});
