// `gateway`: the server by which clients, nodes and channels are connected.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection, texts } from "./section.js";

const MAX_PORT = 65_535;

const enabled = lazy(() => t.boolean({ description: "Serve it.", default: false }));
const token = lazy(() => t.string({ description: "Secret that a client must send." }));
const password = lazy(() => t.string({ description: "Password that a client must send." }));

const auth = lazy(() =>
  openSection("Who may connect.", {
    mode: t.choice(["token", "password", "trusted-proxy", "none"], {
      description: "How a client proves itself.",
    }),
    token: token(),
    password: password(),
    allowTailscale: t.boolean({ description: "Trust the names that Tailscale Serve sends." }),
    trustedProxy: openSection("For mode `trusted-proxy`.", {
      userHeader: t.string({
        description: "Header in which the proxy names the signed-in user.",
        default: "x-forwarded-user",
      }),
    }),
  }),
);

const tls = lazy(() =>
  openSection("Encryption.", {
    enabled: t.boolean({ description: "Use it.", default: false }),
    autoGenerate: t.boolean({ description: "Make a certificate when there is none." }),
    certPath: t.string({ description: "File of the certificate." }),
    keyPath: t.string({ description: "File of its key." }),
    caPath: t.string({ description: "File of the authorities that are trusted." }),
  }),
);

const remote = lazy(() =>
  openSection("A gateway elsewhere, for the command line.", {
    url: t.string({ description: "Its address: `ws://…` or `wss://…`." }),
    token: token(),
    password: password(),
    tlsFingerprint: t.string({ description: "SHA-256 of its certificate." }),
  }),
);

const nodes = lazy(() =>
  openSection("Devices that are connected.", {
    allowCommands: texts("Commands allowed besides those of the platform."),
    denyCommands: texts("Commands refused always."),
    commands: openSection("The same two lists, under one key.", {
      allow: texts("Commands allowed besides those of the platform."),
      deny: texts("Commands refused always."),
    }),
    browser: openSection("Browsers on nodes.", {
      mode: t.choice(["auto", "manual", "off"], { description: "When a node's browser is used." }),
      node: t.string({ description: "The node to use." }),
    }),
    pairing: openSection("New devices.", {
      autoApproveLocal: t.boolean({ description: "Accept those of this machine." }),
      autoApproveCidrs: texts("Accept those of these networks."),
    }),
  }),
);

export const gateway = lazy(() =>
  openSection("The gateway.", {
    port: t.integer({
      description: "Port of HTTP and WebSocket; 0 takes a free one.",
      minimum: 0,
      maximum: MAX_PORT,
      default: 18_789,
    }),
    mode: t.choice(["local", "remote"], { description: "Run one here, or use one elsewhere." }),
    bind: t.choice(["loopback", "lan", "tailnet", "auto", "custom"], {
      description: "Which networks reach it.",
      default: "loopback",
    }),
    customBindHost: t.string({ description: "Address for `bind: custom`." }),
    auth: auth(),
    tls: tls(),
    remote: remote(),
    trustedProxies: texts("Addresses of proxies whose headers are believed."),
    allowedHosts: texts("Further host names with port by which clients reach it."),
    allowedOrigins: texts("Origins of web pages that may connect, besides its own."),
    http: openSection("HTTP.", {
      endpoints: openSection("Interfaces of others that can be served.", {
        chatCompletions: openSection("`/v1/chat/completions`.", { enabled: enabled() }),
        responses: openSection("`/v1/responses`.", { enabled: enabled() }),
      }),
    }),
    tools: openSection("Tools called over HTTP.", {
      allow: texts("Tools taken from the list that HTTP refuses."),
      deny: texts("Tools added to it."),
    }),
    nodes: nodes(),
    reload: openSection("Changes of the config.", {
      mode: t.choice(["off", "restart", "hot", "hybrid"], {
        description: "What a change leads to.",
        default: "hybrid",
      }),
      debounceMs: t.integer({
        description: "Milliseconds of quiet after a change.",
        minimum: 0,
        default: 300,
      }),
    }),
  }),
);
