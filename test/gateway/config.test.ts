// The config of a running gateway: read without secrets, changed with comments kept, applied at once
// or by a restart, never torn, and taken back when the gateway does not survive it.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createGateway } from "clawtools/gateway";
import { expect, it } from "vitest";
import { makeFolder, startGateway } from "./start-gateway.js";

const AUTHORED = `{
  // Which tools the agent has.
  "tools": { "profile": "coding", "deny": ["exec"] },
  "gateway": { "auth": { "token": "\${GW_TOKEN}" } },
  "commands": { "restart": true }, // keep
}
`;
const TOKEN = "a-token-that-is-long-enough";

async function startWithFile(text = AUTHORED) {
  const folder = makeFolder();
  const path = join(folder, "clawtools.json");
  writeFileSync(path, text);
  const configPlace = { path, env: { GW_TOKEN: TOKEN }, homeDir: folder, cwd: folder };
  const started = await startGateway({ configPlace, canRestart: true });
  return { ...started, path, configPlace };
}

const hashOf = (answer: unknown) => (answer as { hash: string }).hash;

it("shows no secret, and changes one key with comments and variables kept", async () => {
  const { gateway, path, token } = await startWithFile();
  expect(token).toBe(TOKEN);
  const shown = await gateway.call("config.get");
  expect(JSON.stringify(shown)).not.toContain(TOKEN);
  const raw = '{ "tools": { "deny": ["exec", "write"] } }';
  const patched = await gateway.call("config.patch", { raw, baseHash: hashOf(shown) });
  expect(patched).toMatchObject({ ok: true, changedPaths: ["tools.deny"], applied: "hot" });
  const text = readFileSync(path, "utf8");
  expect(text).toContain("// Which tools the agent has.");
  expect(text).toContain("// keep");
  expect(text).toMatch(/\$\{GW_TOKEN\}/);
  expect(text).toContain('"write"');
});

it("keeps comments inside a list with the entries that stay", async () => {
  const { gateway, path } = await startWithFile(`{
  "tools": {
    "deny": [
      "exec", // no shell
      "browser", // no pages
      "tts", // quiet
    ],
  },
  "agents": {
    "list": [
      { "id": "main", "name": "Ann" }, // ours
      // Helps out.
      { "id": "bob", "name": "Bob" },
    ],
  },
}
`);
  const patch = async (value: object) => {
    const { hash } = (await gateway.call("config.get")) as { hash: string };
    const raw = JSON.stringify(value);
    return await gateway.call("config.patch", { raw, baseHash: hash, restartDelayMs: 60_000 });
  };
  const answer = await patch({ tools: { deny: ["exec", "tts", "web_fetch"] } });
  expect(answer).toMatchObject({ changedPaths: ["tools.deny"] });
  await patch({ tools: { deny: ["cron", "exec", "image", "tts"] } });
  await patch({
    agents: {
      list: [
        { id: "main", name: "Eva" },
        { id: "bob", name: "Bob" },
      ],
    },
  });
  const text = readFileSync(path, "utf8");
  expect(text).toContain('{ "id": "main", "name": "Eva" }, // ours\n      // Helps out.');
  expect(text).toContain('"cron",\n      "exec", // no shell\n      "image",\n');
  expect(text).toContain('"tts", // quiet\n');
  const deny = gateway.services.config.current().tools?.deny;
  expect(deny).toEqual(["cron", "exec", "image", "tts"]);
});

it("writes agents.list to a gateway that had none, and says what waits for the restart", async () => {
  const { gateway, path } = await startWithFile();
  const { hash } = (await gateway.call("config.get")) as { hash: string };
  const raw = '{ "agents": { "list": [{ "id": "ann", "default": true }] } }';
  const answer = gateway.call("config.patch", { raw, baseHash: hash, restartDelayMs: 60_000 });
  await expect(answer).resolves.toMatchObject({
    ...{ ok: true, applied: "restart", restartPaths: ["agents.list"] },
  });
  expect(readFileSync(path, "utf8")).toContain('"ann"');
});

