// The gateway: `gateway`, `cron`, `commands`, `update`, `canvasHost`.
import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection, texts } from "./section.js";

const MAX_PORT = 65_535;

const enabled = lazy(() => t.boolean({ description: "Enable this endpoint.", default: false }));
const token = lazy(() => t.string({ description: "Shared token." }));
const password = lazy(() => t.string({ description: "Shared password." }));

const auth = lazy(() =>
  openSection("Client authentication.", {
    mode: t.choice(["token", "password", "trusted-proxy", "none"], {
      description: "Authentication method.",
    }),
    token: token(),
    password: password(),
    allowTailscale: t.boolean({ description: "Trust identity headers from Tailscale Serve." }),
    trustedProxy: openSection("Settings for `trusted-proxy`.", {
      userHeader: t.string({
        description: "Header with the signed-in user.",
        default: "x-forwarded-user",
      }),
    }),
  }),
);

const tls = lazy(() =>
  openSection("TLS.", {
    enabled: t.boolean({ description: "Enable TLS.", default: false }),
    autoGenerate: t.boolean({ description: "Generate a certificate if none exists." }),
    certPath: t.string({ description: "Certificate file." }),
    keyPath: t.string({ description: "Private key file." }),
    caPath: t.string({ description: "CA file." }),
  }),
);

const remote = lazy(() =>
  openSection("A remote gateway for the CLI.", {
    url: t.string({ description: "URL: `ws://…` or `wss://…`." }),
    token: token(),
    password: password(),
    tlsFingerprint: t.string({ description: "SHA-256 fingerprint of its certificate." }),
  }),
);

const nodes = lazy(() =>
  openSection("Connected devices.", {
    allowCommands: texts("Commands to allow in addition to the platform's."),
    denyCommands: texts("Commands to always deny."),
    commands: openSection("Alternative form of both lists.", {
      allow: texts("Commands to allow in addition to the platform's."),
      deny: texts("Commands to always deny."),
    }),
    browser: openSection("Browsers on nodes.", {
      mode: t.choice(["auto", "manual", "off"], { description: "When to use a node's browser." }),
      node: t.string({ description: "Node id." }),
    }),
    pairing: openSection("Pairing of new devices.", {
      autoApproveLocal: t.boolean({
        description: "Approve devices on this machine automatically.",
      }),
      autoApproveCidrs: texts("Approve devices in these networks automatically."),
    }),
  }),
);

export const gateway = lazy(() =>
  openSection("The gateway.", {
    port: t.integer({
      description: "HTTP and WebSocket port; 0 picks a free one.",
      minimum: 0,
      maximum: MAX_PORT,
      default: 18_789,
    }),
    mode: t.choice(["local", "remote"], { description: "Run a gateway, or connect to one." }),
    bind: t.choice(["loopback", "lan", "tailnet", "auto", "custom"], {
      description: "Network interface to listen on.",
      default: "loopback",
    }),
    customBindHost: t.string({ description: "Address for `bind: custom`." }),
    auth: auth(),
    tls: tls(),
    remote: remote(),
    trustedProxies: texts("Addresses of proxies whose headers are trusted."),
    allowedHosts: texts("Extra `host:port` values that clients may use."),
    allowedOrigins: texts("Extra web origins that may connect."),
    http: openSection("HTTP.", {
      endpoints: openSection("Compatible endpoints.", {
        chatCompletions: openSection("`/v1/chat/completions`.", { enabled: enabled() }),
        responses: openSection("`/v1/responses`.", { enabled: enabled() }),
      }),
    }),
    controlUi: openSection("Control UI.", {
      root: t.string({
        description:
          "Folder of a web client served at `/`: `dist/control-ui` of the openclaw package.",
        minLength: 1,
      }),
    }),
    tools: openSection("Tools over HTTP.", {
      allow: texts("Tools to remove from the HTTP deny list."),
      deny: texts("Tools to add to the HTTP deny list."),
    }),
    nodes: nodes(),
    reload: openSection("Config reload.", {
      mode: t.choice(["off", "restart", "hot", "hybrid"], {
        description: "What happens when the config changes.",
        default: "hybrid",
      }),
      debounceMs: t.integer({
        description: "Debounce time after a change.",
        minimum: 0,
        default: 300,
      }),
    }),
  }),
);

export const cron = lazy(() =>
  openSection("Scheduled jobs.", {
    enabled: t.boolean({ description: "Run scheduled jobs.", default: true }),
    store: t.string({ description: "Job store file." }),
    maxConcurrentRuns: t.integer({
      description: "Maximum concurrent jobs.",
      minimum: 1,
      default: 1,
    }),
    skipMissedJobs: t.boolean({
      description: "Skip jobs that were due while the gateway was down.",
    }),
  }),
);

export const commands = lazy(() =>
  openSection("Chat commands.", {
    restart: t.boolean({
      description: "Allow the `gateway` tool and chat commands to restart the gateway.",
      default: false,
    }),
  }),
);

export const update = lazy(() =>
  openSection("Gateway updates.", {
    command: t.string({
      description: "Bash command that `update.run` runs. Default: updates are disabled.",
      minLength: 1,
    }),
    timeoutSeconds: t.number({
      description: "Timeout of the update command.",
      minimum: 1,
      default: 600,
    }),
  }),
);

export const canvasHost = lazy(() =>
  openSection("Canvas pages.", {
    enabled: t.boolean({ description: "Serve canvas pages." }),
    root: t.string({ description: "Directory of the pages." }),
    port: t.integer({ description: "Port.", minimum: 0, maximum: MAX_PORT }),
    liveReload: t.boolean({ description: "Reload a page when it changes.", default: true }),
  }),
);
