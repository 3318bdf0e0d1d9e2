// `tools.exec`: where commands run, what is allowed, and for how long.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { either, section, texts } from "../section.js";

const MAX_BACKGROUND_MS = 120_000;
const MAX_CLEANUP_MS = 3 * 60 * 60 * 1_000;

const applyPatch = lazy(() =>
  section("The tool `apply_patch`.", {
    enabled: t.boolean({
      description: "Offer it to every model. Without this key: to OpenAI models only.",
    }),
    allowModels: texts("Offer it to these models only: `model` or `provider/model`."),
    workspaceOnly: t.boolean({
      description: "Patches never leave the workspace here, whatever this key says.",
      deprecated: true,
    }),
  }),
);

const namedNetwork = lazy(() =>
  section("Hosts that commands in the sandbox reach, through a filtering proxy.", {
    allow: texts(
      "Hosts (`example.com`, `*.example.com`, `example.com:8443`) and the preset `registries`.",
    ),
  }),
);

export const exec = lazy(() =>
  section("Commands.", {
    sandbox: t.choice(["auto", "bwrap", "docker", "none"], {
      description: "What contains commands; `auto` is bwrap where its probe passes.",
      default: "auto",
    }),
    network: either([t.boolean(), namedNetwork()], {
      description:
        "Network of commands in the sandbox: none (`false`, the default), that of this machine (`true`), or only `allow`.",
    }),
    host: t.choice(["sandbox", "gateway", "node"], {
      description: "Where commands run: in the sandbox, on this machine, on a paired node.",
    }),
    security: t.choice(["deny", "allowlist", "full"], {
      description:
        "What may run. Default: `full` in a working sandbox, `allowlist` on this machine.",
    }),
    ask: t.choice(["off", "on-miss", "always"], {
      description: "When a person is asked. Default: `off` in a working sandbox, else `on-miss`.",
    }),
    mode: t.choice(["deny", "allowlist", "ask", "auto", "full"], {
      description:
        "Both in one word, instead of `security` and `ask`. `auto` is `ask`: no model reviews commands.",
    }),
    node: t.string({ description: "Id or name of the node for `host: node`.", minLength: 1 }),
    pathPrepend: texts("Folders put before PATH."),
    safeBins: texts("Programs that may run on standard input alone without an allowlist entry."),
    safeBinTrustedDirs: texts("Further folders in which a safe program may lie."),
    strictInlineEval: t.boolean({
      description: "Code given to an interpreter on the command line is always asked for.",
      default: false,
    }),
    timeoutSec: t.number({
      description: "Seconds until a command is ended; 0 means no limit.",
      minimum: 0,
      default: 1_800,
    }),
    timeoutSeconds: t.number({
      description: "OpenClaw's name of `timeoutSec`, which it replaces.",
      minimum: 0,
    }),
    backgroundMs: t.integer({
      description: "Milliseconds until a command goes to the background.",
      minimum: 10,
      maximum: MAX_BACKGROUND_MS,
      default: 10_000,
    }),
    cleanupMs: t.integer({
      description: "Milliseconds for which a finished command can still be asked about.",
      minimum: 60_000,
      maximum: MAX_CLEANUP_MS,
      default: 1_800_000,
    }),
    notifyOnExit: t.boolean({
      description: "A notice when a command in the background ends.",
      default: true,
    }),
    notifyOnExitEmptySuccess: t.boolean({
      description: "Also when it ended well and printed nothing.",
      default: false,
    }),
    approvalRunningNoticeMs: t.integer({
      description:
        "Milliseconds until an approved command that still runs is reported; 0 is never.",
      minimum: 0,
      default: 10_000,
    }),
    applyPatch: applyPatch(),
  }),
);
