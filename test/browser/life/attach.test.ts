// Browsers that run already: in a context of our own behind the filter, in theirs by choice, with a
// password, through a door; and what is said when nobody is there.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { request as ask, createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ClawtoolsConfig } from "../../../src/config/index.js";
import { findBrowser } from "../../../src/drivers/browser/launch/find-browser.js";
import {
  createLifeSetting,
  findProcesses,
  findScratch,
  holdsSoon,
  type LifeSetting,
  type OwnTemp,
  type PageServer,
  scope,
  servePages,
  useOwnTemp,
} from "./life-setting.js";

const STARTED = /ws:\/\/127\.0\.0\.1:(\d+)\//;
let temp: OwnTemp;
let pages: PageServer;
let setting: LifeSetting;
let theirs: ChildProcess;
let theirPort = 0;
let theirFolder = "";

beforeAll(async () => {
  temp = await useOwnTemp();
  [pages, setting] = await Promise.all([servePages(), createLifeSetting()]);
  const path = await findBrowser(undefined);
  theirFolder = join(setting.folder, "theirs");
  const flags = ["--headless", "--no-sandbox", "--remote-debugging-port=0", "--no-first-run"];
  theirs = spawn(path, [...flags, `--user-data-dir=${theirFolder}`, "about:blank"]);
  theirPort = await new Promise((resolve) => {
    theirs.stderr?.on("data", (part) => {
      const [, port] = STARTED.exec(String(part)) ?? [];
      if (port !== undefined) resolve(Number(port));
    });
  });
});
afterAll(async () => {
  const ended = once(theirs, "close");
  theirs.kill("SIGKILL");
  await ended;
  await holdsSoon(() => findProcesses(theirFolder).length === 0);
  await setting.close();
  await pages.close();
  await temp.remove();
});

let open: ReturnType<LifeSetting["another"]>[] = [];
beforeEach(() => {
  open = [];
});
afterEach(async () => {
  await Promise.all(open.map((one) => one.close()));
});

function attachTo(cdpUrl: string, more: ClawtoolsConfig["browser"] = {}) {
  const made = setting.another({
    profiles: { theirs: { cdpUrl } },
    defaultProfile: "theirs",
    remoteCdpTimeoutMs: 60_000,
    ...more,
  });
  open.push(made);
  return made;
}

const direct = () => `http://127.0.0.1:${theirPort}`;

