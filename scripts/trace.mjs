// Prints how many source files and function calls one warm call of read, exec and a browser click
// passes, by V8's coverage of dist and its source maps. `--files` lists the files.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { Session } from "node:inspector/promises";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createToolkit } from "../dist/index.js";

const WARM_CALLS = 5;
const MAX_FILES = { read: 60, exec: 100, click: 110 };
const DIST = new URL("../dist/", import.meta.url).href;
const PAGE = "<!doctype html><title>Trace</title><button>Press</button>";
const CONFIG = {
  browser: { headless: true, ssrfPolicy: { dangerouslyAllowPrivateNetwork: true } },
  tools: { loopDetection: { enabled: false } },
};

/** Source files below src with the number of their function calls while `work` runs. */
async function trace(session, work) {
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const calls = new Map();
  for (const { url, functions } of result.filter((script) => script.url.startsWith(DIST))) {
    const sourceOf = openSourceMap(fileURLToPath(url));
    for (const { functionName, ranges } of functions) {
      const [{ startOffset, count }] = ranges;
      const source = count > 0 && !isModule(functionName, startOffset) && sourceOf(startOffset);
      if (source) calls.set(source, (calls.get(source) ?? 0) + count);
    }
  }
  return calls;
}

function isModule(name, startOffset) {
  return name === "" && startOffset === 0;
}

function openSourceMap(file) {
  const text = readFileSync(file, "utf8");
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")));
  return (offset) => {
    const before = text.slice(0, offset);
    const line = before.split("\n").length - 1;
    const source = map.findEntry(line, offset - before.lastIndexOf("\n") - 1).originalSource;
    return source?.match(/src\/.*$/)?.[0];
  };
}

function createCaller(toolkit) {
  let count = 0;
  return async (name, args) => {
    const result = await toolkit.invoke({ id: `call_${++count}`, name, arguments: args });
    if (result.isError) throw new Error(`${name} failed: ${JSON.stringify(result.content)}`);
    return result;
  };
}

async function openPage(call) {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html").end(PAGE);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  await call("browser", { action: "open", url: `http://127.0.0.1:${server.address().port}/` });
  const { content } = await call("browser", { action: "snapshot" });
  const ref = JSON.stringify(content).match(/\be\d+\b/)?.[0];
  return { ref, close: () => server.close() };
}

async function run(root) {
  writeFileSync(join(root, "note.txt"), "Hello world\n");
  const toolkit = createToolkit({ root, stateDir: join(root, ".state"), config: CONFIG });
  const session = new Session();
  session.connect();
  let page;
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    const call = createCaller(toolkit);
    page = await openPage(call);
    const click = { action: "act", request: { kind: "click", ref: page.ref } };
    const works = {
      read: () => call("read", { path: "note.txt" }),
      exec: () => call("exec", { command: "true" }),
      click: () => call("browser", click),
    };
    for (const [name, work] of Object.entries(works)) {
      for (let round = 0; round < WARM_CALLS; round += 1) await work();
      report(name, await trace(session, work));
    }
  } finally {
    session.disconnect();
    page?.close();
    await toolkit.close();
  }
}

function report(name, calls) {
  const total = [...calls.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${name}: ${calls.size} files (at most ${MAX_FILES[name]}), ${total} calls`);
  if (!process.argv.includes("--files")) return;
  for (const [file, count] of [...calls].sort()) console.log(`  ${file} ${count}`);
}

const root = mkdtempSync(join(tmpdir(), "clawtools-trace-"));
try {
  await run(root);
} finally {
  rmSync(root, { recursive: true, force: true });
}
