// `clawtools tools …` against the built package: what is offered, why, what it costs, and a call.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createToolkit } from "clawtools";
import { describe, expect, it } from "vitest";
import { createTempFolder } from "../plugins/temp-folder.js";
import { mergeConfig } from "../policy/merge-config.js";
import { createSandbox, linesTooLong } from "./run-cli.js";
import { runHere } from "./run-here.js";

const SUPPORT = { list: [{ id: "support", tools: { deny: ["edit"] } }] };

describe("tools list", () => {
  it("shows what a toolkit offers, each on a line, and counts the rest", async () => {
    const { root, run } = await createSandbox();
    const { exitCode, stdout, stderr } = await run("tools", "list");
    const toolkit = createToolkit({ root });
    const names = toolkit.tools.map(({ name }) => name);
    const total = toolkit.explain().length;
    await toolkit.close();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect([...stdout.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name)).toEqual(names);
    expect(stdout).toContain(`${names.length} of ${total} tools are offered`);
    expect(linesTooLong(stdout)).toEqual([]);
    const patching = await run("tools", "list", "--provider", "openai", "--model", "gpt-5.2");
    expect(patching.stdout).toContain("apply_patch");
    expect(patching.stdout).not.toContain("\\u{");
  });

  it("--json gives the tools, and the names of those that are absent", async () => {
    const { runHere } = await createSandbox({ config: { tools: { deny: ["write"] } } });
    const { stdout } = await runHere("tools", "list", "--json");
    const { tools, absent } = JSON.parse(stdout);
    expect(tools.map(({ name }: { name: string }) => name)).not.toContain("write");
    expect(tools[0]).toEqual({
      name: "read",
      label: expect.any(String),
      description: expect.stringContaining("Read"),
    });
    expect(absent).toContain("write");
  });

  it("--agent applies the agent's own rules", async () => {
    const { runHere } = await createSandbox({ config: { agents: SUPPORT } });
    const { stdout, stderr } = await runHere("tools", "list", "--agent", "support", "--json");
    expect(JSON.parse(stdout).absent).toContain("edit");
    expect(stderr).toBe("");
  });

  it("an agent that is not listed is refused, with those that are", async () => {
    const { runHere } = await createSandbox({ config: { agents: SUPPORT } });
    expect(await runHere("tools", "list", "--agent", "sales")).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: 'agentId: the config has no agent "sales"; it has "support".\n',
    });
  });

  it("--channel, --group, --sender and --subagent apply their rules", async () => {
    const config = {
      tools: { toolsBySender: { "id:u1": { deny: ["write"] } } },
      channels: { slack: { groups: { c1: { tools: { deny: ["edit"] } } } } },
    };
    const { runHere } = await createSandbox({ config });
    const absent = async (...flags: string[]): Promise<string[]> =>
      JSON.parse((await runHere("tools", "list", "--json", ...flags)).stdout).absent;
    expect(await absent("--channel", "slack", "--group", "c1")).toContain("edit");
    expect(await absent("--channel", "slack", "--sender", "u1")).toContain("write");
    expect(await absent("--channel", "slack")).not.toContain("write");
    const leaf = await runHere(
      "tools",
      "explain",
      "sessions_spawn",
      "--subagent",
      "leaf",
      "--json",
    );
    expect(JSON.parse(leaf.stdout).rule).toContain("tools.subagents.tools.deny (default)");
    const wrong = await runHere("tools", "list", "--subagent", "chief");
    expect(wrong).toMatchObject({
      exitCode: 2,
      stderr: "--subagent must be one of leaf, orchestrator. See `clawtools tools list --help`.\n",
    });
  });

  it("a channel that nobody knows, and rules that stay out of force, are told", async () => {
    const config = { tools: { toolsBySender: { "id:u1": { deny: ["write"] } } } };
    const { runHere } = await createSandbox({ config });
    const { stderr } = await runHere("tools", "list", "--channel", "slak");
    expect(stderr).toContain('did you mean "slack"?');
    expect((await runHere("tools", "list")).stderr).toContain(
      "tools.toolsBySender: is out of force",
    );
  });

  it("names in a rule that mean nothing are told on stderr, each once", async () => {
    const config = { tolls: {}, tools: { deny: ["frobnicate"] } };
    const { runHere } = await createSandbox({ config });
    const { exitCode, stderr } = await runHere("tools", "list");
    expect(exitCode).toBe(0);
    expect(stderr.split("\n")).toEqual([
      expect.stringMatching(/^warning: tolls: .*"tools"\?$/),
      expect.stringMatching(/^warning: tools\.deny\[0\]: "frobnicate" is (?:no|not a) tool/),
      "",
    ]);
  });

  it("the unused sections of an openclaw.json get one warning", async () => {
    const { runHere, root } = await createSandbox({
      files: { "openclaw.json": '{ "meta": {}, "wizard": {}, "tools": { "profile": "coding" } }' },
    });
    const { stderr } = await runHere("tools", "list", "--config", join(root, "openclaw.json"));
    expect(stderr).toBe('warning: not used here: "meta", "wizard"\n');
  });

  it("--provider applies the rules for that provider", async () => {
    const config = { tools: { byProvider: { google: { deny: ["edit"] } } } };
    const { runHere } = await createSandbox({ config });
    const google = await runHere("tools", "list", "--provider", "google", "--json");
    const openai = await runHere("tools", "list", "--provider", "openai", "--json");
    expect(JSON.parse(google.stdout).absent).toContain("edit");
    expect(JSON.parse(openai.stdout).absent).not.toContain("edit");
  });

  it("a root that is not there, or is a file, is an error that names the flag", async () => {
    const { runHere, root } = await createSandbox();
    const nowhere = join(root, "nowhere");
    expect(await runHere("tools", "list", "--root", nowhere)).toEqual({
      exitCode: 5,
      stdout: "",
      stderr: `The root "${nowhere}" does not exist. Choose a folder with --root.\n`,
    });
    const { exitCode, stderr } = await runHere("tools", "list", "--root", join(root, ".keep"));
    expect(exitCode).toBe(5);
    expect(stderr).toContain("is not a folder. Choose a folder with --root.");
  });
});

