// What is wrong with a config is found, named by its path, and never lets anything run.

import { describe, expect, it } from "vitest";
import { parseConfig } from "./index.js";

const NOTHING_OFFERED = { tools: { deny: ["*"] }, plugins: { enabled: false } };

const problemsOf = (value: unknown) =>
  parseConfig(value).problems.map(
    ({ path, severity, message }) => `${severity} ${path}: ${message}`,
  );

/** A JSON text, because an object literal cannot have an own `__proto__`. */
const fromJson = (text: string): unknown => JSON.parse(text);

const WRONG: [given: unknown, path: string, message: string][] = [
  [{ tools: [] }, "tools", "expected an object, received a list of 0"],
  [{ tools: null }, "tools", "expected an object, received null"],
  [{ tools: { deny: "exec" } }, "tools.deny", 'expected a list of texts, received "exec"'],
  [
    { tools: { deny: Array(1_001).fill("exec") } },
    "tools.deny",
    "has 1001 entries; at most 1000 are allowed",
  ],
  [
    { tools: { allow: ["read", 7] } },
    "tools.allow[1]",
    "expected non-empty text, received number 7",
  ],
  [{ tools: { alsoAllow: [""] } }, "tools.alsoAllow[0]", 'expected non-empty text, received ""'],
  [
    { tools: { profile: "code" } },
    "tools.profile",
    'expected one of "minimal", "coding", "messaging", "full", received "code"',
  ],
  [
    { tools: { byProvider: { "openai/gpt-5.2": { deny: {} } } } },
    'tools.byProvider["openai/gpt-5.2"].deny',
    "expected a list of texts, received an object",
  ],
  [
    { tools: { taint: true } },
    "tools.taint",
    'expected one of "mark", "ask", "deny", received boolean true',
  ],
  [
    { tools: { unknownAllow: "warn" } },
    "tools.unknownAllow",
    'expected one of "ignore", "deny", received "warn"',
  ],
  [
    { tools: { exec: { timeoutSec: "10" } } },
    "tools.exec.timeoutSec",
    'expected a number, 0 or more, received "10"',
  ],
  [
    { tools: { exec: { timeoutSec: -1 } } },
    "tools.exec.timeoutSec",
    "expected a number, 0 or more, received number -1",
  ],
  [
    { tools: { exec: { backgroundMs: 10.5 } } },
    "tools.exec.backgroundMs",
    "expected a whole number from 10 to 120000, received number 10.5",
  ],
  [
    { tools: { exec: { sandbox: "podman" } } },
    "tools.exec.sandbox",
    'expected one of "auto", "bwrap", "docker", "none", received "podman"',
  ],
  [
    { tools: { exec: { network: "yes" } } },
    "tools.exec.network",
    'expected true or false or an object, received "yes"',
  ],
  [
    { tools: { exec: { mode: "deny", security: "full" } } },
    "tools.exec.mode",
    "says the same as security and ask; keep mode, or those two",
  ],
  [
    { tools: { web: { search: { maxResults: 11 } } } },
    "tools.web.search.maxResults",
    "expected a whole number from 1 to 10, received number 11",
  ],
  [
    { tools: { elevated: { allowFrom: { slack: [true] } } } },
    "tools.elevated.allowFrom.slack[0]",
    "expected text or a number, received boolean true",
  ],
  [
    { tools: { net: { ssrfPolicy: { allowedHostnames: "localhost" } } } },
    "tools.net.ssrfPolicy.allowedHostnames",
    'expected a list of texts, received "localhost"',
  ],
  [
    { tools: { loopDetection: { stopAt: 0 } } },
    "tools.loopDetection.stopAt",
    "expected a whole number, 1 or more, received number 0",
  ],
  [{ agents: { list: {} } }, "agents.list", "expected a list of objects, received an object"],
  [{ agents: { list: [{ name: "x" }] } }, "agents.list[0].id", "is required, but missing"],
  [
    { agents: { list: [{ id: "" }] } },
    "agents.list[0].id",
    'expected text of 1 to 64 characters, received ""',
  ],
  [
    { agents: { list: [{ id: "a" }, { id: " A " }] } },
    "agents.list[1].id",
    "repeats the id of agents.list[0]",
  ],
  [
    { agents: { list: [{ id: "a", tools: { allow: "read" } }] } },
    "agents.list[0].tools.allow",
    'expected a list of texts, received "read"',
  ],
  [
    { agents: { defaults: { imageModel: 5 } } },
    "agents.defaults.imageModel",
    "expected non-empty text or an object, received number 5",
  ],
  [
    { agents: { defaults: { imageModel: { fallbacks: [1] } } } },
    "agents.defaults.imageModel.fallbacks[0]",
    "expected non-empty text, received number 1",
  ],
  [
    { limits: { resultChars: 0 } },
    "limits.resultChars",
    "expected a whole number, 1 or more, received number 0",
  ],
  [{ budgets: { usd: "5" } }, "budgets.usd", 'expected a number, 0 or more, received "5"'],
  [
    { session: { agentToAgent: { maxPingPongTurns: 6 } } },
    "session.agentToAgent.maxPingPongTurns",
    "expected a whole number from 0 to 5, received number 6",
  ],
  [
    { browser: { profiles: { "Work 1": {} } } },
    'browser.profiles["Work 1"]',
    "is not an allowed name: at most 64 characters that match ^[a-z0-9][a-z0-9-]*$",
  ],
  [
    { browser: { profiles: { ["w".repeat(65)]: {} } } },
    `browser.profiles.${"w".repeat(65)}`,
    "is not an allowed name: at most 64 characters that match ^[a-z0-9][a-z0-9-]*$",
  ],
  [
    { gateway: { port: 70_000 } },
    "gateway.port",
    "expected a whole number from 0 to 65535, received number 70000",
  ],
  [
    { gateway: { bind: "0.0.0.0" } },
    "gateway.bind",
    'expected one of "loopback", "lan", "tailnet", "auto", "custom", received "0.0.0.0"',
  ],
  [{ hooks: { path: "/" } }, "hooks.path", 'expected text that matches ^/.+, received "/"'],
  [{ hooks: { enabled: true } }, "hooks.token", "is required when hooks.enabled is true"],
  [{ mcp: { servers: { files: {} } } }, "mcp.servers.files", "needs command or url"],
  [
    { mcp: { servers: { "my files": { command: "x", url: "http://x" } } } },
    'mcp.servers["my files"]',
    "has both command and url; keep one",
  ],
  [
    { plugins: { entries: { dice: true } } },
    "plugins.entries.dice",
    "expected an object, received boolean true",
  ],
  [
    { channels: { slack: { groups: { "*": { tools: { deny: [0] } } } } } },
    'channels.slack.groups["*"].tools.deny[0]',
    "expected non-empty text, received number 0",
  ],
  [{ cron: { enabled: 1 } }, "cron.enabled", "expected true or false, received number 1"],
  [
    { commands: { restart: "true" } },
    "commands.restart",
    'expected true or false, received "true"',
  ],
  [
    { $include: "./more.json" },
    "$include",
    "is followed only in a file that is loaded, not in a config given as an object",
  ],
  [
    { agents: { $include: "./more.json" } },
    "agents.$include",
    "is followed only in a file that is loaded, not in a config given as an object",
  ],
];

