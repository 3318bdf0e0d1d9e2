// A browser of its own for a test: profiles and files in a temporary folder, pages of this machine
// allowed, and a look at the processes, ports and folders that are left.
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClawtoolsConfig } from "../../../src/config/index.js";
import type { Browsers } from "../../../src/core/browser.js";
import type { Clock } from "../../../src/core/index.js";
import { createSystemClock, createSystemRandom } from "../../../src/drivers/clock.js";
import { openBrowsers } from "../../../src/toolkit/ports/open-browsers.js";

const GONE_MS = 5_000;
const LOOK_PAUSE_MS = 25;

export interface LifeSetting {
  readonly folder: string;
  readonly stateDir: string;
  readonly browsers: Browsers;
  /** Another toolkit on the same state folder, as another process would have it. */
  another(config?: ClawtoolsConfig["browser"]): Browsers;
  close(): Promise<void>;
}

export interface LifeOptions {
  readonly browser?: ClawtoolsConfig["browser"];
  readonly clock?: Clock;
}

export const scope = () => ({ signal: new AbortController().signal });

export async function createLifeSetting(options: LifeOptions = {}): Promise<LifeSetting> {
  const folder = await mkdtemp(join(tmpdir(), "claw-life-"));
  const stateDir = join(folder, "state");
  const opened: Browsers[] = [];
  const open = (browser: ClawtoolsConfig["browser"]): Browsers => {
    const made = openBrowsers({
      root: folder,
      stateDir,
      config: { browser: { ssrfPolicy: { dangerouslyAllowPrivateNetwork: true }, ...browser } },
      system: { clock: options.clock ?? createSystemClock(), random: createSystemRandom() },
    });
    opened.push(made);
    return made;
  };
  return {
    folder,
    stateDir,
    browsers: open(options.browser),
    another: (browser) => open({ ...options.browser, ...browser }),
    async close() {
      await Promise.all(opened.map((one) => one.close()));
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

export interface PageServer {
  readonly url: string;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Says so before it hangs. */
const HANG =
  "const r = new XMLHttpRequest(); r.open('GET', '/hanging', false); r.send(); for (;;) {}";

const PAGES: Readonly<Record<string, string>> = {
  "/": "<title>Home</title><h1>Home</h1><button>Press</button>",
  "/second": "<title>Second</title><h1>Second</h1>",
  "/hang": `<title>Hang</title><button onclick="${HANG}">Hang</button>`,
  "/closing": "<title>Opener</title><button onclick=\"window.open('/closed')\">Open</button>",
  "/closed": '<title>Closing</title><button onclick="window.close()">Close me</button>',
  "/popups":
    "<title>Opener</title><button onclick=\"for (let i = 0; i < 5; i++) window.open('/second?' + i)\">Open five</button>",
  "/flood":
    "<title>Flood</title><script>let n = 0; setInterval(() => { for (let i = 0; i < 500; i++) history.pushState({}, '', '#' + n++); }, 0)</script>",
  "/popup": "<title>Opener</title><button onclick=\"window.open('/second')\">Open</button>",
};

export async function servePages(): Promise<PageServer> {
  const asked: string[] = [];
  const server: Server = createServer((request, answer) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    asked.push(pathname);
    answer.writeHead(pathname in PAGES ? 200 : 404, { "content-type": "text/html" });
    answer.end(PAGES[pathname] ?? "none");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Processes whose command line names this text, dead ones left out. */
export function findProcesses(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const line = readFileSync(`/proc/${name}/cmdline`, "utf8");
        const [, state] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ");
        return line.includes(text) && !state?.startsWith("Z") ? [Number(name)] : [];
      } catch {
        // It ended while it was looked at.
        return [];
      }
    });
}

/** Folders for temporary files that a process has made; of this one when none is named. */
export function findScratch(pid = process.pid): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`clawtools-web-${pid}-`));
}

export interface OwnTemp {
  /** What lies in it. */
  list(): string[];
  remove(): Promise<void>;
}

/** From now on all temporary files of this process and its children lie in a folder of their own. */
export async function useOwnTemp(): Promise<OwnTemp> {
  const before = process.env.TMPDIR;
  const folder = await mkdtemp(join(tmpdir(), "claw-temp-"));
  process.env.TMPDIR = folder;
  return {
    list: () => readdirSync(folder),
    async remove() {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/** Waits until it holds; false when it does not in time. */
export async function holdsSoon(isTrue: () => boolean, maxMs = GONE_MS): Promise<boolean> {
  const untilMs = performance.now() + maxMs;
  while (!isTrue()) {
    if (performance.now() > untilMs) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE_MS));
  }
  return true;
}