describe("tools explain", () => {
  it("has a line for every tool within 80 columns", async () => {
    const { runHere, root } = await createSandbox({ config: { tools: { deny: ["write"] } } });
    const { exitCode, stdout } = await runHere("tools", "explain");
    const toolkit = createToolkit({ root });
    const ids = toolkit.explain().map(({ id }) => id);
    await toolkit.close();
    expect(exitCode).toBe(0);
    const shown = [...stdout.matchAll(/^ {2}(\S+) +(?:✓ present|! absent)/gm)].map(([, id]) => id);
    expect(shown.sort()).toEqual(ids.sort());
    expect(stdout).toContain('absent: denied by tools.deny[0] "write"');
    expect(linesTooLong(stdout)).toEqual([]);
  });

  it("a tool that is there ends with 0", async () => {
    const { runHere } = await createSandbox();
    expect(await runHere("tools", "explain", "read")).toEqual({
      exitCode: 0,
      stdout: "read is present\n",
      stderr: "",
    });
  });

  it("a denied tool ends with 1 and shows reason, rule and the patch", async () => {
    const config = { tools: { deny: ["tts", "group:fs"] } };
    const { run, configFile } = await createSandbox({ config });
    const { exitCode, stdout, stderr } = await run("tools", "explain", "write");
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
    expect(stdout).toContain('write is absent: denied by tools.deny[1] "group:fs"\n');
    expect(stdout).toContain('Rule: tools.deny[1] "group:fs"\n');
    expect(stdout.replace(/\s+/g, "")).toContain(configFile);
    const patch = JSON.parse(stdout.slice(stdout.indexOf("{")));
    const others = ["read", "edit", "apply_patch", "grep", "find", "ls"];
    expect(patch.tools.deny).toEqual(expect.arrayContaining(["tts", ...others]));
    expect(patch.tools.deny).not.toContain("write");
  });

  it.each([
    ["a denied group", {}, { tools: { deny: ["group:fs"] } }],
    ["a profile", {}, { tools: { profile: "messaging" } }],
    [
      "an agent's rule",
      { agent: "support" },
      { agents: { list: [{ id: "support", tools: { allow: ["read"] } }] } },
    ],
    [
      "a provider's rule",
      { provider: "google" },
      { tools: { byProvider: { google: { deny: ["write"] } } } },
    ],
  ])(
    "the printed patch, put into the config, brings the tool back: %s",
    async (_, flags, config) => {
      const { runHere, configFile } = await createSandbox({ config });
      const audience = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
      const before = await runHere("tools", "explain", "write", ...audience);
      expect(before.exitCode).toBe(1);
      const patch = JSON.parse(before.stdout.slice(before.stdout.indexOf("{")));
      const current = JSON.parse(readFileSync(configFile, "utf8"));
      writeFileSync(configFile, JSON.stringify(mergeConfig(current, patch)));
      const after = await runHere("tools", "explain", "write", ...audience);
      expect(after).toEqual({ exitCode: 0, stdout: "write is present\n", stderr: "" });
    },
  );

  it("never shows what stands beside the rule, nor what a variable filled in", async () => {
    const config = `{
      agents: { list: [
        { id: "other", apiKey: "\${HOME}" },
        { id: "support", apiKey: "sesame", tools: { allow: ["read"], deny: ["\${SHELL_NAME}"] } },
      ] },
    }`;
    const { root, env, configFile } = await createSandbox({ config });
    const shown = await runHere({
      args: ["--root", root, "tools", "explain", "edit", "--agent", "support"],
      env: { ...env, SHELL_NAME: "exec" },
    });
    expect(shown.stdout).toContain('Change: agents.list[1].tools.allow: add "edit"\n');
    expect(JSON.parse(shown.stdout.slice(shown.stdout.indexOf("{")))).toEqual({
      agents: { list: [{ id: "support", tools: { allow: ["read", "edit"] } }] },
    });
    const denied = await runHere({
      args: ["--root", root, "tools", "explain", "exec", "--agent", "support", "--json"],
      env: { ...env, SHELL_NAME: "exec" },
    });
    expect(JSON.parse(denied.stdout)).toMatchObject({
      rule: `agents.list[1].tools.deny[0] "\${SHELL_NAME}"`,
    });
    for (const { stdout, stderr } of [shown, denied]) {
      expect(`${stdout}${stderr}`.replaceAll(configFile, "")).not.toMatch(/sesame|clawtools-/);
    }
  });

  it.each(["list", "explain", "explain --json", "doctor"])(
    "%s never prints what a variable or a secret reference gave",
    async (command) => {
      const config = `{
        tools: {
          allow: ["group:fs", "\${OWN_NAME}"],
          exec: { pathPrepend: ["/\${OWN_NAME}/bin"] },
          web: { search: { provider: "searxng", searxng: { baseUrl: { source: "env", id: "PLACE" } } } },
        },
        browser: { executablePath: "/opt/\${OWN_NAME}/chromium" },
        agents: { entries: { main: { tools: { deny: [{ source: "file", provider: "mine", id: "/a~1b" }] } } } },
        secrets: { providers: { mine: { source: "file", path: "secrets.json" } } },
      }`;
      const { root, env, folder } = await createSandbox({ config });
      writeFileSync(join(folder, "secrets.json"), '{ "a/b": "Quiet-Lantern" }');
      const own = { ...env, OWN_NAME: "Tall-Sesame", PLACE: "http://127.0.0.1:1/Open-Door" };
      const words = command === "doctor" ? [command] : ["tools", ...command.split(" ")];
      const run = await runHere({ args: ["--root", root, ...words], env: own });
      expect(`${run.stdout}${run.stderr}`).not.toMatch(/sesame|lantern|open-door/i);
      expect(run.stderr + run.stdout).toMatch(/OWN_NAME|secret/);
    },
  );

  it("names the included file that holds the rule", async () => {
    const { runHere, folder, configFile } = await createSandbox({
      config: '{ $include: "./rules.json5", tools: { deny: ["tts"] } }',
    });
    const rules = join(folder, ".clawtools", "rules.json5");
    writeFileSync(rules, '{ tools: { profile: "coding", alsoAllow: [] } }');
    const { stdout } = await runHere("tools", "explain", "web_fetch");
    expect(stdout.replace(/\s+/g, "")).toContain(`changetherulein${rules}`);
    expect(stdout).not.toContain(configFile);
  });

  it("--json has the whole row", async () => {
    const { runHere } = await createSandbox({ config: { tools: { deny: ["write"] } } });
    const { exitCode, stdout } = await runHere("tools", "explain", "write", "--json");
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      id: "write",
      status: "absent",
      code: "denied",
      reason: 'denied by tools.deny[0] "write"',
      rule: 'tools.deny[0] "write"',
      restore: { tools: { deny: [] } },
    });
  });

  it("a name that nobody has is absent, with the nearest", async () => {
    const { runHere } = await createSandbox();
    const { exitCode, stdout } = await runHere("tools", "explain", "reed");
    expect(exitCode).toBe(1);
    expect(stdout).toBe('reed is absent: no such tool exists. Did you mean "read"?\n');
  });

  it("tries what contains commands when it is asked about exec", async () => {
    const { runHere } = await createSandbox({ config: { tools: { exec: { sandbox: "none" } } } });
    const { stdout, exitCode } = await runHere("tools", "explain", "exec");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^exec is present\nCommands run on this machine, in a process /);
    expect(stdout).toContain('security is "allowlist", ask is "on-miss".');
    expect(stdout).toContain('tools.exec.sandbox is "none".');
    expect(stdout).toContain("are not limited;");
    expect(linesTooLong(stdout)).toEqual([]);
    const { facts } = JSON.parse((await runHere("tools", "explain", "process", "--json")).stdout);
    expect(facts).toEqual([expect.stringContaining("the commands of exec, whose row says")]);
  });

  it.each(["bash", "BASH", "Exec"])("%s is exec, by another name", async (name) => {
    const { runHere } = await createSandbox();
    expect(JSON.parse((await runHere("tools", "explain", name, "--json")).stdout).id).toBe("exec");
  });

  it("a tool that is denied and not built has both reasons, the rule first", async () => {
    const { runHere } = await createSandbox({ config: { tools: { deny: ["tts"] } } });
    const { exitCode, stdout } = await runHere("tools", "explain", "tts");
    expect(exitCode).toBe(1);
    expect(stdout.replace(/\s+/g, " ")).toMatch(
      /^tts is absent: denied by tools\.deny\[0\] "tts"; and not built yet; waits for .+ Rule: tools\.deny\[0\] "tts" Change: tools\.deny: remove "tts" To lift the rule, merge this into /,
    );
  });

  it("an optional tool of a plugin shows the list that brings it in", async () => {
    const plugins = join(import.meta.dirname, "../plugins/sound/echo");
    const config = { plugins: { load: { paths: [plugins] } } };
    const { runHere } = await createSandbox({ config });
    const { exitCode, stdout } = await runHere("tools", "explain", "echo_loud");
    expect(exitCode).toBe(1);
    expect(stdout).toContain("To enable it, merge this into");
    expect(stdout).not.toContain("Rule:");
    const patch = JSON.parse(stdout.slice(stdout.indexOf("{")));
    expect(patch).toEqual({ tools: { alsoAllow: ["echo_loud"] } });
    const after = await createSandbox({ config: mergeConfig(config, patch) });
    const { stdout: told } = await after.runHere("tools", "call", "echo_loud");
    expect(told).toBe("!\n");
  });
});

