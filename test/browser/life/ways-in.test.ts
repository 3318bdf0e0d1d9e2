// Ways to a browser that somebody other than its owner might try: a running managed browser offers none
// of them; a Chromium with a DevTools port offers several.
import { execFile, spawn } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findBrowser } from "../../../src/drivers/browser/launch/find-browser.js";
import {
  createLifeSetting,
  findProcesses,
  holdsSoon,
  type LifeSetting,
  type PageServer,
  scope,
  servePages,
} from "./life-setting.js";

const run = promisify(execFile);
const NOBODY = ["--reuid", "65534", "--regid", "65534", "--clear-groups"];
const SANDBOX = ["--ro-bind", "/", "/", "--tmpfs", "/tmp", "--dev", "/dev", "--proc", "/proc"];
/** Asks ports for their pages, and prints those that show the text. */
const ASK_PORTS = `
const [text, ...ports] = process.argv.slice(1);
const ask = (port) => new Promise((resolve) => {
  const end = () => resolve(said.includes(text) ? [port] : []);
  let said = "";
  const request = require("node:http").get({ host: "127.0.0.1", port, path: "/json/list" }, (answer) => {
    answer.on("data", (part) => { said += part; }).on("close", end);
  });
  request.on("error", end);
  setTimeout(() => request.destroy(), 3000);
});
Promise.all(ports.map(ask)).then((found) => { console.log(JSON.stringify(found.flat())); process.exit(); });
`;
/** Prints whether somebody answers at a socket. */
const KNOCK = `
require("node:net").connect(process.argv[1]).on("connect", () => { console.log("open"); process.exit(); })
  .on("error", (error) => console.log(error.code));
`;

/** One browser, as somebody beside it sees it. */
interface Seen {
  /** In the command line of each of its processes. */
  readonly userData: string;
  /** In the address of its page. */
  readonly marker: string;
}

let setting: LifeSetting;
let pages: PageServer;
let managed: Seen;
let open: Seen & { readonly pid: number };
const sockets = () => listSockets([...findProcesses(managed.userData), process.pid]);

