// 11: what the schemas of the tools cost a model to read: those of all our tools for each kind of API,
// and `browser` beside the tools of @playwright/mcp, both as their servers list them.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createToolkit } from "../dist/index.js";
import { compileTools } from "../dist/tools.js";
import { sized } from "./measure/size.mjs";

const CHARS_PER_TOKEN = 4;
const TARGETS = ["anthropic", "openai", "gemini", "generic", "mcp"];
const MAX_ANSWER_MS = 30_000;
const NOT_INSTALLED = "not installed";
const OUR_FILE_TOOLS = "read,write,edit,apply_patch";

const bin = fileURLToPath(new URL("../dist/cli/bin.js", import.meta.url));
/** Servers of others with the tools of ours that do the same work. */
const PEERS = [
  {
    name: "@playwright/mcp",
    file: "@playwright/mcp/cli.js",
    words: () => ["--headless"],
    tools: "browser",
  },
  {
    name: "server-filesystem",
    file: "@modelcontextprotocol/server-filesystem/dist/index.js",
    words: (root) => [root],
    tools: OUR_FILE_TOOLS,
  },
];

export const ids = ["11"];

export async function rows() {
  const root = mkdtempSync(join(tmpdir(), "clawtools-bench-"));
  try {
    return [...(await countSchemas(root)), ...(await comparePeers(root))];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function countSchemas(root) {
  const toolkit = createToolkit({ root, stateDir: false });
  const made = TARGETS.map((target) => {
    const { compiled } = compileTools(toolkit.tools, target);
    const chars = JSON.stringify(compiled).length;
    return {
      id: "11",
      work: `schemas of ${compiled.length} tools, ${target}`,
      raw: "-",
      ours: describe(chars),
      ratio: "-",
      target: "-",
      met: undefined,
    };
  });
  await toolkit.close();
  return made;
}

async function comparePeers(root) {
  const made = [];
  for (const { name, file, words, tools } of PEERS.slice(sized(0))) {
    const place = fileURLToPath(new URL(`../node_modules/${file}`, import.meta.url));
    const ours = await listTools([bin, "mcp", "--root", root, "--allow", tools], root);
    const peer = existsSync(place) ? await listOrSay([place, ...words(root)], root) : NOT_INSTALLED;
    made.push(toPeerRow({ name, tools, ours, peer }));
  }
  return made;
}

function toPeerRow({ name, tools, ours, peer }) {
  const work = `schemas: ${tools.replaceAll(",", ", ")} beside ${name}`;
  if (typeof peer === "string") {
    const missing = { raw: peer, ratio: "-", target: "fewer", met: undefined };
    return { id: "11", work, ours: describe(ours), ...missing };
  }
  return {
    id: "11",
    work,
    raw: describe(peer),
    ours: describe(ours),
    ratio: `${(ours / peer).toFixed(2)}x`,
    target: "fewer",
    met: ours < peer,
  };
}

/** A peer that is installed in part is no fault of ours. */
async function listOrSay(words, root) {
  try {
    return await listTools(words, root);
  } catch {
    return "does not start";
  }
}

/** Characters of the answer to tools/list. */
function listTools(words, root) {
  const env = {
    ...process.env,
    CLAWTOOLS_STATE_DIR: join(root, ".state"),
    CLAWTOOLS_CONFIG_PATH: "",
  };
  const child = spawn(process.execPath, words, {
    cwd: root,
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const send = (fields) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...fields })}\n`);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), MAX_ANSWER_MS);
    let chars;
    child.once("error", reject);
    child.once("close", () => {
      clearTimeout(timer);
      if (chars === undefined) reject(new Error(`${words.join(" ")} did not list its tools.`));
      else resolve(chars);
    });
    createInterface({ input: child.stdout }).on("line", (line) => {
      const { id, result } = JSON.parse(line);
      if (id === 1) send({ method: "notifications/initialized" });
      if (id === 1) send({ id: 2, method: "tools/list", params: {} });
      if (id !== 2) return;
      if (result.tools.length > 0) chars = JSON.stringify(result).length;
      child.stdin.end();
    });
    const clientInfo = { name: "bench", version: "1.0.0" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    send({ id: 1, method: "initialize", params });
  });
}

function describe(chars) {
  return `${chars} chars, ${Math.round(chars / CHARS_PER_TOKEN)} tokens`;
}