describe("a wrong value", () => {
  it.each(WRONG)("%j is an error at %s", (given, path, message) => {
    expect(problemsOf(given)).toEqual([`error ${path}: ${message}`]);
  });

  it.each(WRONG)("%j leaves a config under which nothing is offered", (given) => {
    expect(parseConfig(given)).toMatchObject({ ok: false, config: NOTHING_OFFERED });
  });

  it("does not keep the others from being named", () => {
    const config = { tools: { allow: 1, exec: { ask: "never" } }, cron: { enabled: "no" } };
    expect(parseConfig(config).problems.map(({ path }) => path)).toEqual([
      "tools.allow",
      "tools.exec.ask",
      "cron.enabled",
    ]);
  });

  it("is counted when there are very many", () => {
    const { problems } = parseConfig({ tools: { deny: Array.from({ length: 1_000 }, () => 1) } });
    expect(problems).toHaveLength(51);
    expect(problems.at(-1)).toEqual({ path: "", severity: "error", message: "and 950 more" });
  });

  it("is found behind any number of warnings", () => {
    const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]));
    const parsed = parseConfig({ ...unknown, tools: { deny: 1 } });
    expect(parsed.ok).toBe(false);
    expect(parsed.problems).toContainEqual(expect.objectContaining({ path: "tools.deny" }));
  });
});

describe("an unknown key", () => {
  it.each([
    [{ tool: {} }, "tool", '"tools"'],
    [{ tools: { exec: { pathPrepnd: [] } } }, "tools.exec.pathPrepnd", '"pathPrepend"'],
    [{ browser: { defaultprofile: "x" } }, "browser.defaultprofile", '"defaultProfile"'],
    [{ agents: { list: [{ id: "a", tool: {} }] } }, "agents.list[0].tool", '"tools"'],
    [
      { agents: { defaults: { model: { primry: "a/b" } } } },
      "agents.defaults.model.primry",
      '"primary"',
    ],
  ])("%j is a warning that names the nearest, and is kept", (given, path, nearest) => {
    const parsed = parseConfig(given);
    expect(parsed).toMatchObject({ ok: true, config: given });
    expect(problemsOf(given)).toEqual([
      `warning ${path}: is not a known key and has no effect; did you mean ${nearest}?`,
    ]);
  });

  it("is a warning that lists the known ones when nothing is near", () => {
    expect(problemsOf({ limits: { speed: 3 } })).toEqual([
      'warning limits.speed: is not a known key and has no effect; known here: "resultChars", "turnChars"',
    ]);
  });

  it("is silent where others may add keys, unless it looks mistyped", () => {
    expect(problemsOf({ channels: { slack: { signingMode: "x" } } })).toEqual([]);
    expect(problemsOf({ channels: { slack: { enabld: true } } })).toHaveLength(1);
    expect(problemsOf({ plugins: { entries: { dice: { config: { enabld: 1 } } } } })).toEqual([]);
  });

  it("never leads to a key that has no effect either", () => {
    expect(problemsOf({ browser: { controlUrls: "x" } })).toEqual([]);
  });

  it("may be called like a method of every object", () => {
    const given = fromJson('{"tools": {"toString": 1, "hasOwnProperty": 2}, "valueOf": 3}');
    const parsed = parseConfig(given);
    expect(parsed.ok).toBe(true);
    expect(parsed.problems.map(({ path }) => path)).toEqual([
      "tools.toString",
      "tools.hasOwnProperty",
      "valueOf",
    ]);
  });
});