it("applies without a restart what is read at each use, and tool rules after it", async () => {
  const { gateway } = await startWithFile('{ "tools": { "deny": ["read"] } }');
  const patch = async (value: object) => {
    const { hash } = (await gateway.call("config.get")) as { hash: string };
    return await gateway.call("config.patch", { raw: JSON.stringify(value), baseHash: hash });
  };
  for (const value of [
    { hooks: { enabled: true, token: "a-token-for-hooks" } },
    { update: { command: "exit 3" } },
    { gateway: { tools: { deny: ["ls"] }, http: { endpoints: {} } } },
    { tools: { deny: [] } },
  ]) {
    expect(await patch(value), JSON.stringify(value)).toMatchObject({ applied: "hot" });
  }
  expect(await gateway.call("update.run")).toMatchObject({ ok: false });
  const read = { name: "read", args: { path: "missing.txt" } };
  expect(JSON.stringify(await gateway.call("tools.invoke", read))).not.toContain("tool_denied");
});

it("refuses rules that no toolkit takes, and starts without them when the file has them", async () => {
  const { gateway, root, stateDir, configPlace, path } = await startWithFile();
  const { hash } = (await gateway.call("config.get")) as { hash: string };
  const raw = '{ "tools": { "deny": ["exce"] } }';
  await expect(gateway.call("config.patch", { raw, baseHash: hash })).rejects.toMatchObject({
    ...{ reason: "config_invalid", message: expect.stringContaining("tools.deny[0]") },
  });
  expect(readFileSync(path, "utf8")).toBe(AUTHORED);
  await gateway.close();
  writeFileSync(path, raw);
  const { gateway: next } = await startGateway({ root, stateDir, configPlace });
  expect(next.services.config.problem).toContain("tools.deny[0]");
  expect(next.services.config.current().tools?.deny).toEqual(["exec"]);
});

it("writes the first config with the hash that config.get gave while there was no file", async () => {
  const homeDir = makeFolder();
  const configPlace = { env: { CLAWTOOLS_STATE_DIR: homeDir }, homeDir, cwd: homeDir };
  const { gateway } = await startGateway({ configPlace });
  const baseHash = hashOf(await gateway.call("config.get"));
  const raw = '{ "tools": { "deny": ["exec"] } }';
  const patched = gateway.call("config.patch", { raw, baseHash });
  await expect(patched).resolves.toMatchObject({ ok: true });
  const [path = ""] = gateway.services.config.files();
  expect(readFileSync(path, "utf8")).toContain('"exec"');
  await expect(gateway.call("config.patch", { raw, baseHash })).rejects.toThrow("config changed");
});

it("shows an escaped variable as it is written, so that it stays text when it is sent back", async () => {
  const { gateway } = await startWithFile(
    `{ "messages": { "responsePrefix": "a $\${GW_TOKEN}" } }`,
  );
  const { parsed } = (await gateway.call("config.get")) as { parsed: unknown };
  expect(parsed).toEqual({ messages: { responsePrefix: `a $\${GW_TOKEN}` } });
});

it("hides secrets in addresses and in the update command, and keeps them when they come back", async () => {
  const secret = "LEAK-0123456789";
  const text = JSON.stringify({
    models: { providers: { p: { baseUrl: `https://a.test/v1?key=${secret}&v=2`, models: [] } } },
    mcp: { servers: { u: { url: `https://b.test/mcp?token=${secret}` } } },
    browser: { cdpUrl: `wss://c.test?token=${secret}` },
    update: { command: `TOKEN=${secret} npm update`, timeoutSeconds: 60 },
  });
  const { gateway, path } = await startWithFile(text);
  const shown = (await gateway.call("config.get")) as { hash: string; raw: string };
  expect(JSON.stringify(shown)).not.toContain(secret);
  expect(shown.raw).toContain("https://a.test/v1?key=__CLAWTOOLS_HIDDEN__&v=2");
  const raw = shown.raw.replace('"timeoutSeconds": 60', '"timeoutSeconds": 90');
  await gateway.call("config.apply", { raw, baseHash: shown.hash });
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(
    JSON.parse(text.replace('"timeoutSeconds":60', '"timeoutSeconds":90')),
  );
  const { hash } = (await gateway.call("config.get")) as { hash: string };
  const other = '{"mcp":{"servers":{"u":{"url":"https://d.test?token=__CLAWTOOLS_HIDDEN__"}}}}';
  await expect(gateway.call("config.patch", { raw: other, baseHash: hash })).rejects.toThrow(
    "hidden value",
  );
});

