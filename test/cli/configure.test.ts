// `clawtools configure` by flags, and what it says where nobody can be asked.

import { readFile } from "node:fs/promises";
import json5 from "json5";
import { describe, expect, it } from "vitest";
import { SEARCH_PROVIDER_IDS } from "../../src/core/index.js";
import { startSearchServer } from "../web/search-server.js";
import { createSandbox } from "./run-cli.js";
import { runHere } from "./run-here.js";

const WEB = ["configure", "--section", "web"];

describe("clawtools configure without a terminal", () => {
  const ROWS: [args: string[], message: string][] = [
    [["configure"], "Missing --section: tools, web, exec, memory."],
    [
      ["configure", "--section", "wep"],
      "--section must be one of tools, web, exec, memory. Did you mean web? See `clawtools configure --help`.",
    ],
    [
      WEB,
      "No terminal to ask in. Give --provider, --api-key-env or --api-key-stdin. See `clawtools configure --help`.",
    ],
    [
      ["configure", "--section", "exec"],
      "No terminal to ask in. Give one of --sandbox, --network, --security, --ask. See `clawtools configure --help`.",
    ],
    [
      ["configure", "--section", "exec", "--ask", "never"],
      "--ask must be one of off, on-miss, always. See `clawtools configure --help`.",
    ],
    [
      ["configure", "--section", "exec", "--network", "maybe"],
      "--network must be one of on, off. See `clawtools configure --help`.",
    ],
    [
      ["configure", "--section", "exec", "--profile", "full"],
      "--profile belongs to --section tools.",
    ],
    [
      [...WEB, "--provider", "brave", "--api-key-env", "sk-123"],
      "--api-key-env must be the name of a variable, such as BRAVE_API_KEY.",
    ],
    [
      [...WEB, "--provider", "brave", "--api-key-env", "A_KEY", "--max-results", "many"],
      "--max-results must be a whole number.",
    ],
    [
      [...WEB, "--provider", "brav", "--api-key-env", "A_KEY"],
      '--provider must be one of brave, perplexity, firecrawl, searxng, duckduckgo, as no plugin is set up that could bring another; "brav" may be meant for brave.',
    ],
  ];

  it.each([
    ["", "--api-key-stdin found no key on stdin. Nothing was changed."],
    [" \n", "--api-key-stdin found no key on stdin. Nothing was changed."],
    ["one\ntwo\n", "--api-key-stdin takes a key of one line. Nothing was changed."],
  ])("keeps the key that is there when stdin has %j", async (input, message) => {
    const config = '{tools: {web: {search: {provider: "brave", apiKey: "kept"}}}}';
    const sandbox = await createSandbox({ config });
    const args = [...WEB, "--provider", "brave", "--api-key-stdin"];
    const run = await sandbox.runHereWithInput(input, args);
    expect(run).toEqual({ exitCode: 2, stdout: "", stderr: `${message}\n` });
    expect(await readFile(sandbox.configFile, "utf8")).toBe(config);
  });

  it("gives programs an error as a document", async () => {
    const { runHereWithInput } = await createSandbox({ config: "{ broken" });
    const run = await runHereWithInput("", [
      "configure",
      "--section",
      "exec",
      "--ask",
      "off",
      "--json",
    ]);
    expect(JSON.parse(run.stdout)).toMatchObject({ status: "error", code: "invalid_input" });
  });

  it.each(ROWS)("%j says what is missing or wrong", async (args, message) => {
    const { runHereWithInput } = await createSandbox();
    const run = await runHereWithInput("", args);
    expect(run).toEqual({ exitCode: 2, stdout: "", stderr: `${message}\n` });
  });

  it("writes the key as a reference to a variable, and warns where it is not set", async () => {
    const sandbox = await createSandbox({ config: "{ /* mine */ }\n" });
    const args = [...WEB, "--provider", "brave", "--api-key-env", "BRAVE_API_KEY"];
    const without = await sandbox.runHere(...args);
    // The variable may be there where the tools run; here it is only told of.
    expect(without.exitCode).toBe(0);
    expect(without.stderr).toMatch(
      /^warning: tools\.web\.search\.apiKey: set BRAVE_API_KEY where the server starts\./,
    );
    const run = await runHere({
      args,
      env: { ...sandbox.env, BRAVE_API_KEY: "sk-very-secret" },
    });
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(run.stdout).not.toContain("sk-very-secret");
    const text = await readFile(sandbox.configFile, "utf8");
    expect(text).toContain("/* mine */");
    expect(json5.parse(text)).toEqual({
      // The reference itself, as it stands in the file.
      tools: { web: { search: { provider: "brave", apiKey: ["$", "{BRAVE_API_KEY}"].join("") } } },
    });
  });

  it("writes the key itself, read from stdin, where the provider has its own place for it", async () => {
    const sandbox = await createSandbox();
    const args = [...WEB, "--provider", "perplexity", "--api-key-stdin", "--max-results", "7"];
    const run = await sandbox.runWithInput("pplx-secret\n", args);
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(run.stdout).not.toContain("pplx-secret");
    expect(JSON.parse(await readFile(sandbox.configFile, "utf8"))).toEqual({
      tools: {
        web: {
          search: { provider: "perplexity", perplexity: { apiKey: "pplx-secret" }, maxResults: 7 },
        },
      },
    });
  });

  it("asks for an address where that is wanted, and for no key where none is", async () => {
    const sandbox = await createSandbox();
    const missing = await sandbox.runHereWithInput("", [...WEB, "--provider", "searxng"]);
    expect(missing.stderr).toContain("No terminal to ask in. Give --base-url.");
    expect(await sandbox.runHere(...WEB, "--provider", "duckduckgo")).toMatchObject({
      exitCode: 0,
    });
  });

  it("takes any provider where a plugin may bring it", async () => {
    const sandbox = await createSandbox({ config: { plugins: { load: { paths: [] } } } });
    const args = [...WEB, "--provider", "mine", "--api-key-stdin"];
    expect(await sandbox.runHereWithInput("key\n", args)).toMatchObject({ exitCode: 0 });
  });

  it("says that the key of another provider stays", async () => {
    const search = { provider: "brave", apiKey: "kept" };
    const sandbox = await createSandbox({ config: { tools: { web: { search } } } });
    const run = await sandbox.runHere(...WEB, "--provider", "duckduckgo");
    expect(run.stderr).toBe(
      "note: tools.web.search.apiKey is still set, and duckduckgo does not use it. `clawtools config unset tools.web.search.apiKey` removes it.\n",
    );
    expect(await sandbox.runHere(...WEB, "--provider", "duckduckgo")).toMatchObject({ stderr: "" });
  });

  it("lists no change with --json where there is none", async () => {
    const sandbox = await createSandbox({ config: { tools: { exec: { ask: "off" } } } });
    const args = ["configure", "--section", "exec", "--ask", "off", "--json"];
    const { stdout } = await sandbox.runHere(...args);
    expect(JSON.parse(stdout)).toMatchObject({ changes: [], written: false, ok: true });
    const both = await sandbox.runHere(...args, "--security", "full");
    const { changes } = JSON.parse(both.stdout);
    expect(changes).toEqual([{ path: "tools.exec.security", after: "full" }]);
  });

  const ASKED: Readonly<Record<string, readonly string[]>> = {
    brave: ["--api-key-stdin"],
    perplexity: ["--api-key-stdin"],
    firecrawl: ["--api-key-stdin"],
    searxng: ["--base-url", "http://127.0.0.1:1"],
    duckduckgo: [],
  };

  it.each(SEARCH_PROVIDER_IDS)("sets up what web_search then asks: %s", async (id) => {
    const sandbox = await createSandbox();
    const before = await sandbox.runHere("tools", "explain", "web_search");
    expect(before.stdout).toContain("Run clawtools configure --section web");
    const run = await sandbox.runHereWithInput("key-of-mine\n", [
      ...[...WEB, "--provider", id],
      ...(ASKED[id] ?? []),
    ]);
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    const { stdout } = await sandbox.runHere("tools", "explain", "web_search");
    expect(stdout).toMatch(/^web_search is present\nIt asks \S[^,]*\.\n$/);
  });

  it("gives web_search an address that it asks at", async () => {
    const server = await startSearchServer();
    const sandbox = await createSandbox();
    await sandbox.runHere(...WEB, "--provider", "searxng", "--base-url", server.base);
    const call = ["tools", "call", "web_search", "--json", '{"query": "otters"}', "--details"];
    const { stdout } = await sandbox.runHere(...call);
    expect(JSON.parse(stdout)).toMatchObject({ provider: "searxng", count: 2 });
    expect(server.asked[0]?.search.get("q")).toBe("otters");
  });

  it("sets up commands, the profile and the memory", async () => {
    const sandbox = await createSandbox();
    await sandbox.run("configure", "--section", "exec", "--network", "on", "--ask", "always");
    await sandbox.run("configure", "--section", "tools", "--profile", "coding");
    await sandbox.run("configure", "--section", "memory", "--memory", "off", "--citations", "on");
    expect(JSON.parse(await readFile(sandbox.configFile, "utf8"))).toEqual({
      tools: { exec: { network: true, ask: "always" }, profile: "coding" },
      agents: { defaults: { memorySearch: { enabled: false } } },
      memory: { citations: "on" },
    });
  });
});
