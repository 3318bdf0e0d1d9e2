// `config set` and `config unset`: the value changes, everything else in the file stays, and what
// would not load is refused with the file untouched.

import { chmod, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runNode } from "../fakes/run-node.js";
import { BIN, createSandbox, type Sandbox } from "./run-cli.js";

const CONFIG = `// mine
{
  tools: {
    profile: 'coding', // for all
    deny: ["tts"],
  },
}
`;

/** As a config refers to a variable. */
const reference = (name: string) => `\${${name}}`;

const read = ({ configFile }: Sandbox) => readFile(configFile, "utf8");

/** Nothing but the file: no draft, no lock. */
async function listBeside({ configFile }: Sandbox): Promise<string[]> {
  return await readdir(dirname(configFile));
}

describe("config set", () => {
  it("warns of a provider that nobody knows, and so do validate and doctor", async () => {
    const sandbox = await createSandbox();
    const key = "tools.web.search.provider";
    const set = await sandbox.runHere("config", "set", key, "brav");
    expect(set).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("did you mean") });
    const validate = await sandbox.runHere("config", "validate");
    expect(`${validate.stdout}${validate.stderr}`).toContain('"brav" is none of brave');
    expect((await sandbox.runHere("doctor")).stdout).toContain('"brav" is none of');
    expect(await sandbox.runHere("config", "set", key, "brave")).toMatchObject({ stderr: "" });
  });

  it("changes the value and keeps comments, order and quotes", async () => {
    const sandbox = await createSandbox({ config: CONFIG });
    const { exitCode, stdout, stderr } = await sandbox.run(
      "config",
      "set",
      "tools.profile",
      "full",
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toContain('tools.profile: "coding" -> "full"');
    expect(await read(sandbox)).toBe(CONFIG.replace("'coding'", '"full"'));
    expect(await listBeside(sandbox)).toEqual(["clawtools.json"]);
  });

  it("makes a file that is not there, for this user alone", async () => {
    const sandbox = await createSandbox();
    expect(await sandbox.runHere("config", "set", "tools.deny", "['tts']")).toMatchObject({
      exitCode: 0,
    });
    expect(await read(sandbox)).toBe('{\n  "tools": {\n    "deny": ["tts"]\n  }\n}\n');
    const modes = [await stat(sandbox.configFile), await stat(dirname(sandbox.configFile))];
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o700]);
  });

  it("makes a file that --config names", async () => {
    const sandbox = await createSandbox();
    const file = join(sandbox.folder, "other.json");
    const run = await sandbox.runHere("config", "set", "tools.profile", "full", "--config", file);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ tools: { profile: "full" } });
  });

  it("writes a reference to a secret as one, not as text", async () => {
    const sandbox = await createSandbox();
    const secret = { source: "env", id: "NOT_THERE" };
    const key = "tools.web.search.apiKey";
    await sandbox.runHere("config", "set", key, JSON.stringify(secret));
    expect(JSON.parse(await read(sandbox))).toEqual({
      tools: { web: { search: { apiKey: secret } } },
    });
  });

  const REFUSED: [args: string[], exitCode: number, message: RegExp][] = [
    [
      ["tools.exec.ask", "maybe"],
      2,
      /^tools\.exec\.ask: expected one of .*, received "maybe"; nothing was changed/,
    ],
    [
      ["tools.exec.timeoutSec", "soon"],
      2,
      /^tools\.exec\.timeoutSec: expected a number, 0 or more, received "soon"/,
    ],
    [
      ["tools.profil", "x"],
      2,
      /^tools\.profil is not a known key; did you mean "profile"\? Nothing was changed\.$/,
    ],
    [["tols.profile", "x"], 2, /^tols is not a known key; did you mean "tools"\?/],
    [["tools.exec.mode", "x"], 2, /^tools\.exec\.mode: expected one of "deny"/],
    [["tools.profile.x", "1"], 2, /^tools\.profile\.x is in a value that takes no keys/],
    [
      ["tools.allow", '["raed"]'],
      2,
      /^tools\.allow\[0\]: "raed" is not a known name .*; nothing was changed/,
    ],
    [["tools.deny[3]", "x"], 2, /has no such entry there; nothing was changed/],
    [["tools..x", "1"], 2, /is not a place in the config/],
    [["", "1"], 2, /^Name a key/],
    [
      ["gateway.auth.token", reference("NOT_THERE_AT_ALL")],
      2,
      /needs the environment variable NOT_THERE_AT_ALL/,
    ],
    [["__proto__.x", "1"], 2, /^__proto__ is not a known key/],
    [
      ["audit.maxBytes", "-5"],
      2,
      /^"-5" is read as a flag\. Write `clawtools config set audit\.maxBytes -- -5`\./,
    ],
    [["audit.maxBytes", "-50"], 2, /^"-50" is read as a flag\. Write `.* -- -50`\./],
    [["tools.deny", "write"], 2, /^tools\.deny is a list\. .*: '\["write"\]'\. Nothing/],
    [["gateway.prt", "1"], 2, /^gateway\.prt is not a known key; did you mean "port"\?/],
    [["tools.deny", "[tts"], 2, /^VALUE is not valid JSON5 \(.+\)\. .* Nothing was changed\.$/],
    [
      ["tools.deny", '["wirte"]'],
      2,
      /^tools\.deny\[0\]: "wirte" is not a known name; did you mean "write"\? Nothing was changed, because the config would not load\.$/,
    ],
  ];

  it.each(REFUSED)("refuses %j and leaves the file alone", async (args, exitCode, message) => {
    const sandbox = await createSandbox({ config: CONFIG });
    const run = await sandbox.runHere("config", "set", ...args);
    expect(run).toMatchObject({ exitCode, stdout: "" });
    expect(run.stderr.trimEnd()).toMatch(message);
    expect(await read(sandbox)).toBe(CONFIG);
    expect(await listBeside(sandbox)).toEqual(["clawtools.json"]);
  });

  it("refuses a file that it cannot read, and says where it is wrong", async () => {
    const sandbox = await createSandbox({ config: "{ tools: " });
    const run = await sandbox.runHere("config", "set", "tools.profile", "full");
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain("is not valid JSON5 at line 1");
    expect(await read(sandbox)).toBe("{ tools: ");
  });

  it("mends a broken config step by step, but makes none worse", async () => {
    const sandbox = await createSandbox({ config: "{ tools: { profile: 1, deny: 2 } }" });
    expect(await sandbox.runHere("config", "set", "tools.taint", "ask")).toMatchObject({
      exitCode: 2,
    });
    const run = await sandbox.runHere("config", "set", "tools.profile", "full");
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain("error: tools.deny: expected a list");
    expect(await sandbox.runHere("config", "unset", "tools.deny")).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
    expect(await read(sandbox)).toBe('{ tools: { profile: "full" } }');
  });

  it("a variable that this shell lacks keeps nobody from setting something else", async () => {
    const config = `{ gateway: { auth: { token: "${reference("LACKING_TOKEN")}" } } }`;
    const sandbox = await createSandbox({ config });
    const run = await sandbox.runHere("config", "set", "tools.profile", "full");
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain("needs the environment variable LACKING_TOKEN");
  });

  it("writes a reference to a key that is set elsewhere, and says first what to set", async () => {
    const sandbox = await createSandbox({ config: CONFIG });
    const key = "tools.web.search.apiKey";
    const run = await sandbox.runHere("config", "set", key, reference("NOPE"));
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toMatch(/^warning: tools\.web\.search\.apiKey: set NOPE where the server/);
    expect(await read(sandbox)).toContain(reference("NOPE"));
  });

  it("takes text for a key that takes text, and JSON5 elsewhere", async () => {
    const sandbox = await createSandbox();
    await sandbox.runHere("config", "set", "tools.exec.node", "5");
    await sandbox.runHere("config", "set", "tools.exec.timeoutSec", "0x10");
    await sandbox.runHere("config", "set", "tools.exec.network", "true");
    expect(JSON.parse(await read(sandbox))).toEqual({
      tools: { exec: { node: "5", timeoutSec: 16, network: true } },
    });
  });

  it("never prints a secret, and reads one from stdin", async () => {
    const sandbox = await createSandbox();
    const args = ["config", "set", "gateway.auth.token", "-"];
    const first = await sandbox.runWithInput("hunter2hunter2\n", args);
    const second = await sandbox.run(
      "config",
      "set",
      "gateway.auth.token",
      "other-secret",
      "--json",
    );
    const third = await sandbox.run("config", "unset", "gateway.auth.token");
    for (const run of [first, second, third]) {
      expect(run.exitCode).toBe(0);
      expect(run.stdout + run.stderr).not.toMatch(/hunter2|other-secret/);
    }
    expect(first.stdout).toContain("gateway.auth.token: (not set) -> (hidden)");
  });

  it("--dry-run writes nothing, --json is one document", async () => {
    const sandbox = await createSandbox({ config: CONFIG });
    const run = await sandbox.runHere(
      "config",
      "set",
      "tools.profile",
      "full",
      "--dry-run",
      "--json",
    );
    expect(JSON.parse(run.stdout)).toEqual({
      file: sandbox.configFile,
      changes: [{ path: "tools.profile", before: "coding", after: "full" }],
      written: false,
      ok: true,
    });
    expect(await read(sandbox)).toBe(CONFIG);
  });

  it("says with --json why it refused", async () => {
    const { runHere } = await createSandbox({ config: CONFIG });
    const { stdout, exitCode } = await runHere("config", "set", "tools.profile", "x", "--json");
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ status: "error", reason: "config_invalid" });
  });

  it("edits the included file that holds the key, and no other", async () => {
    const sandbox = await createSandbox({
      config: '{ tools: { $include: "tools.json5" }, undo: {} }',
    });
    const part = join(dirname(sandbox.configFile), "tools.json5");
    await writeFile(part, "{ profile: 'coding' /* ours */ }\n");
    const run = await sandbox.runHere("config", "set", "tools.profile", "full");
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(run.stdout.replace(/\s+/g, " ")).toContain(`Written to ${part}.`);
    expect(await readFile(part, "utf8")).toBe('{ profile: "full" /* ours */ }\n');
    expect(await read(sandbox)).toContain("$include");
  });

  it("names the files when several hold the key", async () => {
    const sandbox = await createSandbox({
      config: '{ $include: "part.json5", tools: { deny: ["tts"] } }',
    });
    await writeFile(
      join(dirname(sandbox.configFile), "part.json5"),
      "{ tools: { deny: ['write'] } }",
    );
    const run = await sandbox.runHere("config", "set", "tools.deny", "[]");
    expect(run.exitCode).toBe(6);
    expect(run.stderr).toMatch(/tools\.deny is in several files .*part\.json5/);
  });

  it("follows a link to the file and keeps the link, and keeps the mode", async () => {
    const sandbox = await createSandbox();
    const real = join(sandbox.folder, "real.json");
    const link = join(sandbox.folder, "link.json");
    await writeFile(real, "{}\n");
    await chmod(real, 0o640);
    await symlink(real, link);
    await sandbox.runHere("config", "set", "tools.profile", "full", "--config", link);
    expect(JSON.parse(await readFile(real, "utf8"))).toEqual({ tools: { profile: "full" } });
    expect((await stat(real)).mode & 0o777).toBe(0o640);
  });

  it("refuses a link that leads nowhere and a file that is read-only", async () => {
    const sandbox = await createSandbox({ config: CONFIG });
    const link = join(sandbox.folder, "link.json");
    await symlink(join(sandbox.folder, "gone.json"), link);
    const dangling = await sandbox.runHere(
      "config",
      "set",
      "tools.profile",
      "full",
      "--config",
      link,
    );
    expect(dangling.exitCode).toBe(2);
    expect(dangling.stderr).toContain("is a link that leads nowhere");
    await chmod(sandbox.configFile, 0o400);
    const readOnly = await sandbox.runHere("config", "set", "tools.profile", "full");
    expect(readOnly.exitCode).toBe(8);
    expect(readOnly.stderr).toContain("is read-only; nothing was changed.");
    expect(await read(sandbox)).toBe(CONFIG);
  });

  it("loses nothing when several set different keys at once", async () => {
    const sandbox = await createSandbox({ config: "{}\n" });
    const keys = ["tools.profile", "tools.taint", "tools.unknownAllow", "memory.citations"];
    const values = ["full", "ask", "deny", "on"];
    const set = async (index: number): Promise<number> => {
      const args = [BIN, "config", "set", keys[index] ?? "", values[index] ?? ""];
      const { exitCode } = await runNode(args, sandbox.env);
      // Told that another was first: done again, as the message says.
      return exitCode === 6 ? await set(index) : exitCode;
    };
    expect(await Promise.all(keys.map((_, index) => set(index)))).toEqual([0, 0, 0, 0]);
    expect(JSON.parse(await read(sandbox))).toEqual({
      tools: { profile: "full", taint: "ask", unknownAllow: "deny" },
      memory: { citations: "on" },
    });
  });

  it("takes over the lock of a writer that died", async () => {
    const sandbox = await createSandbox({ config: "{}\n" });
    const lock = join(dirname(sandbox.configFile), ".clawtools.json.lock");
    await writeFile(lock, "");
    await utimes(lock, 1, 1);
    expect(await sandbox.run("config", "set", "tools.profile", "full")).toMatchObject({
      exitCode: 0,
    });
    expect(await listBeside(sandbox)).toEqual(["clawtools.json"]);
  });
});

