// `browser`: the browser that the agent drives.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { named, openSection, texts } from "./section.js";
import { ssrfPolicy } from "./web.js";

const FIRST_CDP_PORT = 18_800;
const LAST_CDP_PORT = 18_899;

const color = lazy(() => t.string({ description: "Window colour, such as `#FF4500`." }));
const headless = lazy(() =>
  t.boolean({
    description: "Run headless. Default: true without a display.",
  }),
);
const executablePath = lazy(() => t.string({ description: "Browser executable.", minLength: 1 }));
const cdpUrl = lazy(() => t.string({ description: "CDP URL of a running browser." }));
const attachOnly = lazy(() =>
  t.boolean({ description: "Attach to a running browser; never start one.", default: false }),
);

const profile = lazy(() =>
  openSection("A browser profile.", {
    cdpPort: t.integer({
      description: "DevTools port, for `browser.port` and `attachOnly`.",
      minimum: FIRST_CDP_PORT,
      maximum: LAST_CDP_PORT,
    }),
    cdpUrl: cdpUrl(),
    driver: t.string({ description: "Driver." }),
    color: color(),
    headless: headless(),
    executablePath: executablePath(),
    userDataDir: t.string({ description: "Directory for cookies and history." }),
    attachOnly: attachOnly(),
  }),
);

export const browser = lazy(() =>
  openSection("The `browser` tool.", {
    enabled: t.boolean({ description: "Offer the tool.", default: true }),
    defaultProfile: t.string({
      description: "Default profile.",
      minLength: 1,
      default: "chrome",
    }),
    profiles: named(profile(), {
      description: "Profiles by name: lowercase letters, digits and `-`.",
      pattern: "^[a-z0-9][a-z0-9-]*$",
      maxLength: 64,
    }),
    ssrfPolicy: ssrfPolicy(),
    allowedOrigins: texts(
      "If set, only these can be reached: `https://example.com`, `*.example.com`, `localhost:3000`, `localhost:*`.",
    ),
    blockedOrigins: texts("Never reached; same format as `allowedOrigins`."),
    headless: headless(),
    noSandbox: t.boolean({ description: "Disable Chromium's own sandbox.", default: false }),
    executablePath: executablePath(),
    cdpUrl: cdpUrl(),
    attachOnly: attachOnly(),
    color: color(),
    remoteCdpTimeoutMs: t.integer({
      description: "Connect timeout for a remote browser.",
      minimum: 1,
      default: 1_500,
    }),
    remoteCdpHandshakeTimeoutMs: t.integer({
      description: "Handshake timeout. Default: twice `remoteCdpTimeoutMs`, at least 2000.",
      minimum: 1,
    }),
    evaluateEnabled: t.boolean({
      description: "Allow scripts in pages.",
      default: true,
    }),
    snapshotDefaults: openSection("Default snapshot options.", {
      mode: t.choice(["efficient"], {
        description: "Default snapshot mode: interactive elements only.",
      }),
    }),
    maxTabs: t.integer({ description: "Maximum open tabs.", minimum: 1, default: 8 }),
    maxTabDownloadMb: t.integer({
      description: "Unsaved downloads that one tab may start by itself.",
      minimum: 1,
      default: 100,
    }),
    maxDownloadMb: t.integer({
      description: "The same for all tabs of a browser.",
      minimum: 1,
      default: 500,
    }),
    idleMinutes: t.integer({
      description: "Idle time before the browser stops; 0 means never.",
      minimum: 0,
      default: 15,
    }),
    port: t.boolean({
      description:
        "Open a DevTools port. Every user and process on this machine can then control the browser.",
      default: false,
    }),
    attachDefaultContext: t.boolean({
      description:
        "Use the cookies and tabs of a running browser. `ssrfPolicy` is then best-effort.",
      default: false,
    }),
    tabCleanup: openSection("Idle tabs.", {
      enabled: t.boolean({ description: "Stop the browser after `idleMinutes`.", default: true }),
    }),
    extraArgs: texts("Extra browser arguments; feature flags add to the built-in ones."),
    controlUrl: t.string({
      description: "Use `browser.cdpUrl` for a remote browser.",
      deprecated: true,
    }),
    controlToken: t.string({
      description: "No token is needed.",
      deprecated: true,
    }),
  }),
);
