// `tools`: the policy for all agents, and the settings of each tool.
import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { modelChoice } from "./models.js";
import { either, openSection, section, texts } from "./section.js";
import { net, web } from "./web.js";

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

const MAX_BACKGROUND_MS = 120_000;
const MAX_CLEANUP_MS = 3 * 60 * 60 * 1_000;

const applyPatch = lazy(() =>
  section("The `apply_patch` tool.", {
    enabled: t.boolean({
      description: "Offer `apply_patch` to every model. Default: OpenAI models only.",
    }),
    allowModels: texts("Offer `apply_patch` only to these models: `model` or `provider/model`."),
    workspaceOnly: t.boolean({
      description: "Patches always stay in the workspace.",
      deprecated: true,
    }),
  }),
);

const namedNetwork = lazy(() =>
  section("Hosts that commands in the sandbox reach, through a filtering proxy.", {
    allow: texts(
      "Allowed hosts (`example.com`, `*.example.com`, `example.com:8443`) and the preset `registries`.",
    ),
  }),
);

const exec = lazy(() =>
  section("Commands.", {
    sandbox: t.choice(["auto", "bwrap", "docker", "none"], {
      description: "Sandbox for commands; `auto` uses bwrap if its probe passes.",
      default: "auto",
    }),
    network: either([t.boolean(), namedNetwork()], {
      description:
        "Network in the sandbox: none (`false`, the default), all (`true`), or only the hosts in `allow`.",
    }),
    host: t.choice(["sandbox", "gateway", "node"], {
      description: "Where commands run.",
    }),
    security: t.choice(["deny", "allowlist", "full"], {
      description: "What may run. Default: `full` in a working sandbox, otherwise `allowlist`.",
    }),
    ask: t.choice(["off", "on-miss", "always"], {
      description:
        "When to ask for approval. Default: `off` in a working sandbox, otherwise `on-miss`.",
    }),
    mode: t.choice(["deny", "allowlist", "ask", "auto", "full"], {
      description: "Sets `security` and `ask` together. `auto` equals `ask`.",
    }),
    node: t.string({ description: "Node id or name for `host: node`.", minLength: 1 }),
    pathPrepend: texts("Directories prepended to PATH."),
    safeBins: texts("Programs that need no allowlist entry when they only read stdin."),
    safeBinTrustedDirs: texts("Extra trusted directories for `safeBins`."),
    strictInlineEval: t.boolean({
      description: "Always ask for inline code (`python -c`, `node -e`).",
      default: false,
    }),
    timeoutSec: t.number({
      description: "Command timeout; 0 means the maximum, one day.",
      minimum: 0,
      default: 1_800,
    }),
    timeoutSeconds: t.number({
      description: "OpenClaw's name for `timeoutSec`; takes precedence.",
      minimum: 0,
    }),
    backgroundMs: t.integer({
      description: "Time before a running command moves to the background.",
      minimum: 10,
      maximum: MAX_BACKGROUND_MS,
      default: 10_000,
    }),
    cleanupMs: t.integer({
      description: "How long a finished command stays available.",
      minimum: 60_000,
      maximum: MAX_CLEANUP_MS,
      default: 1_800_000,
    }),
    notifyOnExit: t.boolean({
      description: "Send a notice when a background command exits.",
      default: true,
    }),
    notifyOnExitEmptySuccess: t.boolean({
      description: "Also when it succeeded without output.",
      default: false,
    }),
    approvalRunningNoticeMs: t.integer({
      description: "Time before a running approved command is reported; 0 means never.",
      minimum: 0,
      default: 10_000,
    }),
    applyPatch: applyPatch(),
  }),
);

const marker = lazy(() =>
  section("Marks the origin of a message.", {
    enabled: t.boolean({ description: "Mark cross-context messages.", default: true }),
    prefix: t.string({ description: "Text before the message; `{channel}` is replaced." }),
    suffix: t.string({ description: "Text after the message; `{channel}` is replaced." }),
  }),
);

const crossContext = lazy(() =>
  section("Messages to other conversations.", {
    allowWithinProvider: t.boolean({
      description: "Allow other conversations in the same channel.",
      default: true,
    }),
    allowAcrossProviders: t.boolean({ description: "Allow other channels.", default: false }),
    marker: marker(),
  }),
);

const message = lazy(() =>
  openSection("The `message` tool.", {
    allowCrossContextSend: t.boolean({
      description: "Use tools.message.crossContext.",
      deprecated: true,
    }),
    crossContext: crossContext(),
    broadcast: section("Broadcasts.", {
      enabled: t.boolean({ description: "Allow broadcasts.", default: true }),
    }),
  }),
);

/** Each unknown name is compared with all known ones; a longer list would make every start slow. */
const MAX_NAMES = 1_000;
const ALLOW = lazy(() =>
  names("Keep only these tools: ids, `group:…`, plugin ids, MCP server ids, `*`."),
);
const ALSO_ALLOW = lazy(() => names("Add these to the tools this layer starts from."));
const DENY = lazy(() => names("Remove these tools; deny wins over allow."));

const toolListKeys = lazy(() => ({ allow: ALLOW(), alsoAllow: ALSO_ALLOW(), deny: DENY() }));

export const toolLists = lazy(() => section("Tool lists.", toolListKeys()));

const profile = lazy(() =>
  t.choice(["minimal", "coding", "messaging", "full"], {
    description: "Base set of tools; `full` means no restriction.",
  }),
);

const byProvider = lazy(() =>
  t.record(section("Tools for one provider or model.", { profile: profile(), ...toolListKeys() }), {
    description: "Tools per `provider` or `provider/model`.",
  }),
);

export const toolsBySender = lazy(() =>
  t.record(toolLists(), {
    description:
      "Tools per sender: `channel:<channel>:<id>`, `id:…`, `e164:…`, `username:…`, `name:…` or `*`.",
  }),
);

function names(description: string) {
  return t.array(t.string({ minLength: 1 }), { description, maxItems: MAX_NAMES });
}
