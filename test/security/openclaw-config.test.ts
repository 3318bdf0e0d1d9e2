// A config that restricts in the forms of a current OpenClaw either removes the tool here or does not
// load; it is never read as one without the restriction.

import { type ClawtoolsConfig, createToolkit, type ToolkitOptions } from "clawtools";
import { expect, it } from "vitest";
import { startToolkit, textOf } from "../toolkit/start-toolkit.js";

const ROOT = "/project";
const DENY = { deny: ["exec"] };

type Row = [config: object, options?: Partial<ToolkitOptions>];

function start(config: object, options: Partial<ToolkitOptions> = {}) {
  // The border: configs as users write them.
  return startToolkit({ root: ROOT, config: config as ClawtoolsConfig, ...options });
}

it.each<Row>([
  [{ agents: { entries: { ops: { tools: DENY } } } }, { agentId: "ops" }],
  [{ agents: { entries: { Ops: { tools: DENY } } } }, { agentId: "ops" }],
  [{ agents: { entries: { main: { tools: DENY } } } }],
  [{ agents: { entries: { ops: { default: true, tools: { allow: ["read"] } } } } }],
  [{ agents: { entries: { ops: { tools: { profile: "messaging" } } } } }, { agentId: "ops" }],
  [
    { agents: { entries: { ops: { tools: { byProvider: { openai: DENY } } } } } },
    { agentId: "ops", provider: "openai" },
  ],
  [
    { agents: { entries: { ops: { tools: { toolsBySender: { "id:u1": DENY } } } } } },
    { agentId: "ops", messageChannel: "slack", sender: { id: "u1" } },
  ],
  [
    {
      agents: { entries: { ops: { sandbox: { mode: "all" } } } },
      tools: { sandbox: { tools: DENY } },
    },
    { agentId: "ops" },
  ],
  [
    {
      agents: { defaults: { sandbox: { mode: "non-main" } } },
      tools: { sandbox: { tools: DENY } },
    },
    { sessionKey: "agent:main:slack:c1" },
  ],
])("%j with %j removes the tool", (config, options) => {
  expect(start(config, options).toolkit.tools.map(({ name }) => name)).not.toContain("exec");
});

it.each<[config: object, path: string]>([
  [{ agents: { entries: { ops: DENY } } }, "agents.entries.ops.deny"],
  [
    { agents: { entries: { ops: { permissions: { exec: false } } } } },
    "agents.entries.ops.permissions",
  ],
  [{ agents: { entries: { ops: { tool: { profile: "minimal" } } } } }, "agents.entries.ops.tool"],
  [{ agents: { entrys: { ops: { tools: DENY } } } }, "agents.entrys"],
  [{ agents: { defaults: { tools: DENY } } }, "agents.defaults.tools"],
  [
    { agents: { entries: { ops: { sandbox: { networkPolicy: "none" } } } } },
    "sandbox.networkPolicy",
  ],
  [{ agents: { entries: { ops: { tools: DENY } }, list: [{ id: "OPS" }] } }, "agents.entries.ops"],
  [{ agents: { defaults: { sandbox: { workspaceAccess: "ro" } } } }, "workspaceAccess"],
  [{ agents: { list: [{ id: "a", sandbox: { workspaceAccess: "none" } }] } }, "workspaceAccess"],
  [{ agents: { defaults: { tools: { exec: { security: "deny" } } } } }, "agents.defaults.tools"],
  [
    {
      tools: { exec: { network: true } },
      agents: { defaults: { sandbox: { docker: { network: "none" } } } },
    },
    "sandbox.docker.network",
  ],
  [{ tools: { denny: ["exec"] } }, 'did you mean "deny"?'],
  [{ tools: { remove: ["exec"] } }, "tools.remove"],
  [{ tools: { exec: { enabled: false } } }, "tools.exec.enabled"],
  [{ tools: { exec: { policy: "deny" } } }, "tools.exec.policy"],
  [{ tools: { exec: { mode: "none" } } }, "tools.exec.mode"],
  [{ tools: { byProvider: { openai: { only: ["read"] } } } }, "tools.byProvider.openai.only"],
  [{ tools: { toolsBySender: { "id:u1": { denied: ["exec"] } } } }, "denied"],
  [{ channels: { discord: { guilds: { g: { channels: { c: { tools: DENY } } } } } } }, "guilds"],
  [{ channels: { slack: { groups: { c: { tools: { blocked: ["exec"] } } } } } }, "blocked"],
  [{ gateway: { auth: { allowUsers: ["me"] } } }, "gateway.auth.allowUsers"],
  [DENY, "deny"],
])("%j does not load", (config, named) => {
  const load = () => createToolkit({ root: ROOT, config: config as ClawtoolsConfig });
  expect(load).toThrow(expect.objectContaining({ reason: "config_invalid" }));
  expect(load).toThrow(named);
});

it.each(["deny", "allowlist"])("tools.exec.mode %s keeps a command from running", async (mode) => {
  const { call } = start({ tools: { exec: { mode } } });
  const result = await call("exec", { arguments: { command: "node --version" } });
  expect(result.isError).toBe(true);
  expect(textOf(result)).not.toContain("v2");
});

it.each<[config: object]>([
  [{}],
  [{ tools: { media: { concurrency: 2, image: { enabled: true } }, codeMode: { mode: "only" } } }],
  [{ agents: { defaults: { modelPolicy: { allow: ["openai/*"] }, typingMode: "never" } } }],
  [{ agents: { entries: { main: { skills: ["browser"], heartbeat: { every: "1h" } } } } }],
  [{ models: { providers: { x: { models: [{ input: ["text", "image"] }] } } }, wizard: {} }],
])("%j has a harmless key at most, and loads", (config) => {
  const { toolkit } = start(config);
  expect(toolkit.tools.map(({ name }) => name)).toContain("exec");
  expect(toolkit.diagnostics().filter(({ severity }) => severity === "error")).toEqual([]);
});
