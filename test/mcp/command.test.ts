// `clawtools mcp` as a process: what it serves, what stays off stdout, and how it ends.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createSandbox } from "../cli/run-cli.js";
import { eventually } from "../fakes/eventually.js";
import { assertBuilt } from "../fakes/run-node.js";
import { createToken, findSurvivors, killAll } from "../faults/process-survivors.js";
import { makePlace, startChild } from "./child-server.js";
import { textOf, toolsOf } from "./hand-client.js";

/** The promise is two seconds; a busy machine has five times that. */
const MAX_GONE_MS = 10_000;

async function listNames(more: readonly string[], config?: object): Promise<string[]> {
  const { client } = await startChild(await makePlace({}, config), more);
  await client.initialize();
  const { result } = await client.request("tools/list");
  return toolsOf(result).map(({ name }) => name);
}

describe("the flags", () => {
  it("leave what they name, and never more than the config", async () => {
    const config = { tools: { deny: ["write"] } };
    expect(await listNames(["--allow", "read,write"], config)).toEqual(["read"]);
  });

  it("take away what they deny", async () => {
    const names = await listNames(["--deny", "group:runtime, write"]);
    expect(names).toContain("read");
    for (const gone of ["exec", "process", "write"]) expect(names).not.toContain(gone);
  });

  it("leave only what changes nothing, with --read-only", async () => {
    const { client } = await startChild(await makePlace(), ["--read-only"]);
    await client.initialize("2025-06-18");
    const { result } = await client.request("tools/list");
    const tools = toolsOf(result);
    expect(tools.map(({ name }) => name)).toContain("read");
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
    const answer = await client.request("tools/call", {
      name: "write",
      arguments: { path: "a", content: "" },
    });
    expect(answer.result?.isError).toBe(true);
    expect(textOf(answer)).toContain("--read-only");
    expect(textOf(answer)).not.toContain("tools.deny");
  });

  it("choose a profile", async () => {
    expect(await listNames(["--profile", "messaging"])).not.toContain("read");
  });

  it.each([
    [["--profile", "everything"], "--profile must be one of"],
    [["--http", "seven"], "--http must be a whole number from 0 to 65535"],
    [["--allow", ","], "--allow names no tool"],
    [["--deny", " , "], "--deny names no tool"],
    [["--allow", "raed"], '--allow: "raed" is not a known name'],
    [["--deny", "exce"], '--deny: "exce" is not a known name. Did you mean "exec"?'],
    [["--allow", "nonsense"], '--allow: unknown name "nonsense"'],
    [["--allow", "read,nonsense"], '--allow: unknown name "nonsense"'],
    [["--deny", "exec write"], '--deny: unknown name "exec write"'],
    [["--deny", "exec", "--deny", "write"], "--deny is given twice. Separate names with commas"],
  ])("refuse %j, by the name that was typed", async (args, message) => {
    const { runHereWithInput } = await createSandbox({
      config: '{ tools: { deny: ["write"] } }',
    });
    const outcome = await runHereWithInput("", ["mcp", ...args]);
    expect(outcome.exitCode).toBe(2);
    expect(outcome.stderr.startsWith(message), outcome.stderr).toBe(true);
  });
});

