// 7a to 7c: the start of a gateway beside a bare WebSocket server, a trivial method beside an echo of
// JSON at 1, 100 and 1,000 connections, a tool call over HTTP beside an HTTP echo and the tool, and the
// memory of both servers, idle and with 1,000 connections.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket, WebSocketServer } from "ws";
import { createGateway } from "../dist/gateway.js";
import { createToolkit } from "../dist/index.js";
import { summarize, toRow } from "./measure/side-by-side.mjs";
import { sized } from "./measure/size.mjs";

const STARTS = sized(9);
const ROUNDS = sized(9);
const REQUESTS = sized(4_000, 20);
const CONNECTIONS = sized([1, 100, 1_000], [1, 10]);
const HTTP_CALLS = sized(300, 3);
const HELD_CONNECTIONS = sized(1_000, 10);
const MAX_IDLE_MEGABYTES = 90;
const MAX_HELD_RATIO = 1.5;
/** Repeating one call is what this measures. */
const config = { tools: { loopDetection: { enabled: false } } };
const MAX_START_RATIO = 4;
const MAX_METHOD_RATIO = 1.3;
const MAX_HTTP_RATIO = 2;
const NANOSECONDS = 1e6;

const BARE = `
import { WebSocketServer } from "ws";
const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
server.on("listening", () => console.log(JSON.stringify({ url: "ws://127.0.0.1:" + server.address().port })));`;
const OURS = `
import { createGateway } from ${JSON.stringify(new URL("../dist/gateway.js", import.meta.url).href)};
const root = process.argv[1];
const { url, auth } = await createGateway({ root, stateDir: root + "/start-state", port: 0 });
console.log(JSON.stringify({ url, token: auth.secret }));`;

export const ids = ["7a", "7b", "7c"];

export async function rows() {
  const root = mkdtempSync(join(tmpdir(), "clawtools-bench-"));
  writeFileSync(join(root, "a.txt"), "hello\n");
  const gateway = await createGateway({ root, stateDir: join(root, "state"), port: 0, config });
  try {
    const methods = [];
    for (const count of CONNECTIONS) methods.push(await measureMethod(gateway, count));
    const memory = await measureMemory(root);
    return [await measureStarts(root), ...methods, await measureHttp(gateway, root), ...memory];
  } finally {
    await gateway.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function measureStarts(root) {
  const samples = { raw: [], ours: [] };
  for (let round = 0; round < STARTS; round++) {
    samples.raw.push(await startOnce(BARE, root));
    samples.ours.push(await startOnce(OURS, root));
  }
  const [raw, ours] = [summarize(samples.raw), summarize(samples.ours)];
  return toRow({ id: "7a", work: "spawn to ready", raw, ours, maxRatio: MAX_START_RATIO });
}

/** Nanoseconds until the process says that it is ready. */
async function startOnce(code, root) {
  const start = performance.now();
  const { child } = await startServer(code, root);
  const spent = (performance.now() - start) * NANOSECONDS;
  await endServer(child);
  return spent;
}

function startServer(code, root) {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", code, root]);
  return new Promise((resolve, reject) => {
    let complaints = "";
    child.stderr.on("data", (chunk) => {
      complaints += chunk;
    });
    child.stdout.once("data", (line) => {
      child.removeAllListeners("close");
      resolve({ child, ...JSON.parse(String(line)) });
    });
    child.once("close", () => reject(new Error(`the server ended: ${complaints}`)));
  });
}

function endServer(child) {
  return new Promise((resolve) => {
    child.once("close", resolve);
    child.kill("SIGKILL");
  });
}

/** Resident memory of each server when it is ready, and what the connections add. */
async function measureMemory(root) {
  const raw = await holdConnections(BARE, root);
  const ours = await holdConnections(OURS, root);
  const show = (megabytes) => `${megabytes.toFixed(1)} MB`;
  const toMemoryRow = ({ id, work, key, target, met }) => ({
    id,
    work,
    raw: show(raw[key]),
    ours: show(ours[key]),
    ratio: `${(ours[key] / raw[key]).toFixed(2)}x`,
    target,
    met,
  });
  return [
    toMemoryRow({
      id: "7a",
      work: "memory of an idle server",
      key: "idle",
      target: `<= ${MAX_IDLE_MEGABYTES} MB`,
      met: ours.idle <= MAX_IDLE_MEGABYTES,
    }),
    toMemoryRow({
      id: "7b",
      work: `memory with ${HELD_CONNECTIONS} connections`,
      key: "held",
      target: `<= ${MAX_HELD_RATIO}x`,
      met: ours.held / raw.held <= MAX_HELD_RATIO,
    }),
  ];
}

async function holdConnections(code, root) {
  const { child, url, token } = await startServer(code, root);
  let sockets = [];
  try {
    const idle = readMegabytes(child.pid);
    sockets = await openAll(url, HELD_CONNECTIONS, token);
    return { idle, held: readMegabytes(child.pid) };
  } finally {
    for (const socket of sockets) socket.terminate();
    await endServer(child);
  }
}

function readMegabytes(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(kilobytes) / 1024;
}

async function measureMethod(gateway, count) {
  const echo = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  echo.on("connection", (socket) => {
    socket.on("message", (data) => {
      const { id } = JSON.parse(String(data));
      socket.send(JSON.stringify({ type: "res", id, ok: true, payload: null }));
    });
  });
  await new Promise((resolve) => echo.once("listening", resolve));
  const raw = await openAll(`ws://127.0.0.1:${echo.address().port}`, count);
  const ours = await openAll(gateway.url, count, gateway.auth.secret);
  const samples = { raw: [], ours: [] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      samples.raw.push(await askAll(raw));
      samples.ours.push(await askAll(ours));
    }
  } finally {
    for (const socket of [...raw, ...ours]) socket.terminate();
    echo.close();
  }
  return toRow({
    id: "7b",
    work: `trivial method, ${count} connection${count === 1 ? "" : "s"}`,
    raw: summarize(samples.raw),
    ours: summarize(samples.ours),
    maxRatio: MAX_METHOD_RATIO,
  });
}

function openAll(url, count, token) {
  return Promise.all(Array.from({ length: count }, () => openOne(url, token)));
}

function openOne(url, token) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    socket.once("error", reject);
    if (token === undefined) {
      socket.once("open", () => resolve(socket));
      return;
    }
    socket.on("message", function onMessage(data) {
      const frame = JSON.parse(String(data));
      if (frame.event === "connect.challenge") {
        const client = { id: "test", version: "1", platform: "linux", mode: "test" };
        const params = { minProtocol: 4, maxProtocol: 4, client, auth: { token } };
        socket.send(JSON.stringify({ type: "req", id: "hello", method: "connect", params }));
      } else if (frame.id === "hello") {
        socket.off("message", onMessage);
        if (frame.ok) resolve(socket);
        else reject(new Error(frame.error.message));
      }
    });
  });
}