describe("tools schema", () => {
  it("shows each parameter with its kind, within 80 columns", async () => {
    const { run } = await createSandbox();
    const { exitCode, stdout } = await run("tools", "schema", "edit", "--provider", "openai");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^edit\n/);
    expect(stdout).toMatch(/^ {2}path +string, required: /m);
    expect(stdout).toMatch(/^ {2}edits +list of object, optional: /m);
    expect(stdout).toMatch(/^ {2}edits\[\]\.oldText +string, required: /m);
    expect(linesTooLong(stdout)).toEqual([]);
  });

  it.each(["anthropic", "google", "openai"])(
    "--json is what a toolkit gives for %s",
    async (provider) => {
      const { runHere, root } = await createSandbox();
      const toolkit = createToolkit({ root, provider });
      const schemas = toolkit.schemas();
      await toolkit.close();
      const all = await runHere("tools", "schema", "--provider", provider, "--json");
      expect(JSON.parse(all.stdout)).toEqual(schemas);
      const one = await runHere("tools", "schema", "read", "--provider", provider, "--json");
      expect(JSON.parse(one.stdout)).toEqual(schemas.find(({ name }) => name === "read"));
    },
  );

  it.each([
    [
      "write",
      3,
      'write has no schema here: denied by tools.deny[0] "write". See `clawtools tools explain write`.\n',
    ],
    ["reed", 5, 'reed has no schema here: no such tool exists. Did you mean "read"?\n'],
  ])("%s, which is absent, is an error with the reason", async (name, exitCode, stderr) => {
    const { runHere } = await createSandbox({ config: { tools: { deny: ["write"] } } });
    const run1 = await runHere("tools", "schema", name, "--provider", "openai");
    expect(run1).toEqual({ exitCode, stdout: "", stderr });
  });
});

