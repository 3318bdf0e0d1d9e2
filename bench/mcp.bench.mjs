// 1d: from the start of an MCP server to its answered tools/list, beside a process that echoes lines;
// and one call through MCP beside the same call of the toolkit.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { createToolkit } from "../dist/index.js";
import { serveMcp } from "../dist/mcp.js";
import { summarize, toRow } from "./measure/side-by-side.mjs";
import { sized } from "./measure/size.mjs";

const ROUNDS = sized(21);
const CALLS = sized(200);
const WARM_UP = sized(20, 0);
const MAX_START_RATIO = 2.5;
/** A row of our own: what the protocol adds to a call. */
const MAX_CALL_RATIO = 2;

const ECHO = "process.stdin.pipe(process.stdout)";
const bin = fileURLToPath(new URL("../dist/cli/bin.js", import.meta.url));
/** Servers of others, which have no target. */
const PEERS = [
  {
    work: "peer: server-filesystem",
    file: "@modelcontextprotocol/server-filesystem/dist/index.js",
    words: (root) => [root],
  },
  { work: "peer: @playwright/mcp", file: "@playwright/mcp/cli.js", words: () => ["--headless"] },
];

const HELLO = {
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1.0.0" },
  },
};
const LIST = { id: 2, method: "tools/list", params: {} };

export const ids = ["1d"];

export async function rows() {
  const root = mkdtempSync(join(tmpdir(), "clawtools-bench-"));
  writeFileSync(join(root, "a.txt"), "hello\n");
  const env = {
    ...process.env,
    CLAWTOOLS_STATE_DIR: join(root, "state"),
    CLAWTOOLS_CONFIG_PATH: "",
  };
  try {
    return [...(await measureStarts(root, env)), await measureCalls(root)];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function measureStarts(root, env) {
  const peers = PEERS.slice(0, sized(PEERS.length))
    .map((peer) => ({ ...peer, place: placeOf(peer.file) }))
    .filter(({ place }) => existsSync(place));
  const servers = [
    {
      work: "mcp: spawn to tools/list",
      words: [bin, "mcp", "--root", root],
      maxRatio: MAX_START_RATIO,
    },
    ...peers.map(({ work, place, words }) => ({ work, words: [place, ...words(root)] })),
  ].map((server) => ({ ...server, samples: [] }));
  const raw = [];
  for (let round = 0; round < ROUNDS; round++) {
    raw.push(await timeServer(["-e", ECHO], env));
    for (const { words, samples } of servers) samples.push(await timeServer(words, env));
  }
  return servers.map(({ work, samples, maxRatio }) => {
    const figures = { raw: summarize(raw), ours: summarize(samples) };
    return toRow({ id: "1d", work, ...figures, maxRatio });
  });
}

function placeOf(file) {
  return fileURLToPath(new URL(`../node_modules/${file}`, import.meta.url));
}

/** Nanoseconds until a line with the id of the list came back; an echo brings the request itself. */
function timeServer(words, env) {
  const start = process.hrtime.bigint();
  const child = spawn(process.execPath, words, { env, stdio: ["pipe", "pipe", "inherit"] });
  const send = (message) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return new Promise((resolve, reject) => {
    let spent;
    child.once("error", reject);
    child.once("close", () =>
      spent === undefined ? reject(new Error("The server ended early.")) : resolve(spent),
    );
    onLines(child.stdout, (line) => {
      const { id } = JSON.parse(line);
      if (id === 1) send(LIST);
      if (id !== 2) return;
      spent = Number(process.hrtime.bigint() - start);
      child.stdin.end();
    });
    send(HELLO);
  });
}

async function measureCalls(root) {
  // The same call many times over is what the loop guard would stop.
  const config = { tools: { loopDetection: { enabled: false } } };
  const toolkit = createToolkit({ root, stateDir: false, provider: "mcp", config });
  const streams = { input: new PassThrough(), output: new PassThrough() };
  const server = await serveMcp(toolkit, { streams });
  const call = createCaller(streams);
  await call(HELLO.method, HELLO.params);
  const wish = { name: "read", arguments: { path: "a.txt" } };
  const [raw, ours] = [[], []];
  for (let round = 0; round < CALLS + WARM_UP; round++) {
    const direct = await timed(() => toolkit.invoke({ id: `direct_${round}`, ...wish }));
    const through = await timed(() => call("tools/call", wish));
    if (round < WARM_UP) continue;
    raw.push(direct);
    ours.push(through);
  }
  await server.close();
  await toolkit.close();
  const figures = { raw: summarize(raw), ours: summarize(ours) };
  return toRow({ id: "1d", work: "mcp: read beside invoke", ...figures, maxRatio: MAX_CALL_RATIO });
}

async function timed(work) {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start);
}

function createCaller({ input, output }) {
  const waiting = new Map();
  let nextId = 1;
  onLines(output, (line) => {
    const { id } = JSON.parse(line);
    waiting.get(id)?.();
    waiting.delete(id);
  });
  return (method, params) =>
    new Promise((resolve) => {
      const id = nextId++;
      waiting.set(id, resolve);
      input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
}

function onLines(stream, take) {
  let rest = "";
  stream.setEncoding("utf8").on("data", (text) => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop();
    for (const line of lines) take(line);
  });
}