describe("config unset", () => {
  it("says of an entry of a list that it is gone, not that the next one took its place", async () => {
    const sandbox = await createSandbox({ config: '{tools: {deny: ["tts", "web_fetch"]}}' });
    const { stdout } = await sandbox.runHere("config", "unset", "tools.deny[0]");
    expect(stdout).toContain('tools.deny[0]: "tts" -> (not set)');
    expect(await read(sandbox)).toContain('["web_fetch"]');
  });

  it("takes the value out and keeps the rest", async () => {
    const sandbox = await createSandbox({ config: CONFIG });
    expect(await sandbox.run("config", "unset", "tools.deny")).toMatchObject({ exitCode: 0 });
    expect(await read(sandbox)).toBe(CONFIG.replace('    deny: ["tts"],\n', ""));
  });

  it("says that nothing was set there", async () => {
    const sandbox = await createSandbox({ config: CONFIG });
    const run = await sandbox.runHere("config", "unset", "tools.allow");
    expect(run.exitCode).toBe(5);
    expect(run.stderr).toContain('"tools.allow" is not set in');
  });

  it("takes out a key that is not known", async () => {
    const sandbox = await createSandbox({ config: "{ tolls: 1, tools: {} }" });
    expect(await sandbox.runHere("config", "unset", "tolls")).toMatchObject({ exitCode: 0 });
    expect(await read(sandbox)).toBe("{ tools: {} }");
  });
});
