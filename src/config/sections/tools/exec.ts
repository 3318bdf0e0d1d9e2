// `tools.exec`: where commands run, what is allowed, and for how long.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { either, section, texts } from "../section.js";

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

export const exec = lazy(() =>
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