describe("the config", () => {
  it("needs no variable for a tool that nobody calls: the others are served", async () => {
    const apiKey = ["$", "{NOT_THERE_AT_ALL}"].join("");
    const config = { tools: { web: { search: { provider: "brave", apiKey } } } };
    const { client, errors } = await startChild(await makePlace({}, config));
    await client.initialize();
    const { result } = await client.request("tools/list");
    expect(toolsOf(result).map(({ name }) => name)).toContain("read");
    expect(errors()).toContain("warning: tools.web.search.apiKey: needs the environment variable");
  });

  describe("that is changed while the server runs", () => {
    async function startThenWrite(text: string, more: readonly string[] = []) {
      const place = await makePlace();
      const { client, errors } = await startChild(place, more);
      await client.initialize();
      // Later than the first look, which comes before the server answers.
      await writeFile(place.env.CLAWTOOLS_CONFIG_PATH ?? "", text);
      const names = async () => {
        const { result } = await client.request("tools/list");
        return toolsOf(result).map(({ name }) => name);
      };
      return { client, errors, names };
    }

    it("has its rules in force from the next call on, and the client is told", async () => {
      const { client, errors, names } = await startThenWrite(
        '{ tools: { deny: ["exec"], exec: { timeoutSec: 5 } } }',
      );
      await client.waitFor(({ method }) => method === "notifications/tools/list_changed");
      expect(await names()).not.toContain("exec");
      const answer = await client.request("tools/call", {
        name: "exec",
        arguments: { command: "true" },
      });
      expect(textOf(answer)).toContain("tools.deny[0]");
      await eventually(() => expect(errors()).toContain("Restart this server"));
      expect(errors()).toContain("besides, in tools.exec;");
    });

    it("opens nothing that was closed at the start while other settings differ", async () => {
      const place = await makePlace({}, { tools: { deny: ["exec"], exec: { security: "full" } } });
      const { client, errors } = await startChild(place);
      await client.initialize();
      await writeFile(
        place.env.CLAWTOOLS_CONFIG_PATH ?? "",
        '{ tools: { deny: ["write"], exec: { security: "deny" } } }',
      );
      await client.waitFor(({ method }) => method === "notifications/tools/list_changed");
      const { result } = await client.request("tools/list");
      const names = toolsOf(result).map(({ name }) => name);
      expect(names).toEqual(expect.not.arrayContaining(["write", "exec"]));
      await eventually(() => expect(errors()).toContain("no tool is opened"));
    });

    it("has no say when it is gone, or takes in a file that is not protected", async () => {
      const place = await makePlace({}, { tools: { deny: ["exec"] } });
      const file = place.env.CLAWTOOLS_CONFIG_PATH ?? "";
      const { client, errors } = await startChild(place);
      await client.initialize();
      await rm(file);
      await eventually(() => expect(errors()).toContain("is not there any more"));
      await writeFile(join(dirname(file), "more.json"), "{ deny: [] }");
      await writeFile(file, '{ tools: { $include: "./more.json" } }');
      await eventually(() => expect(errors()).toContain("more.json"));
      const { result } = await client.request("tools/list");
      expect(toolsOf(result).map(({ name }) => name)).not.toContain("exec");
    });

    it("is noticed also when that was during the start", async () => {
      const place = await makePlace();
      const file = place.env.CLAWTOOLS_CONFIG_PATH ?? "";
      const { client } = await startChild(place);
      // The child reads it in its first tenths of a second; this is before or after, by chance.
      await writeFile(file, '{ tools: { deny: ["exec"] } }');
      await client.initialize();
      await eventually(async () => {
        const { result } = await client.request("tools/list");
        expect(toolsOf(result).map(({ name }) => name)).not.toContain("exec");
      });
    });

    it("takes nothing of the flags back", async () => {
      const { client, names } = await startThenWrite('{ tools: { deny: ["exec"] } }', [
        ...["--deny", "write"],
      ]);
      await client.waitFor(({ method }) => method === "notifications/tools/list_changed");
      expect(await names()).toEqual(expect.not.arrayContaining(["write"]));
      const answer = await client.request("tools/call", {
        name: "write",
        arguments: { path: "a", content: "" },
      });
      expect(textOf(answer)).toContain("--deny");
    });

    it("leaves the rules as they were when it cannot be used", async () => {
      const { errors, names } = await startThenWrite('{ tools: { deny: ["exce"] } }');
      await eventually(() => expect(errors()).toContain("the rules stay as they were"));
      expect(await names()).toContain("exec");
    });
  });
});

describe("the root", () => {
  it.each(["the home folder", "/"])("is not %s unless it is named", async (which) => {
    await assertBuilt();
    const { args, env, root } = await makePlace();
    const home = which === "/" ? root : (env.HOME ?? "");
    const cwd = which === "/" ? "/" : home;
    const bare = [args[0] ?? "", "mcp"];
    const outcome = await runIn({ args: bare, cwd, env: { ...env, HOME: home } });
    expect(outcome).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("--root"),
    });
    const named = await startChild({ ...(await makePlace()), args: [...bare, "--root", cwd], env });
    expect((await named.client.initialize()).result).toMatchObject({ serverInfo: {} });
  });
});