describe("a tool that the provider would refuse", () => {
  it.each(["schema", "cost"])("is told on stderr by tools %s, with the reason", async (command) => {
    const folder = await createTempFolder({
      "print/openclaw.plugin.json": '{ "id": "print" }',
      "print/index.mjs": `export const register = (api) => api.registerTool({
        name: "3d_print", description: "Prints.", parameters: { type: "object", properties: {} },
        execute: async () => ({ content: [] }),
      });`,
    });
    const { runHere } = await createSandbox({ config: { plugins: { load: { paths: [folder] } } } });
    const google = await runHere("tools", command, "--provider", "google", "--json");
    expect(google.exitCode).toBe(0);
    expect(google.stderr).toMatch(
      /^warning: 3d_print is left out: schema cannot be compiled for gemini: /,
    );
    expect(google.stdout).not.toContain("3d_print");
    const openai = await runHere("tools", command, "--provider", "openai", "--json");
    expect(openai.stderr).toBe("");
    expect(openai.stdout).toContain("3d_print");
  });
});

describe("tools cost", () => {
  it("counts the characters of each schema and says that tokens are an estimate", async () => {
    const { run, root } = await createSandbox();
    const toolkit = createToolkit({ root, provider: "google" });
    const expected = toolkit
      .schemas()
      .map((schema) => ({ name: schema.name, chars: JSON.stringify(schema).length }));
    await toolkit.close();
    const chars = expected.reduce((sum, tool) => sum + tool.chars, 0);
    const { stdout } = await run("tools", "cost", "--provider", "google", "--json");
    expect(JSON.parse(stdout)).toEqual({
      provider: "google",
      tools: expected.map((tool) => ({ ...tool, tokens: Math.ceil(tool.chars / 4) })),
      chars,
      tokens: Math.ceil(chars / 4),
      estimate: "characters / 4",
    });
    const table = await run("tools", "cost", "--provider", "google");
    expect(table.stdout).toMatch(new RegExp(`^ {2}all +${chars} +${Math.ceil(chars / 4)}$`, "m"));
    expect(table.stdout).toContain("Tokens are an estimate: characters / 4, rounded up.");
  });
});