it("refuses an interval of heartbeats that would have no effect", async () => {
  const { gateway } = await startWithFile();
  const { hash } = (await gateway.call("config.get")) as { hash: string };
  for (const every of ["banana", "1s", "30"]) {
    const raw = JSON.stringify({ agents: { defaults: { heartbeat: { every } } } });
    await expect(gateway.call("config.patch", { raw, baseHash: hash })).rejects.toThrow(
      'agents.defaults.heartbeat.every must be a span of time of at least "10s"',
    );
  }
  const raw = '{"agents":{"defaults":{"heartbeat":{"every":"0m"}}}}';
  await gateway.call("config.patch", { raw, baseHash: hash });
});

it("applies new tool rules to calls at once", async () => {
  const { gateway, root } = await startWithFile('{ "tools": { "profile": "coding" } }');
  writeFileSync(join(root, "a.txt"), "hello");
  const call = { name: "read", args: { path: "a.txt" } };
  expect(await gateway.call("tools.invoke", call)).toMatchObject({ ok: true });
  const { hash } = (await gateway.call("config.get")) as { hash: string };
  await gateway.call("config.patch", { raw: '{"tools":{"deny":["read"]}}', baseHash: hash });
  expect(await gateway.call("tools.invoke", call)).toMatchObject({ ok: false });
});

it("328 · config.apply puts rules for sub-agents and jobs in force, and tells the session that asked", async () => {
  const defaults = { model: "debug/echo" };
  const { gateway } = await startWithFile(JSON.stringify({ agents: { defaults } }));
  const args = { task: "x", agentId: "two" };
  const spawn = async () =>
    JSON.stringify(await gateway.call("tools.invoke", { name: "sessions_spawn", args }));
  expect(await spawn()).toContain("allowed: none");
  const { hash } = (await gateway.call("config.get")) as { hash: string };
  const subagents = { allowAgents: ["three"] };
  const raw = JSON.stringify({
    agents: { defaults: { ...defaults, subagents } },
    cron: { enabled: false },
  });
  const asked = { baseHash: hash, sessionKey: "agent:main:main", note: "as asked" };
  const { applied } = (await gateway.call("config.apply", { raw, ...asked })) as {
    applied: string;
  };
  // `none`: the watcher of the file came first.
  expect(["hot", "none"]).toContain(applied);
  expect(await spawn()).toContain("allowed: three");
  expect(await gateway.call("cron.status")).toMatchObject({ enabled: false });
  await expect
    .poll(async () => JSON.stringify(await gateway.call("chat.history", { sessionKey: "main" })))
    .toMatch(/config-apply: ok\. The config was changed and is in force\..{1,4}as asked/);
});

it("what is read once at the start is said to need a restart", async () => {
  const { gateway } = await startWithFile();
  await gateway.call("tools.invoke", { name: "agents_list", args: {} });
  const { hash } = (await gateway.call("config.get")) as { hash: string };
  const raw = JSON.stringify({ agents: { defaults: { subagents: { maxConcurrent: 3 } } } });
  const done = await gateway.call("config.patch", { raw, baseHash: hash });
  expect(done).toMatchObject({ applied: expect.stringMatching(/^restart/) });
});

it("328 · config.apply takes what config.get showed, hidden values included", async () => {
  const { gateway, path } = await startWithFile();
  const shown = (await gateway.call("config.get")) as { hash: string; raw: string };
  const raw = shown.raw.replace('"coding"', '"full"');
  await gateway.call("config.apply", { raw, baseHash: shown.hash });
  const text = readFileSync(path, "utf8");
  expect(text).toMatch(/\$\{GW_TOKEN\}/);
  expect(text).toContain('"full"');
  expect(text).toContain("// keep");
});

it("refuses a stale or missing hash, an unusable config and keys of prototypes; nothing is written", async () => {
  const { gateway, path } = await startWithFile();
  const { hash } = (await gateway.call("config.get")) as { hash: string };
  await gateway.call("config.patch", { raw: '{"commands":{"restart":false}}', baseHash: hash });
  const before = readFileSync(path, "utf8");
  const raw = '{"tools":{"profile":"full"}}';
  await expect(gateway.call("config.patch", { raw, baseHash: hash })).rejects.toThrow(
    "config changed since last load; re-run config.get and retry (changed: commands.restart)",
  );
  await expect(gateway.call("config.patch", { raw })).rejects.toThrow("config base hash required");
  const { hash: fresh } = (await gateway.call("config.get")) as { hash: string };
  for (const wrong of [
    '{"gateway":{"port":"x"}}',
    '{"__proto__":{"x":1}}',
    '{"a":{"constructor":1}}',
    "[]",
    "{",
  ]) {
    await expect(gateway.call("config.patch", { raw: wrong, baseHash: fresh })).rejects.toThrow();
  }
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});