it("the root is not the home folder of the user either, when HOME is empty", async () => {
  await assertBuilt();
  const { args, env } = await makePlace();
  const cwd = userInfo().homedir;
  const outcome = await runIn({ args: [args[0] ?? "", "mcp"], cwd, env: { ...env, HOME: "" } });
  expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining("--root") });
});

function runIn(run: { args: string[]; cwd: string; env: NodeJS.ProcessEnv }) {
  const { args, ...options } = run;
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, args, options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
    child.stdin?.end();
  });
}

describe("stdout", () => {
  it("has nothing but messages, also when a plugin prints", async () => {
    const place = await makePlace();
    const plugin = join(place.root, "loud");
    await mkdir(plugin);
    await writeFile(join(plugin, "openclaw.plugin.json"), '{"id":"loud","configSchema":{}}');
    await writeFile(
      join(plugin, "index.mjs"),
      `console.log("loud: loaded"); process.stdout.write("loud: raw\\n");
       export default { id: "loud", register() { console.info("loud: registered"); } };`,
    );
    await writeFile(
      place.env.CLAWTOOLS_CONFIG_PATH ?? "",
      JSON.stringify({ plugins: { load: { paths: [plugin] } } }),
    );
    const { client, errors } = await startChild(place);
    // The client by hand throws when a line is no JSON.
    await client.initialize();
    await client.request("tools/list");
    await eventually(() => expect(errors()).toContain("loud: registered"));
    expect(errors()).toContain("loud: raw");
    expect(JSON.stringify(client.messages)).not.toContain("loud:");
  });
});

