// `browser`: the browser that the agent drives.

import { choice, flag, integer, named, openSection, text, texts } from "./section.js";
import { ssrfPolicy } from "./web.js";

const FIRST_CDP_PORT = 18_800;
const LAST_CDP_PORT = 18_899;

const color = () => text("Window colour, such as `#FF4500`.");
const headless = () => flag("Run headless. Default: true without a display.");
const executablePath = () => text("Browser executable.", { minLength: 1 });
const cdpUrl = () => text("CDP URL of a running browser.");
const attachOnly = () => flag("Attach to a running browser; never start one.", { default: false });

const profile = () =>
  openSection("A browser profile.", {
    cdpPort: integer("DevTools port, for `browser.port` and `attachOnly`.", {
      minimum: FIRST_CDP_PORT,
      maximum: LAST_CDP_PORT,
    }),
    cdpUrl: cdpUrl(),
    driver: text("Driver."),
    color: color(),
    headless: headless(),
    executablePath: executablePath(),
    userDataDir: text("Directory for cookies and history."),
    attachOnly: attachOnly(),
  });

export const browser = () =>
  openSection("The `browser` tool.", {
    enabled: flag("Offer the tool.", { default: true }),
    defaultProfile: text("Default profile.", { minLength: 1, default: "chrome" }),
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
    noSandbox: flag("Disable Chromium's own sandbox.", { default: false }),
    executablePath: executablePath(),
    cdpUrl: cdpUrl(),
    attachOnly: attachOnly(),
    color: color(),
    remoteCdpTimeoutMs: integer("Connect timeout for a remote browser.", {
      minimum: 1,
      default: 1_500,
    }),
    remoteCdpHandshakeTimeoutMs: integer(
      "Handshake timeout. Default: twice `remoteCdpTimeoutMs`, at least 2000.",
      { minimum: 1 },
    ),
    evaluateEnabled: flag("Allow scripts in pages.", { default: true }),
    snapshotDefaults: openSection("Default snapshot options.", {
      mode: choice("Default snapshot mode: interactive elements only.", ["efficient"]),
    }),
    maxTabs: integer("Maximum open tabs.", { minimum: 1, default: 8 }),
    maxTabDownloadMb: integer("Unsaved downloads that one tab may start by itself.", {
      minimum: 1,
      default: 100,
    }),
    maxDownloadMb: integer("The same for all tabs of a browser.", { minimum: 1, default: 500 }),
    idleMinutes: integer("Idle time before the browser stops; 0 means never.", {
      minimum: 0,
      default: 15,
    }),
    port: flag(
      "Open a DevTools port. Every user and process on this machine can then control the browser.",
      { default: false },
    ),
    attachDefaultContext: flag(
      "Use the cookies and tabs of a running browser. `ssrfPolicy` is then best-effort.",
      { default: false },
    ),
    tabCleanup: openSection("Idle tabs.", {
      enabled: flag("Stop the browser after `idleMinutes`.", { default: true }),
    }),
    extraArgs: texts("Extra browser arguments; feature flags add to the built-in ones."),
    controlUrl: text("Use `browser.cdpUrl` for a remote browser.", { deprecated: true }),
    controlToken: text("No token is needed.", { deprecated: true }),
  });