it("329 · restarts for what is read at the start only, and wakes the session that asked once", async () => {
  const { gateway, root, stateDir, configPlace } = await startWithFile();
  const { hash } = (await gateway.call("config.get")) as { hash: string };
  const asked = { sessionKey: "main", note: "bind changed", restartDelayMs: 0 };
  const raw = '{"gateway":{"allowedHosts":["example.test:1"]}}';
  const answer = await gateway.call("config.patch", { raw, baseHash: hash, ...asked });
  expect(answer).toMatchObject({ applied: "restart", restartPaths: ["gateway.allowedHosts"] });
  expect(await gateway.closed).toMatchObject({ restart: true });
  const { gateway: next } = await startGateway({ root, stateDir, configPlace });
  const { records } = await next.services.store.log.read({ stream: "inbox:agent:main:main" });
  expect(records.map(({ value }) => value)).toEqual([
    expect.objectContaining({
      content: [
        { type: "text", text: `config-patch: ok. The gateway has restarted.\n${asked.note}` },
      ],
    }),
  ]);
});

it("starts with the last working config when the file is broken, and says so", async () => {
  const { gateway, root, stateDir, configPlace, path } = await startWithFile();
  await gateway.close();
  writeFileSync(path, '{ "tools": { "profile": 7 } }');
  const lines: string[] = [];
  const onLog = ({ message }: { message: string }) => lines.push(message);
  const { gateway: next } = await startGateway({ root, stateDir, configPlace, onLog });
  expect(next.services.config.current().tools?.profile).toBe("coding");
  expect(lines.join("\n")).toContain("runs with the last working config");
  await next.close();
  const empty = join(makeFolder(), "state");
  await expect(createGateway({ root, stateDir: empty, configPlace, port: 0 })).rejects.toThrow(
    "The config cannot be used. tools.profile",
  );
});

it("reverts a change after which the gateway ended again and again", async () => {
  const { gateway, root, stateDir, configPlace, path } = await startWithFile();
  await gateway.close();
  const good = readFileSync(path, "utf8");
  writeFileSync(path, good.replace('"coding"', '"full"'));
  await crashOften({ root, stateDir, configPlace });
  const { gateway: last } = await startGateway({ root, stateDir, configPlace });
  expect(readFileSync(path, "utf8")).toBe(good);
  expect(existsSync(`${path}.rejected`)).toBe(true);
  expect(last.services.config.current().tools?.profile).toBe("coding");
});

it("refuses a config that the gateway could not start with; nothing is written", async () => {
  const { gateway, path, root } = await startWithFile();
  const { hash } = (await gateway.call("config.get")) as { hash: string };
  writeFileSync(join(root, "a.pem"), "no key");
  const pem = join(root, "a.pem");
  const refused = [
    [{ auth: { token: "short" } }, "gateway.auth.token is too short"],
    [{ auth: { mode: "password" } }, "gateway.auth.password is too short"],
    [{ auth: { mode: "none" }, bind: "lan" }, "works on loopback only"],
    [{ bind: "custom" }, "set gateway.customBindHost"],
    [{ tls: { enabled: true, certPath: "/no/cert", keyPath: pem } }, "Check gateway.tls"],
    [{ tls: { enabled: true, certPath: pem, keyPath: pem } }, "gateway.tls names files"],
  ] as const;
  for (const [section, expected] of refused) {
    const raw = JSON.stringify({ gateway: section });
    for (const method of ["config.patch", "config.set", "config.apply"]) {
      await expect(gateway.call(method, { raw, baseHash: hash })).rejects.toThrow(expected);
    }
  }
  expect(readFileSync(path, "utf8")).toBe(AUTHORED);
  writeFileSync(path, '{ "gateway": { "auth": { "token": "short" } } }');
  await expect(gateway.services.reload.apply()).rejects.toThrow("is too short");
  expect(gateway.services.config.current().gateway?.auth?.token).toBe(TOKEN);
});