describe("a key that another program knows", () => {
  it("is accepted and answered with what replaces it", () => {
    const parsed = parseConfig({ browser: { controlUrl: "http://127.0.0.1:18791" } });
    expect(parsed.ok).toBe(true);
    expect(parsed.problems).toEqual([
      {
        path: "browser.controlUrl",
        severity: "warning",
        message: "has no effect. Use `browser.cdpUrl` for a remote browser.",
      },
    ]);
  });
});

describe("what is no plain data", () => {
  const cycle: Record<string, unknown> = {};
  cycle.tools = cycle;
  let deep: unknown = {};
  for (let level = 0; level < 70; level += 1) deep = { deep };

  it.each([
    [null, "", "expected an object, received null"],
    ["tools", "", "expected an object, received a string that is not shown"],
    [undefined, "", "expected plain data, received nothing"],
    [new Map(), "", "expected plain data, received an object of a class"],
    [{ tools: { deny: [undefined] } }, "tools.deny[0]", "expected plain data, received nothing"],
    [{ tools: () => 1 }, "tools", "expected plain data, received a function"],
    [{ budgets: { usd: Number.NaN } }, "budgets.usd", "expected a finite number, received NaN"],
    [{ budgets: { calls: 10n } }, "budgets.calls", "expected plain data, received a bigint"],
    [fromJson('{"__proto__": {"ok": 1}}'), "__proto__", "is not allowed as a key"],
    [fromJson('{"x": [{"constructor": 1}]}'), "x[0].constructor", "is not allowed as a key"],
    [{ tools: { prototype: 1 } }, "tools.prototype", "is not allowed as a key"],
    [cycle, "tools", "contains itself"],
    [deep, "", "is deeper than 64 levels"],
  ])("is refused (%#)", (given, path, message) => {
    expect(parseConfig(given)).toEqual({
      ok: false,
      config: NOTHING_OFFERED,
      problems: [{ path, severity: "error", message }],
    });
  });

  it("leaves the language as it was", () => {
    parseConfig(fromJson('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"p": 1}}}'));
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    expect(Reflect.get({}, "p")).toBeUndefined();
  });
});

describe("a good config", () => {
  it("comes out as a copy that later changes do not reach", () => {
    const given = { tools: { deny: ["exec"] } };
    const { config } = parseConfig(given);
    given.tools.deny.pop();
    expect(config).toEqual({ tools: { deny: ["exec"] } });
  });

  it("may hold undefined for a key that is left out", () => {
    expect(parseConfig({ tools: { deny: undefined } })).toEqual({
      ok: true,
      config: { tools: {} },
      problems: [],
    });
  });

  it("may come from an object without a prototype", () => {
    const given = Object.assign(Object.create(null), { limits: { turnChars: 9 } });
    expect(parseConfig(given)).toMatchObject({ ok: true, config: { limits: { turnChars: 9 } } });
  });
});

describe("a value that looks like a secret", () => {
  const SECRET = "s3cr3t-value";
  it.each([
    { gateway: { auth: { token: [SECRET], mode: SECRET, password: { [SECRET]: 1 } } } },
    { tools: { web: { search: { apiKey: [SECRET], maxResults: 1 } } } },
    { mcp: { servers: { x: { env: { PLAIN: [SECRET] }, headers: { Accept: { a: SECRET } } } } } },
    { browser: { profiles: { a: { cdpUrl: [SECRET] } } } },
    { hooks: { mappings: [{ action: 1 }], token: { value: SECRET } } },
  ])("is never shown: %j", (given) => {
    const { problems } = parseConfig(given);
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(problems)).not.toContain(SECRET);
  });

  it("is named by its kind", () => {
    expect(problemsOf({ gateway: { auth: { token: 12_345 } } })).toEqual([
      "error gateway.auth.token: expected text, received a number that is not shown",
    ]);
  });
});

it("a long or invisible text is shown short and escaped", () => {
  const [long] = parseConfig({ tools: { profile: "x".repeat(10_000) } }).problems;
  expect(long?.message.length).toBeLessThan(200);
  const [hidden] = parseConfig({ tools: { profile: "a\u001b[2J\u202Eb" } }).problems;
  expect(hidden?.message).toMatch(/received "a\\u001b\[2J\\u\{202E\}b"$/);
});