/** Nanoseconds a request, with one request in flight on each connection. */
async function askAll(sockets) {
  const perSocket = Math.max(1, Math.floor(REQUESTS / sockets.length));
  const start = performance.now();
  await Promise.all(sockets.map((socket) => askMany(socket, perSocket)));
  return ((performance.now() - start) * NANOSECONDS) / (perSocket * sockets.length);
}

function askMany(socket, count) {
  return new Promise((resolve, reject) => {
    let left = count;
    const ask = () =>
      socket.send(JSON.stringify({ type: "req", id: String(left), method: "last-heartbeat" }));
    socket.on("message", function onMessage(data) {
      const frame = JSON.parse(String(data));
      if (frame.type !== "res") return;
      if (frame.ok !== true) reject(new Error(frame.error.message));
      left--;
      if (left > 0) return ask();
      socket.off("message", onMessage);
      resolve();
    });
    ask();
  });
}

async function measureHttp(gateway, root) {
  const toolkit = createToolkit({ root, stateDir: join(root, "raw-state"), config });
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", async () => {
      const { tool, args } = JSON.parse(text);
      const result = await toolkit.invoke({ id: "", name: tool, arguments: args });
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({ ok: result.isError !== true, result }));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const samples = { raw: [], ours: [] };
  const body = JSON.stringify({ tool: "read", args: { path: "a.txt" } });
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${gateway.auth.secret}`,
  };
  const post = async (url) => {
    const start = performance.now();
    const response = await fetch(`${url}/tools/invoke`, { method: "POST", headers, body });
    const answer = await response.json();
    if (answer.ok !== true) throw new Error(JSON.stringify(answer));
    return (performance.now() - start) * NANOSECONDS;
  };
  try {
    for (let call = 0; call < HTTP_CALLS; call++) {
      samples.raw.push(await post(`http://127.0.0.1:${server.address().port}`));
      samples.ours.push(await post(gateway.httpUrl));
    }
  } finally {
    server.close();
    server.closeAllConnections();
    await toolkit.close();
  }
  const [raw, ours] = [summarize(samples.raw), summarize(samples.ours)];
  const work = "POST /tools/invoke of read, beside an HTTP echo that calls it";
  return toRow({ id: "7c", work, raw, ours, maxRatio: MAX_HTTP_RATIO });
}