it("reverts a change that was made soon after the first start", async () => {
  const { gateway, root, stateDir, configPlace, path } = await startWithFile();
  const { hash } = (await gateway.call("config.get")) as { hash: string };
  await gateway.call("config.patch", { raw: '{"tools":{"deny":[]}}', baseHash: hash });
  const changed = readFileSync(path, "utf8");
  await crash(gateway);
  await crashOften({ root, stateDir, configPlace });
  const { gateway: last } = await startGateway({ root, stateDir, configPlace });
  expect(readFileSync(path, "utf8")).toBe(AUTHORED);
  expect(readFileSync(`${path}.rejected`, "utf8")).toBe(changed);
  expect(last.services.config.current().tools?.deny).toEqual(["exec"]);
});

it("reverts to no config file when there was none", async () => {
  const homeDir = makeFolder();
  const configPlace = { env: { CLAWTOOLS_STATE_DIR: homeDir }, homeDir, cwd: homeDir };
  const { gateway, root, stateDir } = await startGateway({ configPlace });
  await gateway.call("config.patch", { raw: '{"tools":{"deny":["exec"]}}' });
  const path = gateway.services.config.files()[0] ?? "";
  expect(existsSync(path)).toBe(true);
  await crash(gateway);
  await crashOften({ root, stateDir, configPlace });
  await startGateway({ root, stateDir, configPlace });
  expect(existsSync(path)).toBe(false);
  expect(existsSync(`${path}.rejected`)).toBe(true);
});

async function crashOften(options: Parameters<typeof startGateway>[0]): Promise<void> {
  for (let boots = 0; boots < 3; boots++) {
    const { gateway } = await startGateway(options);
    await crash(gateway);
  }
}

it("removes what a killed write of the config left", async () => {
  const { gateway, root, stateDir, configPlace, path } = await startWithFile();
  await gateway.close();
  const draft = join(dirname(path), ".clawtools.json.0011223344aa.clawtmp");
  writeFileSync(draft, AUTHORED);
  await startGateway({ root, stateDir, configPlace });
  expect(existsSync(draft)).toBe(false);
});

it("refuses changes of a config that is not a file", async () => {
  const { gateway } = await startGateway({ config: { tools: { profile: "coding" } } });
  await expect(gateway.call("config.patch", { raw: "{}" })).rejects.toThrow("given by the program");
});

/** A gateway whose process dies does not note that its config worked. */
async function crash(gateway: Awaited<ReturnType<typeof createGateway>>): Promise<void> {
  const { store } = gateway.services;
  const lastGood = await store.kv.get({ space: "gateway.config", key: "last-good" });
  const attempts = await store.kv.get({ space: "gateway.config", key: "attempts" });
  const { stateDir } = gateway.services;
  await gateway.close();
  const { createSqliteStore } = await import("../../src/drivers/store/index.js");
  const { createSystemClock, createSystemRandom } = await import("../../src/drivers/clock.js");
  const again = createSqliteStore({
    folder: stateDir,
    clock: createSystemClock(),
    random: createSystemRandom(),
  });
  const space = "gateway.config";
  await again.kv.put({ space, key: "last-good", value: lastGood?.value });
  await again.kv.put({ space, key: "attempts", value: attempts?.value });
  await again.close();
}

it("refuses a misspelt key of a patch at any depth, and changes nothing", async () => {
  const { gateway, path } = await startWithFile();
  const { hash } = (await gateway.call("config.get")) as { hash: string };
  const refused = [
    ['{ "nonsense": 1 }', /^nonsense is not a known key; .*Nothing was changed\.$/],
    ['{ "gateway": { "prt": 1 } }', /gateway\.prt is not a known key; did you mean.*"port"/],
    ['{ "approvals": { "timeout": { "ms": 1 } } }', /approvals\.timeout is not a known key/],
  ] as const;
  for (const [raw, expected] of refused) {
    await expect(gateway.call("config.patch", { raw, baseHash: hash })).rejects.toMatchObject({
      ...{ code: "invalid_input", reason: "config_key_unknown" },
      message: expect.stringMatching(expected),
    });
  }
  expect(readFileSync(path, "utf8")).toBe(AUTHORED);
});
