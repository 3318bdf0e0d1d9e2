// `tools`: the policy for all agents, and the settings of each tool.
import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { modelChoice } from "./models.js";
import {
  choice,
  either,
  flag,
  integer,
  number,
  openSection,
  section,
  text,
  texts,
} from "./section.js";
import { net, web } from "./web.js";

const sender = () => either([t.string(), t.number()]);

const elevated = () =>
  section("Running commands on the host from a sandboxed session.", {
    enabled: flag("Allow elevated commands.", { default: true }),
    allowFrom: t.record(t.array(sender()), {
      description: "Senders who may use it, per channel.",
    }),
  });

const loopDetection = () =>
  section("Detects a model that repeats the same call.", {
    enabled: flag("Detect loops.", { default: true }),
    warnAt: integer("Repeats before a warning.", { minimum: 1, default: 10 }),
    stopAt: integer("Repeats before the call is stopped.", { minimum: 1, default: 20 }),
  });

const sandbox = () => section("Tools in sandboxed sessions.", { tools: toolLists() });

const fs = () =>
  section("File tools.", {
    workspaceOnly: flag("File tools always stay in their root.", { deprecated: true }),
    protectClientFiles: flag(
      "Block writes to files that configure agent clients, editors and shells, such as `.mcp.json`.",
      { default: true },
    ),
  });

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

export const tools = () =>
  section("Which tools are available, and how each behaves.", {
    ...policyKeys(),
    unknownAllow: choice(
      "When no entry of an allow list is known: ignore the list, or deny all tools.",
      ["ignore", "deny"],
      { default: "ignore" },
    ),
    taint: choice(
      "After untrusted content: mark it, ask before risky tools, or deny them.",
      ["mark", "ask", "deny"],
      { default: "mark" },
    ),
    ...ownKeys(),
    web: web(),
    net: net(),
    message: message(),
    subagents: section("Sub-agents.", { model: modelChoice(), tools: toolLists() }),
    agentToAgent: section("Messages between agents.", {
      enabled: flag("Allow agents to message each other.", { default: false }),
      allow: texts("Agent ids that may take part; `*` is a wildcard."),
    }),
    sessions: section("Access to other sessions.", {
      visibility: choice("Sessions that the session tools can see.", [
        "self",
        "tree",
        "agent",
        "all",
      ]),
    }),
  });

const MAX_BACKGROUND_MS = 120_000;
const MAX_CLEANUP_MS = 3 * 60 * 60 * 1_000;

const applyPatch = () =>
  section("The `apply_patch` tool.", {
    enabled: flag("Offer `apply_patch` to every model. Default: OpenAI models only."),
    allowModels: texts("Offer `apply_patch` only to these models: `model` or `provider/model`."),
    workspaceOnly: flag("Patches always stay in the workspace.", { deprecated: true }),
  });

const namedNetwork = () =>
  section("Hosts that commands in the sandbox reach, through a filtering proxy.", {
    allow: texts(
      "Allowed hosts (`example.com`, `*.example.com`, `example.com:8443`) and the preset `registries`.",
    ),
  });

const exec = () =>
  section("Commands.", {
    sandbox: choice(
      "Sandbox for commands; `auto` uses bwrap if its probe passes.",
      ["auto", "bwrap", "docker", "none"],
      { default: "auto" },
    ),
    network: either([t.boolean(), namedNetwork()], {
      description:
        "Network in the sandbox: none (`false`, the default), all (`true`), or only the hosts in `allow`.",
    }),
    host: choice("Where commands run.", ["sandbox", "gateway", "node"]),
    security: choice("What may run. Default: `full` in a working sandbox, otherwise `allowlist`.", [
      "deny",
      "allowlist",
      "full",
    ]),
    ask: choice(
      "When to ask for approval. Default: `off` in a working sandbox, otherwise `on-miss`.",
      ["off", "on-miss", "always"],
    ),
    mode: choice("Sets `security` and `ask` together. `auto` equals `ask`.", [
      "deny",
      "allowlist",
      "ask",
      "auto",
      "full",
    ]),
    node: text("Node id or name for `host: node`.", { minLength: 1 }),
    pathPrepend: texts("Directories prepended to PATH."),
    safeBins: texts("Programs that need no allowlist entry when they only read stdin."),
    safeBinTrustedDirs: texts("Extra trusted directories for `safeBins`."),
    strictInlineEval: flag("Always ask for inline code (`python -c`, `node -e`).", {
      default: false,
    }),
    timeoutSec: number("Command timeout; 0 means the maximum, one day.", {
      minimum: 0,
      default: 1_800,
    }),
    timeoutSeconds: number("OpenClaw's name for `timeoutSec`; takes precedence.", { minimum: 0 }),
    backgroundMs: integer("Time before a running command moves to the background.", {
      minimum: 10,
      maximum: MAX_BACKGROUND_MS,
      default: 10_000,
    }),
    cleanupMs: integer("How long a finished command stays available.", {
      minimum: 60_000,
      maximum: MAX_CLEANUP_MS,
      default: 1_800_000,
    }),
    notifyOnExit: flag("Send a notice when a background command exits.", { default: true }),
    notifyOnExitEmptySuccess: flag("Also when it succeeded without output.", { default: false }),
    approvalRunningNoticeMs: integer(
      "Time before a running approved command is reported; 0 means never.",
      { minimum: 0, default: 10_000 },
    ),
    applyPatch: applyPatch(),
  });

const marker = () =>
  section("Marks the origin of a message.", {
    enabled: flag("Mark cross-context messages.", { default: true }),
    prefix: text("Text before the message; `{channel}` is replaced."),
    suffix: text("Text after the message; `{channel}` is replaced."),
  });

const crossContext = () =>
  section("Messages to other conversations.", {
    allowWithinProvider: flag("Allow other conversations in the same channel.", { default: true }),
    allowAcrossProviders: flag("Allow other channels.", { default: false }),
    marker: marker(),
  });

const message = () =>
  openSection("The `message` tool.", {
    allowCrossContextSend: flag("Use tools.message.crossContext.", { deprecated: true }),
    crossContext: crossContext(),
    broadcast: section("Broadcasts.", {
      enabled: flag("Allow broadcasts.", { default: true }),
    }),
  });

/** Each unknown name is compared with all known ones; a longer list would make every start slow. */
const MAX_NAMES = 1_000;
const ALLOW = () =>
  names("Keep only these tools: ids, `group:…`, plugin ids, MCP server ids, `*`.");
const ALSO_ALLOW = () => names("Add these to the tools this layer starts from.");
const DENY = () => names("Remove these tools; deny wins over allow.");

const toolListKeys = lazy(() => ({ allow: ALLOW(), alsoAllow: ALSO_ALLOW(), deny: DENY() }));

export const toolLists = lazy(() => section("Tool lists.", toolListKeys()));

const profile = () =>
  choice("Base set of tools; `full` means no restriction.", [
    "minimal",
    "coding",
    "messaging",
    "full",
  ]);

const byProvider = () =>
  t.record(section("Tools for one provider or model.", { profile: profile(), ...toolListKeys() }), {
    description: "Tools per `provider` or `provider/model`.",
  });

export const toolsBySender = lazy(() =>
  t.record(toolLists(), {
    description:
      "Tools per sender: `channel:<channel>:<id>`, `id:…`, `e164:…`, `username:…`, `name:…` or `*`.",
  }),
);

function names(description: string) {
  return t.array(t.string({ minLength: 1 }), { description, maxItems: MAX_NAMES });
}