beforeAll(async () => {
  [setting, pages] = await Promise.all([createLifeSetting(), servePages()]);
  managed = {
    userData: join(setting.stateDir, "browser/chrome/user-data"),
    marker: "second?managed",
  };
  await setting.browsers.open({ ...scope(), url: `${pages.url}/${managed.marker}` });
  const path = await findBrowser(undefined);
  const userData = mkdtempSync(join(tmpdir(), "claw-open-"));
  const args = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"];
  const marker = "second?open";
  const child = spawn(path, [...args, `--user-data-dir=${userData}`, `${pages.url}/${marker}`], {
    stdio: "ignore",
  });
  open = { userData, marker, pid: child.pid ?? 0 };
  expect(await holdsSoon(() => existsSync(join(userData, "DevToolsActivePort")), 20_000)).toBe(
    true,
  );
});
afterAll(async () => {
  process.kill(open.pid, "SIGKILL");
  await Promise.all([setting.close(), pages.close()]);
  expect(await holdsSoon(() => findProcesses(open.userData).length === 0)).toBe(true);
  rmSync(open.userData, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

interface Way {
  readonly name: string;
  /** What is found of a way in. */
  readonly look: (seen: Seen) => unknown;
}

const WAYS: readonly Way[] = [
  { name: "a TCP port that listens", look: (seen) => listPorts(seen, "/proc/net/tcp") },
  { name: "a file with its port", look: portFile },
  { name: "a flag in its command line", look: portFlag },
  { name: "the http side of any port", look: (seen) => askPorts(seen, []) },
  { name: "any port, as another user", look: (seen) => askPorts(seen, ["setpriv", ...NOBODY]) },
  {
    name: "any port, from a sandboxed command with network",
    look: (seen) => askPorts(seen, ["bwrap", "--unshare-pid", ...SANDBOX, "--"]),
  },
];

describe("a managed browser that runs", () => {
  it.each(WAYS)("has no $name, where one with a port has it", async ({ look }) => {
    await expect.poll(() => look(open), { timeout: 20_000 }).not.toEqual([]);
    expect(await look(managed)).toEqual([]);
  });

  it("listens on no TCP port by IPv6 and on no socket without a file", () => {
    expect(listPorts(managed, "/proc/net/tcp6")).toEqual([]);
    expect(sockets().filter((path) => !path.startsWith("/"))).toEqual([]);
  });

  it("has sockets that only its owner can open: that of Chromium, and ours to join it", async () => {
    const paths = sockets();
    expect(paths.map((path) => path.split("/").at(-1))).toEqual(
      expect.arrayContaining(["SingletonSocket", "join.sock"]),
    );
    const ours = join(setting.stateDir, "browser/chrome/join.sock");
    expect(statSync(ours).mode & 0o777).toBe(0o600);
    expect(await knock(ours, [])).toBe("open");
    for (const path of paths) {
      expect(statSync(dirname(path)).mode & 0o077, path).toBe(0);
      expect(await knock(path, ["setpriv", ...NOBODY]), path).toBe("EACCES");
    }
  });

  it("has no number of a port in its status, and doctor has nothing to warn of", async () => {
    expect((await setting.browsers.status(scope())).cdpPort).toBeUndefined();
    const names = (await setting.browsers.doctor(scope())).map(({ name }) => name);
    expect(names).not.toContain("port");
    const asked = await setting.another({ port: true }).doctor(scope());
    expect(asked.find(({ name }) => name === "port")).toMatchObject({
      isGood: false,
      text: expect.stringContaining("browser.port"),
    });
  });
});

function portFile({ userData }: Seen): string[] {
  return existsSync(join(userData, "DevToolsActivePort")) ? [userData] : [];
}

function portFlag({ userData }: Seen): number[] {
  const asking = findProcesses("--remote-debugging-port");
  return findProcesses(userData).filter((pid) => asking.includes(pid));
}

/** Ports on which its processes listen. */
function listPorts({ userData }: Seen, table: string): string[] {
  const inodes = inodesOf(findProcesses(userData));
  return rowsOf(table)
    .filter(({ 3: state, 9: inode = "" }) => state === "0A" && inodes.has(inode))
    .map(({ 1: local = "" }) => local);
}

/** Paths of the sockets on which these processes listen; with `@` those without a file. */
function listSockets(pids: readonly number[]): string[] {
  const inodes = inodesOf(pids);
  // The flag of a socket that listens.
  return rowsOf("/proc/net/unix")
    .filter(({ 3: flags, 6: inode = "" }) => flags === "00010000" && inodes.has(inode))
    .map(({ 7: path = "" }) => path);
}

function rowsOf(table: string): string[][] {
  const [, ...rows] = readFileSync(table, "utf8").split("\n");
  return rows.map((row) => row.trim().split(/\s+/));
}

function inodesOf(pids: readonly number[]): Set<string> {
  return new Set(
    pids.flatMap((pid) => {
      try {
        return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
          const [, inode] = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${name}`)) ?? [];
          return inode ?? [];
        });
      } catch {
        // It ended meanwhile.
        return [];
      }
    }),
  );
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** The range of the profiles, and what the two browsers and this process listen on. */
async function askPorts({ marker }: Seen, as: readonly string[]): Promise<string[]> {
  const pids = [managed, open].flatMap(({ userData }) => findProcesses(userData));
  const inodes = inodesOf([...pids, process.pid]);
  const found = ["/proc/net/tcp", "/proc/net/tcp6"]
    .flatMap(rowsOf)
    .filter(({ 3: state, 9: inode = "" }) => state === "0A" && inodes.has(inode))
    .map(({ 1: local = "" }) => String(Number.parseInt(local.split(":")[1] ?? "", 16)));
  const range = Array.from({ length: 100 }, (_, index) => String(18_800 + index));
  return JSON.parse(await runNode(as, ["--eval", ASK_PORTS, marker, ...found, ...range]));
}

function knock(path: string, as: readonly string[]): Promise<string> {
  return runNode(as, ["--eval", KNOCK, path]);
}

async function runNode(as: readonly string[], args: readonly string[]): Promise<string> {
  const [program = "", ...words] = [...as, process.execPath, ...args];
  return (await run(program, words, { cwd: "/" })).stdout.trim();
}