describe("the end", () => {
  const sleepFor = (token: string) => ({
    name: "exec",
    arguments: { command: `sleep ${token}`, background: true },
  });

  it("comes with the end of the input, and takes every command along", async () => {
    const token = createToken(720_001);
    const { client, child, ended } = await startChild(await makePlace());
    await client.initialize();
    await client.request("tools/call", sleepFor(token));
    expect(findSurvivors(token)).not.toEqual([]);
    child.stdin.end();
    expect(await ended).toBe(0);
    expect(findSurvivors(token)).toEqual([]);
  });

  it("comes soon though the client does not read what was sent to it", async () => {
    const { client, child } = await startChild(await makePlace());
    await client.initialize();
    child.stdout.pause();
    for (let count = 0; count < 60; count++) client.begin("tools/list");
    const exited = once(child, "exit");
    child.stdin.end();
    const endedMs = performance.now();
    await exited;
    expect(performance.now() - endedMs).toBeLessThan(30_000);
  });

  it("comes with SIGTERM", async () => {
    const token = createToken(720_002);
    const { client, child, ended } = await startChild(await makePlace());
    await client.initialize();
    await client.request("tools/call", sleepFor(token));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(findSurvivors(token)).toEqual([]);
  });

  it("comes soon when the client is killed, and no command is left", async () => {
    await assertBuilt();
    const token = createToken(720_003);
    onTestFinished(() => killAll(findSurvivors(token)));
    const { args, env } = await makePlace();
    // The client is a program of its own, so that it can be killed.
    const client = spawn(process.execPath, ["--input-type=module", "-e", KILLED_CLIENT], {
      env: { ...env, SERVER: JSON.stringify(args), TOKEN: token },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pid = await new Promise<number>((resolve) =>
      client.stdout.setEncoding("utf8").once("data", (text: string) => resolve(Number(text))),
    );
    expect(findSurvivors(token)).not.toEqual([]);
    client.kill("SIGKILL");
    await vi.waitFor(() => expect(findSurvivors(token)).toEqual([]), { timeout: MAX_GONE_MS });
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: MAX_GONE_MS });
  });

  it("comes when its parent dies, though somebody else holds its input", async () => {
    await assertBuilt();
    const { args, env } = await makePlace();
    const words = [process.execPath, ...args].map(quote).join(" ");
    const hello = '{"jsonrpc":"2.0","id":"up","method":"ping"}';
    // Whoever holds the other end of the fifo outlives the shell.
    const script = `mkfifo in; (echo '${hello}'; exec sleep 20) > in & echo $!; ${words} < in & echo $!; sleep 20`;
    const shell = spawn("bash", ["-c", script], {
      ...{ cwd: env.HOME, env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const text = await new Promise<string>((resolve) => {
      let seen = "";
      shell.stdout.setEncoding("utf8").on("data", (part: string) => {
        seen += part;
        if (seen.includes('"up"')) resolve(seen);
      });
    });
    const [holder = 0, server = 0] = text.split(/\s+/).map(Number);
    onTestFinished(() => killAll([holder]));
    expect(isAlive(server)).toBe(true);
    shell.kill("SIGKILL");
    await eventually(() => expect(isAlive(server)).toBe(false));
  });
});

const quote = (word: string) => `'${word}'`;

/** One that has ended and waits to be noticed is not alive. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

const KILLED_CLIENT = `
import { spawn } from "node:child_process";
const child = spawn(process.execPath, JSON.parse(process.env.SERVER), { stdio: ["pipe", "pipe", "inherit"] });
const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
child.stdout.setEncoding("utf8").on("data", (text) => {
  if (text.includes('"id":2')) process.stdout.write(String(child.pid));
});
send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "k", version: "1" } } });
send({ id: 2, method: "tools/call", params: { name: "exec", arguments: { command: "sleep " + process.env.TOKEN, background: true } } });
`;

describe("approvals", () => {
  it("that wait are still there after the server was killed, and the same call takes them over", async () => {
    const place = await makePlace(
      {},
      { tools: { exec: { host: "gateway", security: "full", ask: "always" } } },
    );
    const call = { name: "exec", arguments: { command: "touch made" } };
    const first = await startChild(place);
    await first.client.initialize();
    first.client.begin("tools/call", call);
    const { runHere } = await createSandbox();
    const listed = async () => {
      const { stdout } = await runHere(
        "approvals",
        "list",
        "--json",
        "--state-dir",
        place.stateDir,
      );
      return JSON.parse(stdout) as { id: string }[];
    };
    const [before] = await eventually(async () => {
      const requests = await listed();
      expect(requests).toHaveLength(1);
      return requests;
    });
    first.child.kill("SIGKILL");
    await first.ended;
    expect(await listed()).toMatchObject([{ id: before?.id }]);
    const second = await startChild(place);
    await second.client.initialize("2025-06-18", { elicitation: {} });
    const { answer } = second.client.begin("tools/call", call);
    // The call that took it over is the one that is asked about.
    const form = await second.client.waitFor(({ method }) => method === "elicitation/create");
    expect(form.params?.message).toContain("touch made");
    const approve = () =>
      runHere("approvals", "approve", before?.id ?? "", "--state-dir", place.stateDir);
    await eventually(async () => expect((await approve()).exitCode).toBe(0));
    const { result } = await answer;
    expect(result?.isError, textOf({ ...(result ? { result } : {}) })).toBeUndefined();
  });
});

describe("--http", () => {
  it("refuses a token that cannot be one by the name of its variable", async () => {
    const { args, env } = await makePlace();
    const token = { CLAWTOOLS_MCP_TOKEN: "short" };
    const run = { args: [...args, "--http", "0"], cwd: env.HOME ?? "", env: { ...env, ...token } };
    expect(await runIn(run)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^CLAWTOOLS_MCP_TOKEN must have/),
    });
  });

  it("prints the address and the token, serves whoever has it, and stops at SIGINT", async () => {
    const { child, ended } = await startChild(await makePlace(), ["--http", "0"]);
    const text = await new Promise<string>((resolve) => {
      let seen = "";
      child.stdout.on("data", (part: string) => {
        seen += part;
        if (seen.split("\n").length > 2) resolve(seen);
      });
    });
    const [, url = "", token = ""] =
      /^MCP server: (\S+)\nAuthorization: Bearer (\S+)\n$/.exec(text) ?? [];
    const statusWith = async (bearer: string) => {
      const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
      return (await fetch(url, { method: "POST", headers, body })).status;
    };
    expect([await statusWith(token), await statusWith("another")]).toEqual([200, 401]);
    child.kill("SIGINT");
    expect(await ended).toBe(0);
  });
});
