// `clawtools config …`, and what a config that cannot be used does to the other commands.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configJsonSchema } from "../../src/config/index.js";
import { createSandbox, linesTooLong } from "./run-cli.js";

const BROKEN = `{
  tools: { wbe: 1, exec: { security: "ful" } },
  agents: { list: [{ id: "a" }, { id: "a" }] },
}`;

const SECRETS = {
  tools: {
    web: {
      search: { apiKey: "brave-secret", maxResults: 3 },
      fetch: { headers: { Cookie: "cookie-secret" } },
    },
  },
  gateway: { auth: { mode: "token", token: "gate-secret" } },
  mcp: { servers: { hub: { url: "https://ada:url-secret@example.com/mcp" } } },
};

describe("config get", () => {
  it("prints the config in force, variables filled in", async () => {
    const { run, folder } = await createSandbox({
      config: `{ messages: { responsePrefix: "\${HOME}" }, tools: { deny: ["exec",] } } // JSON5`,
    });
    const { exitCode, stdout, stderr } = await run("config", "get");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      messages: { responsePrefix: folder },
      tools: { deny: ["exec"] },
    });
  });

  it.each([
    ["tools.profile", [], "coding\n"],
    ["tools.profile", ["--json"], '"coding"\n'],
    ["tools.deny[1]", [], "tts\n"],
    ['tools.byProvider["openai/gpt-5.2"].deny', [], '[\n  "edit"\n]\n'],
    ["tools.exec.timeoutSec", [], "600\n"],
  ])("%s with %j prints that value alone", async (path, flags, stdout) => {
    const { runHere } = await createSandbox({
      config: {
        tools: {
          profile: "coding",
          deny: ["exec", "tts"],
          exec: { timeoutSec: 600 },
          byProvider: { "openai/gpt-5.2": { deny: ["edit"] } },
        },
      },
    });
    const result = await runHere("config", "get", path, ...flags);
    expect(result).toEqual({ exitCode: 0, stdout, stderr: "" });
  });

  it("without a file the config is empty", async () => {
    const { runHere } = await createSandbox();
    expect(await runHere("config", "get")).toEqual({ exitCode: 0, stdout: "{}\n", stderr: "" });
  });

  it("a place where nothing is set ends with 5 and names the file", async () => {
    const { runHere, configFile } = await createSandbox({ config: {} });
    expect(await runHere("config", "get", "tools.deny")).toEqual({
      exitCode: 5,
      stdout: "",
      stderr: `"tools.deny" is not set in ${configFile}. \`clawtools config schema\` lists the keys and their defaults.\n`,
    });
  });

  it("a malformed place is a usage error", async () => {
    const { runHere } = await createSandbox();
    const { exitCode, stderr } = await runHere("config", "get", "tools..deny");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("write it like agents.list[0].id");
  });

  it("hides secrets, and prints them only with --reveal", async () => {
    const { runHere } = await createSandbox({ config: SECRETS });
    const hidden = await runHere("config", "get");
    expect(hidden.exitCode).toBe(0);
    expect(hidden.stdout).not.toMatch(/(?:brave|cookie|gate|url)-secret/);
    expect(JSON.parse(hidden.stdout)).toMatchObject({
      tools: { web: { search: { maxResults: 3 } } },
      gateway: { auth: { mode: "token" } },
    });
    const shown = await runHere("config", "get", "--reveal");
    expect(JSON.parse(shown.stdout)).toEqual(SECRETS);
  });

  it("hides what follows a flag that sounds like a secret", async () => {
    const args = ["--token=abc-secret", "--api-key", "def-secret", "--port", "80", "--verbose"];
    const { runHere } = await createSandbox({
      config: { mcp: { servers: { a: { command: "x", args } } } },
    });
    const { stdout } = await runHere("config", "get", "mcp.servers.a.args");
    expect(stdout).not.toMatch(/(?:abc|def)-secret/);
    const shown = JSON.parse(stdout);
    expect([shown[1], shown[3], shown[4], shown[5]]).toEqual([
      "--api-key",
      "--port",
      "80",
      "--verbose",
    ]);
  });

  it("a secret that was asked for by name is refused with the flag that shows it", async () => {
    const { runHere } = await createSandbox({ config: SECRETS });
    const { exitCode, stdout, stderr } = await runHere("config", "get", "gateway.auth.token");
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: "" });
    expect(stderr).toContain("Add --reveal");
    const shown = await runHere("config", "get", "gateway.auth.token", "--reveal");
    expect(shown.stdout).toBe("gate-secret\n");
  });
});

