// `browser`: the browser that the agent drives.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { named, openSection, texts } from "./section.js";
import { ssrfPolicy } from "./tools/ssrf-policy.js";

const FIRST_CDP_PORT = 18_800;
const LAST_CDP_PORT = 18_899;

const color = lazy(() => t.string({ description: "Colour of the window, such as `#FF4500`." }));
const headless = lazy(() =>
  t.boolean({
    description: "Without a window. Default: when there is no screen.",
  }),
);
const executablePath = lazy(() =>
  t.string({ description: "Program of the browser.", minLength: 1 }),
);
const cdpUrl = lazy(() => t.string({ description: "Address of a browser that runs already." }));
const attachOnly = lazy(() => t.boolean({ description: "Never start a browser.", default: false }));

const profile = lazy(() =>
  openSection("One browser with its own cookies.", {
    cdpPort: t.integer({
      description: "Port that browser.port opens, or that attachOnly attaches to.",
      minimum: FIRST_CDP_PORT,
      maximum: LAST_CDP_PORT,
    }),
    cdpUrl: cdpUrl(),
    driver: t.string({ description: "How it is driven." }),
    color: color(),
    headless: headless(),
    executablePath: executablePath(),
    userDataDir: t.string({ description: "Folder of cookies and history." }),
    attachOnly: attachOnly(),
  }),
);

export const browser = lazy(() =>
  openSection("The browser.", {
    enabled: t.boolean({ description: "Offer the tool.", default: true }),
    defaultProfile: t.string({
      description: "Profile of a call that names none.",
      minLength: 1,
      default: "chrome",
    }),
    profiles: named(profile(), {
      description: "The profiles; a name has small letters, digits and `-`.",
      pattern: "^[a-z0-9][a-z0-9-]*$",
      maxLength: 64,
    }),
    ssrfPolicy: ssrfPolicy(),
    allowedOrigins: texts(
      "Only these are reached: `https://example.com`, `*.example.com`, `localhost:3000`, `localhost:*`.",
    ),
    blockedOrigins: texts("These are never reached; written like allowedOrigins."),
    headless: headless(),
    noSandbox: t.boolean({ description: "Turn off the browser's own sandbox.", default: false }),
    executablePath: executablePath(),
    cdpUrl: cdpUrl(),
    attachOnly: attachOnly(),
    color: color(),
    remoteCdpTimeoutMs: t.integer({
      description: "Milliseconds to reach a browser elsewhere.",
      minimum: 1,
      default: 1_500,
    }),
    remoteCdpHandshakeTimeoutMs: t.integer({
      description:
        "Milliseconds for its first answer. Default: twice remoteCdpTimeoutMs, at least 2000.",
      minimum: 1,
    }),
    evaluateEnabled: t.boolean({
      description: "The agent may run scripts in pages.",
      default: true,
    }),
    snapshotDefaults: openSection("Snapshots that say nothing else.", {
      mode: t.choice(["efficient"], { description: "A short view of what can be clicked." }),
    }),
    maxTabs: t.integer({ description: "Tabs open at once.", minimum: 1, default: 8 }),
    maxTabDownloadMb: t.integer({
      description: "Megabytes of downloads that a tab begins by itself and no one has saved.",
      minimum: 1,
      default: 100,
    }),
    maxDownloadMb: t.integer({
      description: "The same for all tabs of a browser together.",
      minimum: 1,
      default: 500,
    }),
    idleMinutes: t.integer({
      description: "Minutes without a call until the browser is stopped; 0 for never.",
      minimum: 0,
      default: 15,
    }),
    port: t.boolean({
      description:
        "Open a DevTools port on browsers that are started: every user and command of this machine can drive them by it.",
      default: false,
    }),
    attachDefaultContext: t.boolean({
      description:
        "In a browser that runs already, use its own cookies and tabs; ssrfPolicy is then only advice.",
      default: false,
    }),
    tabCleanup: openSection("Tabs that no one uses.", {
      enabled: t.boolean({ description: "Stop the browser after idleMinutes.", default: true }),
    }),
    extraArgs: texts(
      "Further arguments of the browser; `--disable-features` and `--enable-features` add to what is named already.",
    ),
    controlUrl: t.string({
      description: "The browser is driven in this process; name one elsewhere in browser.cdpUrl.",
      deprecated: true,
    }),
    controlToken: t.string({
      description: "The browser is driven in this process; no token is needed.",
      deprecated: true,
    }),
  }),
);
