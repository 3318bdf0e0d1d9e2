// Files into a page and out of it while another process exchanges what their names lead to: nothing from
// outside the root gets to the page, and nothing gets out of the root.
import { type ChildProcess, spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Toolkit } from "../../../src/core/index.js";
import { createToolkit } from "../../../src/toolkit/index.js";
import { campaignSize } from "../../fakes/campaign.js";

vi.setConfig({ testTimeout: 60 * 60_000, hookTimeout: 120_000 });

const TRIES = campaignSize({ slice: 2, campaign: 200 });
/** Until one has led inside. */
const MAX_TRIES = TRIES + 50;
const NAIVE_TRIES = 200_000;
const SECRET = "SECRET-7f3a";
const PAGE = `<title>Files</title><input type=file id=f aria-label=Files><a href="/report">Report</a>`;
/** Lets a name lead to one place and the other in turn, without a moment in which it is missing. */
const FLIP = `
const { renameSync, symlinkSync } = require("node:fs");
const [link, one, other] = process.argv.slice(1);
for (;;) for (const place of [one, other]) {
  symlinkSync(place, link + "~");
  renameSync(link + "~", link);
}
`;

/** The same for a real file and a real folder: a link takes their place, and they come back. */
const SWAP = `
const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
const [name, elsewhere] = process.argv.slice(1);
const swap = (work) => { try { work(); } catch {} };
for (;;) {
  swap(() => renameSync(name, name + "~"));
  swap(() => symlinkSync(elsewhere, name));
  swap(() => unlinkSync(name));
  swap(() => renameSync(name + "~", name));
}
`;

let folder: string;
let root: string;
let outside: string;
let toolkit: Toolkit;
let server: Server;
let link: string;
const flippers: ChildProcess[] = [];
let number = 0;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "claw-races-")));
  [root, outside] = [join(folder, "root"), join(folder, "outside")];
  for (const place of [join(root, "in"), join(root, "downloads/in"), outside]) {
    mkdirSync(place, { recursive: true });
  }
  writeFileSync(join(outside, "a.txt"), SECRET);
  writeFileSync(join(root, "in/a.txt"), "from inside");
  for (const place of ["swap", "downloads/swap"]) mkdirSync(join(root, place));
  writeFileSync(join(root, "swap/a.txt"), "from inside");
  writeFileSync(join(root, "swap.txt"), "from inside");
  server = createServer(({ url }, response) => {
    if (url !== "/report") return void response.writeHead(200, HTML).end(PAGE);
    response.writeHead(200, { "content-disposition": "attachment; filename=r.csv" }).end("a,b");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const browser = { ssrfPolicy: { allowedHostnames: ["127.0.0.1"] } };
  const config = { tools: { profile: "full" as const }, browser };
  toolkit = createToolkit({ root, stateDir: join(folder, "state"), config });
  const opened = await call({ action: "open", targetUrl: `http://127.0.0.1:${port}/` });
  link = /link "Report" \[ref=(e\d+)\]/.exec(opened)?.[1] ?? "";
  expect(link).not.toBe("");
  // In the place of a folder, of a file, and of a folder for what comes from pages.
  flip(join(root, "folder"), join(root, "in"), outside);
  flip(join(root, "file.txt"), join(root, "in/a.txt"), join(outside, "a.txt"));
  flip(join(root, "downloads/folder"), join(root, "downloads/in"), outside);
  flip(join(root, "downloads/file.txt"), join(root, "downloads/in/a.txt"), join(outside, "a.txt"));
  run(SWAP, [join(root, "swap"), outside]);
  run(SWAP, [join(root, "swap.txt"), join(outside, "a.txt")]);
  run(SWAP, [join(root, "downloads/swap"), outside]);
});
afterAll(async () => {
  for (const flipper of flippers) flipper.kill("SIGKILL");
  await toolkit?.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

const HTML = { "content-type": "text/html" };

function flip(name: string, inside: string, elsewhere: string): void {
  symlinkSync(inside, name);
  run(FLIP, [name, inside, elsewhere]);
}

function run(program: string, args: readonly string[]): void {
  flippers.push(spawn(process.execPath, ["--eval", program, ...args], { stdio: "ignore" }));
}

async function call(args: Readonly<Record<string, unknown>>): Promise<string> {
  number += 1;
  const { content } = await toolkit.invoke({
    id: `c${number}`,
    name: "browser",
    arguments: { ...args },
  });
  return content.map((block) => ("text" in block ? block.text : "")).join("\n");
}

/** What the page has got, now or before. */
async function given(path: string): Promise<string> {
  await call({ action: "upload", element: "#f", paths: [path] });
  return call({ action: "act", kind: "evaluate", fn: "() => f.files[0]?.text()" });
}

/** As a program does that judges a name and then opens it. */
function readNaively(path: string): string {
  try {
    const isInside = realpathSync(path).startsWith(`${root}/`);
    return isInside ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}

function writeNaively(path: string): void {
  try {
    if (realpathSync(dirname(path)).startsWith(`${root}/`)) writeFileSync(path, "x");
  } catch {
    // The link was just exchanged.
  }
}

const outsideNames = () => readdirSync(outside).toSorted();

describe("while names lead inside and outside in turn", () => {
  it.each([
    ["a link to a file", () => "file.txt"],
    ["a link to a folder on the way", () => "folder/a.txt"],
    ["its whole path", () => join(root, "file.txt")],
    ["its whole path through a folder", () => join(root, "folder/a.txt")],
    ["a path that goes back", () => "in/../folder/a.txt"],
    ["a file that becomes a link", () => "swap.txt"],
    ["a folder that becomes a link", () => "swap/a.txt"],
  ])("no page gets a file from outside by %s", async (_what, path) => {
    const got: string[] = [];
    // What is swapped may be missing at every try.
    const isEnough = () => path().includes("swap") || got.join().includes("from inside");
    while (got.length < TRIES || (!isEnough() && got.length < MAX_TRIES)) {
      got.push(await given(path()));
    }
    expect(got.filter((text) => text.includes(SECRET))).toEqual([]);
    expect(isEnough()).toBe(true);
  });

  it.each([
    ["screenshot", () => ({ action: "screenshot", path: `folder/${number}.png` })],
    ["screenshot", () => ({ action: "screenshot", path: join(root, "downloads/folder/b.png") })],
    ["screenshot", () => ({ action: "screenshot", path: `swap/${number}.png` })],
    ["pdf", () => ({ action: "pdf", path: `folder/${number}.pdf` })],
    ["pdf", () => ({ action: "pdf", path: `folder/made/${number}.pdf` })],
    ["download", () => ({ action: "download", ref: link, path: `folder/${number}.csv` })],
    ["download", () => ({ action: "download", ref: link, path: "folder/" })],
    ["download", () => ({ action: "download", ref: link, path: "file.txt" })],
  ])("no %s is written outside", async (_what, request) => {
    for (let count = 0; count < TRIES; count += 1) await call(request());
    expect(outsideNames()).toEqual(["a.txt"]);
    expect(readFileSync(join(outside, "a.txt"), "utf8")).toBe(SECRET);
  });

  it("a program that judges a name and opens it afterwards is hit", () => {
    let isHit = false;
    for (let count = 0; count < NAIVE_TRIES && !isHit; count += 1) {
      isHit = readNaively(join(root, "folder/a.txt")) === SECRET;
    }
    expect(isHit).toBe(true);
    for (let count = 0; count < NAIVE_TRIES && outsideNames().length === 1; count += 1) {
      writeNaively(join(root, "downloads/folder/naive"));
    }
    expect(outsideNames()).toContain("naive");
  });
});