describe("config validate", () => {
  it("lists every problem within 80 columns and ends with 2 when one is an error", async () => {
    const { run } = await createSandbox({ config: BROKEN });
    const { exitCode, stdout, stderr } = await run("config", "validate");
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: "" });
    expect(stdout).toMatch(/^ {2}! warning +tools\.wbe: /m);
    expect(stdout).toMatch(/^ {2}✗ error +tools\.exec\.security: /m);
    expect(stdout.replace(/\s+/g, " ")).toContain("clawtools.json cannot be used.");
    expect(linesTooLong(stdout)).toEqual([]);
  });

  it("--json has the same problems", async () => {
    const { runHere, configFile } = await createSandbox({ config: BROKEN });
    const { exitCode, stdout } = await runHere("config", "validate", "--json");
    expect(exitCode).toBe(2);
    const { path, exists, ok, problems } = JSON.parse(stdout);
    expect({ path, exists, ok }).toEqual({ path: configFile, exists: true, ok: false });
    expect(problems).toContainEqual({
      path: "tools.wbe",
      severity: "warning",
      message: expect.stringContaining('did you mean "web"?'),
    });
  });

  it.each([
    [{ tools: { deny: ["raed"] } }, "tools.deny[0]"],
    [
      { tools: { byProvider: { google: { allow: ["group:fss"] } } } },
      "tools.byProvider.google.allow[0]",
    ],
    [
      { agents: { list: [{ id: "a", tools: { deny: ["wriet"] } }] } },
      "agents.list[0].tools.deny[0]",
    ],
    [
      { channels: { slack: { groups: { c1: { tools: { deny: ["wriet"] } } } } } },
      "channels.slack.groups.c1.tools.deny[0]",
    ],
    [
      {
        agents: { list: [{ id: "a", tools: { toolsBySender: { "id:1": { deny: ["wriet"] } } } }] },
      },
      'agents.list[0].tools.toolsBySender["id:1"].deny[0]',
    ],
    [{ tools: { sandbox: { tools: { deny: ["wriet"] } } } }, "tools.sandbox.tools.deny[0]"],
    [{ tools: { subagents: { tools: { deny: ["wriet"] } } } }, "tools.subagents.tools.deny[0]"],
  ])("refuses a slip in the rules for anybody: %j", async (config, place) => {
    const { runHere } = await createSandbox({ config });
    const { exitCode, stdout } = await runHere("config", "validate", "--json");
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, problems: [{ path: place }] });
  });

  it("goes on behind a variable that is not set", async () => {
    const { runHere } = await createSandbox({
      config: `{
        tools: { web: { search: { apiKey: "\${NO_SUCH_VARIABLE}" } }, deny: ["raed"] },
        agents: { list: [{ id: "a" }, { id: "a" }] },
      }`,
    });
    const { exitCode, stdout } = await runHere("config", "validate", "--json");
    expect(exitCode).toBe(2);
    const paths = JSON.parse(stdout).problems.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(["tools.web.search.apiKey", "agents.list[1].id", "tools.deny[0]"]);
  });

  it("passes lists that only warn, and says so", async () => {
    const { runHere } = await createSandbox({
      config: { tools: { allow: ["read"], alsoAllow: ["write"], deny: ["frobnicate"] } },
    });
    const { exitCode, stdout } = await runHere("config", "validate", "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).problems).toEqual([
      expect.objectContaining({ severity: "warning", path: "tools" }),
      expect.objectContaining({ severity: "warning", path: "tools.deny[0]" }),
    ]);
    expect((await runHere("tools", "list")).exitCode).toBe(0);
  });

  it("checks the file that is named instead", async () => {
    const { runHere, root } = await createSandbox({ config: BROKEN, files: { "ok.json5": "{}" } });
    const file = join(root, "ok.json5");
    const { exitCode, stdout } = await runHere("config", "validate", file);
    expect(exitCode).toBe(0);
    expect(stdout.replace(/\s+/g, " ")).toContain("has no problems.");
    const twice = await runHere("config", "validate", file, "--config", file);
    expect(twice.exitCode).toBe(2);
    expect(twice.stderr).toBe("Name the file once: as FILE or with --config.\n");
  });

  it("a file that is named and not there is an error; without a name it is an empty config", async () => {
    const { runHere, root } = await createSandbox();
    const named = await runHere("config", "validate", join(root, "none.json"));
    expect(named.exitCode).toBe(2);
    expect(named.stdout).toContain("is not there");
    const unnamed = await runHere("config", "validate");
    expect(unnamed.exitCode).toBe(0);
    expect(unnamed.stdout.replace(/\s+/g, " ")).toContain("so the config is empty.");
  });
});

