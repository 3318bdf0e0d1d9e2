// Variables of the environment in a config file: filled, escaped, missing, never shown.

import { describe, expect, it } from "vitest";
import { createTempFolder } from "../../../test/plugins/temp-folder.js";
import { type LoadedConfig, loadConfig } from "../index.js";

type Env = Record<string, string | undefined>;

async function load(files: Record<string, string>, env: Env): Promise<LoadedConfig> {
  const cwd = await createTempFolder(files);
  return loadConfig({ path: "clawtools.json", env, homeDir: undefined, cwd });
}

const main = (text: string, env: Env) => load({ "clawtools.json": text }, env);

it("a variable is replaced in texts of every file, also in the middle, and only once", async () => {
  const loaded = await load(
    {
      "clawtools.json": `{
        $include: 'a.json',
        mcp: { servers: { x: { url: 'http://\${HOST}:\${PORT_1}/' } } },
      }`,
      "a.json": `{ tools: { deny: ['\${TOOL}', 'read'] } }`,
    },
    { HOST: "localhost", PORT_1: "80", TOOL: `ex\${HOST}ec` },
  );
  expect(loaded.problems).toEqual([]);
  expect(loaded.config).toEqual({
    tools: { deny: [`ex\${HOST}ec`, "read"] },
    mcp: { servers: { x: { url: "http://localhost:80/" } } },
  });
});

it("a variable stays as it is when escaped, in small letters, broken off, or as a key", async () => {
  const text = `{
    messages: { responsePrefix: '$\${A} \${a} \${1A} $A \${A' },
    channels: { '\${A}': {} },
  }`;
  const loaded = await main(text, { A: "no" });
  expect(loaded.config?.messages?.responsePrefix).toBe(`\${A} \${a} \${1A} $A \${A`);
  expect(Object.keys(loaded.config?.channels ?? {})).toEqual([`\${A}`]);
});

describe("a variable that is missing", () => {
  const text = `{ gateway: { auth: { token: '\${API_KEY}' } } }`;

  it.each([
    ["not set", {}],
    ["empty", { API_KEY: "" }],
    ["only inherited", Object.create({ API_KEY: "x" })],
  ])("is an error that names place and variable: %s", async (_state, env) => {
    const loaded = await main(text, env);
    expect(loaded).toMatchObject({ ok: false, config: undefined });
    expect(loaded.problems).toEqual([
      {
        path: "gateway.auth.token",
        severity: "error",
        message: `needs the environment variable API_KEY, which is not set or empty; write $\${API_KEY} for the text itself`,
      },
    ]);
  });

  it("costs an apiKey alone: a warning names it, and the key is left out", async () => {
    const search = `{ provider: 'brave', apiKey: 'sk-\${API_KEY}', brave: { apiKey: '\${OTHER}' } }`;
    const loaded = await main(`{ tools: { web: { search: ${search} } } }`, { OTHER: "there" });
    expect(loaded.config).toEqual({
      tools: { web: { search: { provider: "brave", brave: { apiKey: "there" } } } },
    });
    expect(loaded.problems).toEqual([
      {
        path: "tools.web.search.apiKey",
        severity: "warning",
        message: expect.stringContaining(
          "needs the environment variable API_KEY, which is not set",
        ),
      },
    ]);
    expect([...loaded.written]).toEqual([["there", `\${OTHER}`]]);
    expect([...loaded.unfilled]).toEqual(["tools.web.search.apiKey"]);
  });

  it("is named at every place that needs it", async () => {
    const loaded = await main(`{ tools: { deny: ['\${ONE}', '\${TWO}\${ONE}'] } }`, {});
    expect(loaded.problems.map(({ path, message }) => [path, message.split(" ")[4]])).toEqual([
      ["tools.deny[0]", "ONE,"],
      ["tools.deny[1]", "TWO,"],
      ["tools.deny[1]", "ONE,"],
    ]);
  });
});

it("what a variable holds is never shown when it is wrong", async () => {
  const loaded = await main(`{ tools: { profile: '\${MODE}' } }`, { MODE: "s3cret" });
  expect(loaded.problems.map(({ message }) => message)).toEqual([
    'expected one of "minimal", "coding", "messaging", "full", received a string that is not shown',
  ]);
});

it("variables cannot make the config endless", async () => {
  const text = `{ messages: { responsePrefix: '${`\${BIG}`.repeat(100)}' } }`;
  const loaded = await main(text, { BIG: "x".repeat(100_000) });
  expect(loaded.ok).toBe(false);
  expect(loaded.problems[0]).toEqual({
    path: "messages.responsePrefix",
    severity: "error",
    message: "makes the config larger than 4194304 characters",
  });
});