describe("tools call", () => {
  it("prints what the model is told", async () => {
    const { run } = await createSandbox({ files: { "a.txt": "one\ntwo\n" } });
    expect(await run("tools", "call", "read", "--json", '{"path":"a.txt"}')).toEqual({
      exitCode: 0,
      stdout: "one\ntwo\n",
      stderr: "",
    });
  });

  it("reads the arguments from stdin", async () => {
    const { runWithInput, root } = await createSandbox();
    const text = JSON.stringify({ path: "b.txt", content: "größer" });
    const { exitCode } = await runWithInput(text, ["tools", "call", "write", "--json", "-"]);
    expect(exitCode).toBe(0);
    expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("größer");
  });

  it("--details prints the details as JSON", async () => {
    const { runHere } = await createSandbox({ files: { "a.txt": "one\n" } });
    const { stdout } = await runHere(
      "tools",
      "call",
      "read",
      "--json",
      '{"path":"a.txt"}',
      "--details",
    );
    expect(JSON.parse(stdout)).toBeTypeOf("object");
  });

  it.each([
    ["read", '{"path":"nope"}', 5, "not_found"],
    ["read", "{}", 2, "invalid_input"],
    ["read", '{"path":"../../etc/passwd"}', 3, "denied"],
    ["write", '{"path":"x","content":"y"}', 3, "denied"],
    ["tts", "{}", 8, "unavailable"],
    ["reed", "{}", 5, "not_found"],
  ])("%s %s that fails ends with %d", async (name, given, exitCode, code) => {
    const { runHere, root } = await createSandbox({ config: { tools: { deny: ["write"] } } });
    const told = await runHere("tools", "call", name, "--json", given);
    expect(told.exitCode).toBe(exitCode);
    expect(JSON.parse(told.stdout)).toMatchObject({ status: "error", tool: name });
    const details = await runHere("tools", "call", name, "--json", given, "--details");
    expect(JSON.parse(details.stdout)).toMatchObject({ code });
    expect(existsSync(join(root, "x"))).toBe(false);
  });

  it.each([
    ["a code of its own", '{ code: "E_PAPER" }'],
    ["no code", "undefined"],
  ])("a tool that fails with %s ends with 10", async (_what, details) => {
    const folder = await createTempFolder({
      "paper/openclaw.plugin.json": '{ "id": "paper" }',
      "paper/index.mjs": `export const register = (api) => api.registerTool({
        name: "print", description: "Prints.", parameters: { type: "object", properties: {} },
        execute: async () => ({ content: [], isError: true, details: ${details} }),
      });`,
    });
    const { runHere } = await createSandbox({ config: { plugins: { load: { paths: [folder] } } } });
    expect((await runHere("tools", "call", "print")).exitCode).toBe(10);
  });

  it.each([
    ["{", /^--json is not valid JSON \(.+\)\. Write it in single quotes/],
    ["[]", /^--json must be an object, such as/],
    ["null", /^--json must be an object, such as/],
  ])("--json %s is a usage error", async (given, message) => {
    const { runHere } = await createSandbox();
    const { exitCode, stdout, stderr } = await runHere("tools", "call", "read", "--json", given);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  it("calls the tool of a plugin that the config names", async () => {
    const plugins = join(import.meta.dirname, "../plugins/sound");
    const { run } = await createSandbox({ config: { plugins: { load: { paths: [plugins] } } } });
    const { exitCode, stdout } = await run("tools", "call", "echo", "--json", '{"text":"hello"}');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "Echo: hello\n" });
  });
});
