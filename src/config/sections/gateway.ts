// The gateway: `gateway`, `cron`, `commands`, `update`, `canvasHost`.
import { choice, flag, integer, number, openSection, text, texts } from "./section.js";

const MAX_PORT = 65_535;

const enabled = () => flag("Enable this endpoint.", { default: false });
const token = () => text("Shared token.");
const password = () => text("Shared password.");

const auth = () =>
  openSection("Client authentication.", {
    mode: choice("Authentication method.", ["token", "password", "trusted-proxy", "none"]),
    token: token(),
    password: password(),
    allowTailscale: flag("Trust identity headers from Tailscale Serve."),
    trustedProxy: openSection("Settings for `trusted-proxy`.", {
      userHeader: text("Header with the signed-in user.", { default: "x-forwarded-user" }),
    }),
  });

const tls = () =>
  openSection("TLS.", {
    enabled: flag("Enable TLS.", { default: false }),
    autoGenerate: flag("Generate a certificate if none exists."),
    certPath: text("Certificate file."),
    keyPath: text("Private key file."),
    caPath: text("CA file."),
  });

const remote = () =>
  openSection("A remote gateway for the CLI.", {
    url: text("URL: `ws://…` or `wss://…`."),
    token: token(),
    password: password(),
    tlsFingerprint: text("SHA-256 fingerprint of its certificate."),
  });

const nodes = () =>
  openSection("Connected devices.", {
    allowCommands: texts("Commands to allow in addition to the platform's."),
    denyCommands: texts("Commands to always deny."),
    commands: openSection("Alternative form of both lists.", {
      allow: texts("Commands to allow in addition to the platform's."),
      deny: texts("Commands to always deny."),
    }),
    browser: openSection("Browsers on nodes.", {
      mode: choice("When to use a node's browser.", ["auto", "manual", "off"]),
      node: text("Node id."),
    }),
    pairing: openSection("Pairing of new devices.", {
      autoApproveLocal: flag("Approve devices on this machine automatically."),
      autoApproveCidrs: texts("Approve devices in these networks automatically."),
    }),
  });

export const gateway = () =>
  openSection("The gateway.", {
    port: integer("HTTP and WebSocket port; 0 picks a free one.", {
      minimum: 0,
      maximum: MAX_PORT,
      default: 18_789,
    }),
    mode: choice("Run a gateway, or connect to one.", ["local", "remote"]),
    bind: choice(
      "Network interface to listen on.",
      ["loopback", "lan", "tailnet", "auto", "custom"],
      { default: "loopback" },
    ),
    customBindHost: text("Address for `bind: custom`."),
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
      root: text(
        "Folder of a web client served at `/`: `dist/control-ui` of the openclaw package.",
        { minLength: 1 },
      ),
    }),
    tools: openSection("Tools over HTTP.", {
      allow: texts("Tools to remove from the HTTP deny list."),
      deny: texts("Tools to add to the HTTP deny list."),
    }),
    nodes: nodes(),
    reload: openSection("Config reload.", {
      mode: choice("What happens when the config changes.", ["off", "restart", "hot", "hybrid"], {
        default: "hybrid",
      }),
      debounceMs: integer("Debounce time after a change.", { minimum: 0, default: 300 }),
    }),
  });

export const cron = () =>
  openSection("Scheduled jobs.", {
    enabled: flag("Run scheduled jobs.", { default: true }),
    store: text("Job store file."),
    maxConcurrentRuns: integer("Maximum concurrent jobs.", { minimum: 1, default: 1 }),
    skipMissedJobs: flag("Skip jobs that were due while the gateway was down."),
  });

export const commands = () =>
  openSection("Chat commands.", {
    restart: flag("Allow the `gateway` tool and chat commands to restart the gateway.", {
      default: false,
    }),
  });

export const update = () =>
  openSection("Gateway updates.", {
    command: text("Bash command that `update.run` runs. Default: updates are disabled.", {
      minLength: 1,
    }),
    timeoutSeconds: number("Timeout of the update command.", { minimum: 1, default: 600 }),
  });

export const canvasHost = () =>
  openSection("Canvas pages.", {
    enabled: flag("Serve canvas pages."),
    root: text("Directory of the pages."),
    port: integer("Port.", { minimum: 0, maximum: MAX_PORT }),
    liveReload: flag("Reload a page when it changes.", { default: true }),
  });
