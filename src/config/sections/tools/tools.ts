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
  section("Running commands on the host from a sandboxed session.", {
    enabled: t.boolean({ description: "Allow elevated commands.", default: true }),
    allowFrom: t.record(t.array(sender()), {
      description: "Senders who may use it, per channel.",
    }),
  }),
);

const loopDetection = lazy(() =>
  section("Detects a model that repeats the same call.", {
    enabled: t.boolean({ description: "Detect loops.", default: true }),
    warnAt: t.integer({
      description: "Repeats before a warning.",
      minimum: 1,
      default: 10,
    }),
    stopAt: t.integer({
      description: "Repeats before the call is stopped.",
      minimum: 1,
      default: 20,
    }),
  }),
);

const sandbox = lazy(() => section("Tools in sandboxed sessions.", { tools: toolLists() }));

const fs = lazy(() =>
  section("File tools.", {
    workspaceOnly: t.boolean({
      description: "File tools always stay in their root.",
      deprecated: true,
    }),
    protectClientFiles: t.boolean({
      description:
        "Block writes to files that configure agent clients, editors and shells, such as `.mcp.json`.",
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
  section("Tool policy and settings of this agent.", { ...policyKeys(), ...ownKeys() }),
);

export const tools = lazy(() =>
  section("Which tools are available, and how each behaves.", {
    ...policyKeys(),
    unknownAllow: t.choice(["ignore", "deny"], {
      description: "When no entry of an allow list is known: ignore the list, or deny all tools.",
      default: "ignore",
    }),
    taint: t.choice(["mark", "ask", "deny"], {
      description: "After untrusted content: mark it, ask before risky tools, or deny them.",
      default: "mark",
    }),
    ...ownKeys(),
    web: web(),
    net: net(),
    message: message(),
    subagents: section("Sub-agents.", { model: modelChoice(), tools: toolLists() }),
    agentToAgent: section("Messages between agents.", {
      enabled: t.boolean({ description: "Allow agents to message each other.", default: false }),
      allow: texts("Agent ids that may take part; `*` is a wildcard."),
    }),
    sessions: section("Access to other sessions.", {
      visibility: t.choice(["self", "tree", "agent", "all"], {
        description: "Sessions that the session tools can see.",
      }),
    }),
  }),
);