/** A door before the browser that wants a name and a password, as services have it. */
async function openDoor(): Promise<{ server: Server; port: number; seen: string[] }> {
  const seen: string[] = [];
  const isKnown = ({ headers }: IncomingMessage) => {
    seen.push(String(headers.authorization));
    return headers.authorization === `Basic ${Buffer.from("me:pass word").toString("base64")}`;
  };
  const server = createServer((request, answer) => {
    if (!isKnown(request)) {
      answer.writeHead(401).end();
      return;
    }
    ask({ port: theirPort, path: request.url, headers: { host: "127.0.0.1" } }, (from) => {
      answer.writeHead(from.statusCode ?? 500, from.headers);
      from.pipe(answer);
    }).end();
  });
  server.on("upgrade", (request, socket) => {
    if (!isKnown(request)) {
      socket.destroy();
      return;
    }
    const behind = connect(theirPort, "127.0.0.1", () => {
      const { host: _host, authorization: _authorization, ...headers } = request.headers;
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      behind.write(
        `GET ${request.url} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join("\r\n")}\r\n\r\n`,
      );
      behind.pipe(socket).pipe(behind);
    });
    behind.on("error", () => socket.destroy());
    socket.on("error", () => behind.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this kind.
  return { server, port: (server.address() as AddressInfo).port, seen };
}

describe("a browser that runs already", () => {
  it("does not let its pages to the port by which it is driven", async () => {
    const browsers = attachTo(direct());
    const page = await browsers.open({ ...scope(), url: "about:blank" });
    const url = `${direct()}/json/list`;
    await expect(page.navigate({ ...scope(), url })).rejects.toMatchObject({ code: "denied" });
  });

  it("is used in a context of its own behind the filter, and lives on", async () => {
    const browsers = attachTo(direct());
    const page = await browsers.open({ ...scope(), url: `${pages.url}/` });
    expect((await page.tab(scope())).title).toBe("Home");
    expect(await browsers.status(scope())).toMatchObject({
      running: true,
      kind: "attached",
      policy: "enforced",
      tabCount: 1,
    });
    const asked = { kind: "evaluate", fn: "() => typeof RTCPeerConnection" } as const;
    expect((await page.act(asked, scope())).result).toBe('"undefined"');
    await browsers.stop(scope());
    expect(findProcesses(theirFolder).length).toBeGreaterThan(0);
    expect(findScratch()).toEqual([]);
  });

  it("keeps the policy there", async () => {
    const browsers = attachTo(direct(), { ssrfPolicy: {} });
    await expect(browsers.open({ ...scope(), url: `${pages.url}/` })).rejects.toMatchObject({
      code: "denied",
    });
  });

  it("is used with its own tabs by choice, where the policy is only advice", async () => {
    const browsers = attachTo(direct(), { attachDefaultContext: true });
    const [tab] = await browsers.start(scope()).then(() => browsers.tabs(scope()));
    expect(tab).toMatchObject({ targetId: "t1", url: "about:blank" });
    expect((await browsers.status(scope())).policy).toBe("advisory");
    const page = await browsers.open({ ...scope(), url: `${pages.url}/second` });
    const { elements } = await page.list(scope());
    expect(elements.map(({ name }) => name)).toContain("Second");
    await browsers.stop(scope());
    const again = attachTo(direct(), { attachDefaultContext: true });
    await again.start(scope());
    expect((await again.tabs(scope())).map(({ title }) => title)).toContain("Second");
  });

  it("is reached through a door with a password, also where it names its own loopback", async () => {
    const { server, port, seen } = await openDoor();
    try {
      const browsers = attachTo(`http://me:pass%20word@127.0.0.1:${port}`);
      const page = await browsers.open({ ...scope(), url: `${pages.url}/` });
      expect((await page.tab(scope())).title).toBe("Home");
      expect(seen.length).toBeGreaterThan(1);
      expect(JSON.stringify(await browsers.status(scope()))).not.toContain("pass");
      await browsers.stop(scope());
      const wrong = attachTo(`http://me:wrong@127.0.0.1:${port}`);
      await expect(wrong.start(scope())).rejects.toMatchObject({
        reason: "browser_unreachable",
        message: expect.stringContaining("401"),
      });
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it("is told when nobody is there, in time", async () => {
    const startMs = performance.now();
    const browsers = attachTo("http://127.0.0.1:1");
    await expect(browsers.start(scope())).rejects.toMatchObject({ reason: "browser_unreachable" });
    expect(performance.now() - startMs).toBeLessThan(20_000);
  });

  it.each(["http://127.0.0.1:1", "ws://127.0.0.1:1/devtools/browser/x"])(
    "is tried by doctor: nobody at %s",
    async (cdpUrl) => {
      const startMs = performance.now();
      const [address] = await examineAddress(attachTo(cdpUrl));
      expect(address).toMatchObject({ isGood: false });
      expect(address?.text).toMatch(/^No browser could be reached at .*; start it with /);
      expect(performance.now() - startMs).toBeLessThan(40_000);
    },
  );

  it("is tried by doctor: somebody answers, by http and by the socket, and nothing is attached", async () => {
    const origin = `127.0.0.1:${theirPort}`;
    for (const cdpUrl of [`http://${origin}`, `ws://${origin}/devtools/browser/x`]) {
      const browsers = attachTo(cdpUrl);
      const [address] = await examineAddress(browsers);
      expect(address).toMatchObject({
        isGood: true,
        text: expect.stringContaining("answers there"),
      });
      expect((await browsers.status(scope())).running).toBe(false);
    }
  });

  it("259 · is never started with attachOnly", async () => {
    const browsers = setting.another({ attachOnly: true });
    open.push(browsers);
    await expect(browsers.start(scope())).rejects.toMatchObject({ reason: "browser_attach_only" });
    expect(findProcesses(setting.stateDir)).toEqual([]);
  });

  it("is refused elsewhere when lists of hosts must be kept", async () => {
    const browsers = attachTo("http://far.test:9222", { allowedOrigins: ["https://example.com"] });
    await expect(browsers.start(scope())).rejects.toMatchObject({ reason: "policy_not_kept" });
  });
});

async function examineAddress(browsers: ReturnType<LifeSetting["another"]>) {
  const findings = await browsers.doctor(scope());
  return findings.filter(({ name }) => name === "address");
}
