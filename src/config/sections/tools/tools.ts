// `tools`: the policy for all agents, and the settings of each tool.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { modelChoice } from "../models/model-choice.js";
import { either, section, texts } from "../section.js";
import { exec } from "./exec.js";
import { message } from "./message.js";
import { net } from "./net.js";
import { byProvider, profile, toolListKeys, toolLists, toolsBySender } from "./tool-lists.js";
import { web } from "./web.js";

const sender = lazy(() => either([t.string(), t.number()]));

const elevated = lazy(() =>
  section("Commands on the host from inside a sandbox.", {
    enabled: t.boolean({ description: "Offer it.", default: true }),
    allowFrom: t.record(t.array(sender()), {
      description: "Who may use it: a list of senders for each channel.",
    }),
  }),
);

const loopDetection = lazy(() =>
  section("Stops a model that repeats itself.", {
    enabled: t.boolean({ description: "Watch for loops.", default: true }),
    warnAt: t.integer({
      description: "Repeats after which the model is warned.",
      minimum: 1,
      default: 10,
    }),
    stopAt: t.integer({
      description: "Repeats after which the call is stopped.",
      minimum: 1,
      default: 20,
    }),
  }),
);

const sandbox = lazy(() => section("What is offered inside a sandbox.", { tools: toolLists() }));

const fs = lazy(() =>
  section("File tools.", {
    workspaceOnly: t.boolean({
      description: "File tools never leave their root here, whatever this key says.",
      deprecated: true,
    }),
    protectClientFiles: t.boolean({
      description:
        "Tools cannot change what configures agents' clients, editors and shells, such as `.mcp.json` or `.vscode/tasks.json`.",
      default: true,
    }),
  }),
);

/** What the whole config and one agent both may say. */
const policyKeys = lazy(() => ({
  profile: profile(),
  ...toolListKeys(),
  byProvider: byProvider(),
  toolsBySender: toolsBySender(),
}));
const ownKeys = lazy(() => ({
  exec: exec(),
  fs: fs(),
  elevated: elevated(),
  sandbox: sandbox(),
  loopDetection: loopDetection(),
}));

export const agentTools = lazy(() =>
  section("The tools of this agent.", { ...policyKeys(), ...ownKeys() }),
);

export const tools = lazy(() =>
  section("Tools: which are offered, and how each behaves.", {
    ...policyKeys(),
    unknownAllow: t.choice(["ignore", "deny"], {
      description: "An allow list of which no entry is known: drop it, or offer nothing.",
      default: "ignore",
    }),
    taint: t.choice(["mark", "ask", "deny"], {
      description: "After content from outside: only mark it, ask before risky tools, refuse them.",
      default: "mark",
    }),
    ...ownKeys(),
    web: web(),
    net: net(),
    message: message(),
    subagents: section("Sub-agents.", { model: modelChoice(), tools: toolLists() }),
    agentToAgent: section("Messages from agent to agent.", {
      enabled: t.boolean({ description: "Allow them.", default: false }),
      allow: texts("Ids of the agents that take part; `*` means any letters."),
    }),
    sessions: section("Sessions of others.", {
      visibility: t.choice(["self", "tree", "agent", "all"], {
        description: "Which sessions the session tools see.",
      }),
    }),
  }),
);
