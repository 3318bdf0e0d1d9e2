// `npm start` after its set-up: the gateway with MCP in it, and everything that a client needs, until
// ^C.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClawtools, getToolCatalog } from "clawtools";
import { createGateway } from "clawtools/gateway";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assertBuilt, PROJECT_DIR } from "../fakes/run-node.js";

const MAX_COLUMNS = 80;
const LAST_LINE = "Stop it with ^C.\n";
/** A mark, an id and a text that may go on in the lines below. */
const TOOL_LINE = /^ {2}([✓·]) (\S+) +(\S.*(?:\n {5,}\S.*)*)/gmu;

interface Started {
  readonly child: ChildProcess;
  readonly stdout: string;
  /** Sends ^C and resolves to the exit code. */
  stop(): Promise<number | null>;
}

async function start(): Promise<Started> {
  await assertBuilt();
  const home = mkdtempSync(join(tmpdir(), "clawtools-start-"));
  const env = { ...process.env, HOME: home, CLAWTOOLS_CONFIG_PATH: "", CLAWTOOLS_STATE_DIR: "" };
  const child = spawn(process.execPath, ["scripts/start.mjs"], { cwd: PROJECT_DIR, env });
  let output = "";
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  for await (const text of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    output += String(text);
    if (output.endsWith(LAST_LINE)) break;
  }
  expect(complaints).toBe("");
  const ended = once(child, "exit");
  return {
    child,
    stdout: output,
    async stop() {
      child.kill("SIGINT");
      const [code]: (number | null)[] = await ended;
      rmSync(home, { recursive: true, force: true });
      return code ?? null;
    },
  };
}

const readLine = (text: string, name: string) =>
  new RegExp(`^${name}: +(\\S+)$`, "m").exec(text)?.[1] ?? "";

async function call(server: Started, message: unknown): Promise<Response> {
  return await fetch(readLine(server.stdout, "MCP server"), {
    method: "POST",
    headers: {
      authorization: `Bearer ${readLine(server.stdout, "Token")}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify(message),
  });
}

const HELLO = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
};

describe("scripts/start.mjs", () => {
  let server: Started;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => void server.child.kill("SIGKILL"));

  it("serves at the address it prints, with the token it prints", async () => {
    const answer = await call(server, HELLO);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('"serverInfo":{"name":"clawtools"');
    const stranger = await fetch(readLine(server.stdout, "MCP server"), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(stranger.status).toBe(401);
  });

  it("shows every tool once, each with what it does or why it is not ready", async () => {
    const { tools } = createClawtools({ catalog: "all" });
    const stateDir = mkdtempSync(join(tmpdir(), "clawtools-start-"));
    const gateway = await createGateway({ root: PROJECT_DIR, stateDir, port: 0 });
    const toolkit = gateway.services.agents.toolkit();
    await toolkit.ready;
    const rows = toolkit.explain();
    await gateway.close();
    rmSync(stateDir, { recursive: true, force: true });
    const descriptions = new Map(tools.list().map(({ id, description }) => [id, description]));
    const shown = new Map(
      [...server.stdout.matchAll(TOOL_LINE)].map(([, mark, id, text = ""]) => [
        id,
        { mark, said: text.replace(/\s+/g, " ") },
      ]),
    );
    expect([...shown.keys()].sort()).toEqual(
      getToolCatalog()
        .map(({ id }) => id)
        .sort(),
    );
    expect(shown.get("web_search")).toEqual({
      ...{ mark: "✓", said: "no one to ask yet: run clawtools configure --section web" },
    });
    for (const { id, code, reason } of rows.filter((row) => row.id !== "web_search")) {
      const ready = code === "ready";
      const said = ready ? descriptions.get(id) : reason.replace(/^not built yet; /, "");
      expect(shown.get(id), id).toEqual({ mark: ready ? "✓" : "·", said });
    }
  });

  it("has a ready-made line for each client, with address and token", () => {
    const [url, token] = [readLine(server.stdout, "MCP server"), readLine(server.stdout, "Token")];
    for (const client of ["Claude Code", "Cursor", "VS Code", "Zed"]) {
      const line = new RegExp(`^${client}, .*:\\n(.*)$`, "m").exec(server.stdout)?.[1] ?? "";
      expect(line).toContain(url);
      expect(line).toContain(`Bearer ${token}`);
      if (client !== "Claude Code") expect(() => JSON.parse(line)).not.toThrow();
    }
  });

  it("serves the gateway at the same port, and keeps its token", async () => {
    const gateway = new URL(readLine(server.stdout, "Gateway"));
    expect(gateway.host).toBe(new URL(readLine(server.stdout, "MCP server")).host);
    expect((await fetch(`http://${gateway.host}/healthz`)).status).toBe(200);
    const said = server.stdout.replace(/\s+/g, " ");
    expect(said).toMatch(/The token is kept in \S+gateway-token, so the lines above stay valid/);
  });

  it(`keeps within ${MAX_COLUMNS} columns but for what is to be copied`, () => {
    const tooLong = server.stdout.split("\n").filter((line) => [...line].length > MAX_COLUMNS);
    const isToCopy = (line: string) => /^claude |^\{| mcp install /.test(line);
    expect(tooLong.filter((line) => !isToCopy(line))).toEqual([]);
  });

  it("takes another port when its own is taken, and says so", async () => {
    const port = new URL(readLine(server.stdout, "MCP server")).port;
    // Held by the first server, or by a stranger because of whom that one took another.
    const other = await start();
    expect(other.stdout).toMatch(/^Port \d+ is in use, so another one was taken\.$/m);
    expect(new URL(readLine(other.stdout, "MCP server")).port).not.toBe(port);
    expect(await other.stop()).toBe(0);
  });

  it("stops cleanly on ^C, and its port is free again", async () => {
    const port = Number(new URL(readLine(server.stdout, "MCP server")).port);
    expect(await server.stop()).toBe(0);
    const probe = createServer();
    await new Promise<void>((resolve, reject) => {
      probe.once("error", reject);
      probe.listen(port, "127.0.0.1", resolve);
    });
    await new Promise((resolve) => probe.close(resolve));
  });
});
