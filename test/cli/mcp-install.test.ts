// `clawtools mcp install`: each client's own form in its own file, with the rest of the file kept.

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import json5 from "json5";
import { describe, expect, it } from "vitest";
import { BIN, createSandbox } from "./run-cli.js";

const CLIENTS: [client: string, project: string, user: string, key: string][] = [
  ["claude-code", ".mcp.json", ".claude.json", "mcpServers"],
  ["cursor", ".cursor/mcp.json", ".cursor/mcp.json", "mcpServers"],
  ["vscode", ".vscode/mcp.json", ".config/Code/User/mcp.json", "servers"],
  ["zed", ".zed/settings.json", ".config/zed/settings.json", "context_servers"],
];

interface Entry {
  readonly command: string;
  readonly args: string[];
}

const parse = (text: string): Record<string, Record<string, Entry>> => json5.parse(text);

describe("clawtools mcp install", () => {
  it.each(CLIENTS)(
    "shows what %s reads, and writes nothing",
    async (client, project, _user, key) => {
      const sandbox = await createSandbox();
      const { exitCode, stdout, stderr } = await sandbox.runHere(
        "mcp",
        "install",
        "--client",
        client,
      );
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout.replace(/\s+/g, " ")).toContain(
        `reads this from ${join(sandbox.root, project)}:`,
      );
      const shown = /^\{\n[\s\S]*?^\}$/m.exec(stdout)?.[0] ?? "";
      expect(parse(shown)[key]?.clawtools?.args).toEqual(
        expect.arrayContaining(["mcp", "--root", sandbox.root]),
      );
      expect(await readdir(sandbox.root)).toEqual([".keep"]);
    },
  );

  it.each(CLIENTS)(
    "--write adds the server to the file of %s",
    async (client, project, user, key) => {
      const sandbox = await createSandbox();
      for (const [scope, file] of [
        ["project", join(sandbox.root, project)],
        ["user", join(sandbox.folder, user)],
      ] as const) {
        const old = `{\n  // kept\n  "${key}": {\n    "other": { "command": "x" } // mine\n  },\n  "theme": "dark",\n}\n`;
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, old);
        const run = await sandbox.runHere(
          "mcp",
          "install",
          "--client",
          client,
          "--scope",
          scope,
          "--write",
        );
        expect(run).toMatchObject({ exitCode: 0, stderr: "" });
        const text = await readFile(file, "utf8");
        expect(parse(text)[key]).toMatchObject({ other: { command: "x" }, clawtools: {} });
        const [head = "", tail = ""] = text.split(/,? \/\/ mine\n[\s\S]*?\n {2}\},\n/);
        expect(old.startsWith(head)).toBe(true);
        expect(old.endsWith(tail)).toBe(true);
        expect(await readFile(`${file}.before-clawtools`, "utf8")).toBe(old);
      }
    },
  );

  it("what it writes starts the server", async () => {
    const sandbox = await createSandbox();
    await sandbox.run("mcp", "install", "--client", "claude-code", "--write", "--read-only");
    const text = await readFile(join(sandbox.root, ".mcp.json"), "utf8");
    const { command = "", args = [] } = parse(text).mcpServers?.clawtools ?? {};
    expect(args).toContain("--read-only");
    const child = spawn(command, args, { env: { ...process.env, ...sandbox.env } });
    const hello = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      },
    };
    child.stdin.end(`${JSON.stringify(hello)}\n`);
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
    await new Promise((resolve) => child.once("close", resolve));
    expect(JSON.parse(output.split("\n")[0] ?? "")).toMatchObject({
      id: 1,
      result: { serverInfo: { name: "clawtools" } },
    });
  });

  it("changes nothing the second time", async () => {
    const sandbox = await createSandbox();
    const install = () =>
      sandbox.runHere("mcp", "install", "--client", "cursor", "--write", "--json");
    expect(JSON.parse((await install()).stdout)).toMatchObject({ written: true, client: "cursor" });
    expect(JSON.parse((await install()).stdout)).toMatchObject({ written: false });
    expect(await readdir(join(sandbox.root, ".cursor"))).toEqual(["mcp.json"]);
  });

  it("keeps the flags of an earlier install that are not given now", async () => {
    const sandbox = await createSandbox();
    const install = async (...flags: string[]) => {
      await sandbox.runHere("mcp", "install", "--client", "cursor", "--write", ...flags);
      const { mcpServers } = parse(await readFile(join(sandbox.root, ".cursor/mcp.json"), "utf8"));
      const { args = [] } = mcpServers?.clawtools ?? {};
      return args.slice(args.indexOf("--root") + 2);
    };
    const first = ["--profile", "coding", "--deny", "exec", "--read-only"];
    expect(await install(...first)).toEqual(first);
    expect(await install("--deny", "write")).toEqual([
      ...["--profile", "coding", "--deny", "write", "--read-only"],
    ]);
  });

  it("refuses a file that it cannot parse, and leaves it", async () => {
    const sandbox = await createSandbox({ files: { ".mcp.json": "{ broken" } });
    const run = await sandbox.runHere("mcp", "install", "--client", "claude-code", "--write");
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain("is not valid JSON5");
    expect(await readFile(join(sandbox.root, ".mcp.json"), "utf8")).toBe("{ broken");
    expect((await readdir(sandbox.root)).sort()).toEqual([".keep", ".mcp.json"]);
  });

  it.each([
    [["--root", "/nowhere/at-all"], 5, "The root"],
    [["--profile", "nope"], 2, "--profile must be one of"],
    [["--allow", "raed"], 2, "raed"],
    [["--agent", "suport"], 2, "suport"],
  ])("refuses what the server would refuse: %j", async (flags, exitCode, message) => {
    const sandbox = await createSandbox({ config: { agents: { list: [{ id: "support" }] } } });
    const run = await sandbox.runHere("mcp", "install", "--client", "cursor", "--write", ...flags);
    const served = await sandbox.runHereWithInput("", ["mcp", ...flags]);
    expect([run.exitCode, served.exitCode]).toEqual([exitCode, exitCode]);
    expect(run.stderr).toContain(message);
    expect(await readdir(sandbox.root)).toEqual([".keep"]);
    expect(existsSync("/nowhere")).toBe(false);
  });

  it("names the clients when none is given, and the command that is nearly named", async () => {
    const { runHere } = await createSandbox();
    expect((await runHere("mcp", "install")).stderr).toContain(
      "Missing --client claude-code|cursor|vscode|zed.",
    );
    expect((await runHere("mcp", "instal")).stderr).toContain(
      "Did you mean `clawtools mcp install`?",
    );
  });

  it("does not set up the state folder unasked", async () => {
    const { folder, env } = await createSandbox({ config: "{}" });
    const options = { cwd: join(folder, ".clawtools"), env: { ...process.env, ...env } };
    const run = spawnSync(process.execPath, [BIN, "mcp"], { ...options, encoding: "utf8" });
    expect(run.status).toBe(2);
    expect(run.stderr).toContain("is the state folder of clawtools");
  });

  it.each([
    [["--client", "emacs"], "--client must be one of claude-code, cursor, vscode, zed."],
    [
      ["--client", "zedd"],
      "--client must be one of claude-code, cursor, vscode, zed. Did you mean zed?",
    ],
    [["--client", "zed", "--scope", "team"], "--scope must be one of project, user."],
  ])("%j is a usage error", async (flags, message) => {
    const { runHere } = await createSandbox();
    expect(await runHere("mcp", "install", ...flags)).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: `${message} See \`clawtools mcp install --help\`.\n`,
    });
  });
});