describe("config schema and path", () => {
  it.each([[[]], [["--json"]]])("schema with %j prints the JSON Schema", async (flags) => {
    const { run } = await createSandbox({ config: BROKEN });
    const { exitCode, stdout } = await run("config", "schema", ...flags);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(configJsonSchema())));
  });

  it("path prints where the config is looked for, whatever it holds", async () => {
    const { run, configFile, folder } = await createSandbox({ config: BROKEN });
    expect(await run("config", "path")).toEqual({
      exitCode: 0,
      stdout: `${configFile}\n`,
      stderr: "",
    });
    expect(JSON.parse((await run("config", "path", "--json")).stdout)).toEqual({
      path: configFile,
      exists: true,
      stateDir: join(folder, ".clawtools"),
    });
  });

  it("--state-dir and --config move it", async () => {
    const { runHere } = await createSandbox();
    const other = await runHere("config", "path", "--state-dir", "/srv/state");
    expect(other.stdout).toBe("/srv/state/clawtools.json\n");
    const named = await runHere(
      "config",
      "path",
      "--state-dir",
      "/srv/state",
      "--config",
      "/srv/c.json",
    );
    expect(named.stdout).toBe("/srv/c.json\n");
  });
});

describe("a config that cannot be used", () => {
  const COMMANDS = [
    ["tools", "list"],
    ["tools", "explain", "read"],
    ["tools", "schema", "--provider", "google"],
    ["tools", "call", "read", "--json", '{"path":".keep"}'],
    ["tools", "cost", "--provider", "google"],
    ["config", "get"],
  ];

  it.each(COMMANDS)("stops %s %s with every problem and its place", async (...args) => {
    const { runHere, configFile } = await createSandbox({ config: BROKEN });
    const { exitCode, stdout, stderr } = await runHere(...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(/^warning: tools\.wbe: .+\nerror: tools\.exec\.security: .+\n/);
    expect(stderr).toContain(`The config ${configFile} has `);
    expect(stderr).toMatch(/then run `clawtools config validate`\.\n$/);
  });

  it("names the file again in the next step when it was named", async () => {
    const { runHere, root } = await createSandbox({ files: { "mine.json": BROKEN } });
    const file = join(root, "mine.json");
    const { stderr } = await runHere("tools", "list", "--config", file);
    expect(stderr).toContain(`then run \`clawtools config validate --config ${file}\`.`);
  });

  it("a named file that is not there stops too", async () => {
    const { runHere, root } = await createSandbox();
    const file = join(root, "none.json");
    const { exitCode, stderr } = await runHere("tools", "list", "--config", file);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`error: the file "${file}" is not there\n`);
  });

  it("warnings alone go to stderr and stop nothing", async () => {
    const { runHere, configFile } = await createSandbox({ config: {} });
    writeFileSync(configFile, "{ tools: { wbe: 1 } }");
    const { exitCode, stdout, stderr } = await runHere("tools", "list", "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).tools).not.toEqual([]);
    expect(stderr).toBe(
      'warning: tools.wbe: is not a known key and has no effect; did you mean "web"?\n',
    );
  });
});
