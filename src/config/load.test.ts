// A config file is read whole or not at all, and every way in which it can fail has its words.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTempFolder } from "../../test/plugins/temp-folder.js";
import { findParts, type LoadedConfig, loadConfig } from "./index.js";

type Env = Record<string, string | undefined>;

async function load(files: Record<string, string>, env: Env = {}): Promise<LoadedConfig> {
  const folder = await createTempFolder(files);
  const path = Object.keys(files)[0] ?? "clawtools.json";
  return loadConfig({ path, env, homeDir: undefined, cwd: folder });
}

const main = (text: string, env?: Env) => load({ "clawtools.json": text }, env);
const wordsOf = ({ problems }: LoadedConfig) =>
  problems.map(({ path, severity, message }) => `${severity} ${path}: ${message}`);

describe("the file", () => {
  it("is JSON5: comments, bare keys, single quotes, trailing commas", async () => {
    const loaded = await main(`// mine
      { tools: { profile: 'coding', deny: ["group:web",], }, /* a */ limits: { turnChars: 0x100 } }`);
    expect(loaded).toMatchObject({
      ok: true,
      exists: true,
      problems: [],
      includes: [],
      config: { tools: { profile: "coding", deny: ["group:web"] }, limits: { turnChars: 256 } },
    });
  });

  it("may begin with a byte order mark", async () => {
    expect(await main("\uFEFF{ limits: { turnChars: 5 } }")).toMatchObject({ ok: true });
  });

  it("is kept as text, and its hash is that of its bytes", async () => {
    const text = "{ tools: {} } // ü\n";
    const loaded = await main(text);
    expect(loaded.raw).toBe(text);
    expect(loaded.hash).toBe(createHash("sha256").update(text).digest("hex"));
  });

  it("may be a link, and is then read where it leads", async () => {
    const folder = await createTempFolder({
      "real/main.json": '{ $include: "./more.json" }',
      "real/more.json": "{ limits: { turnChars: 5 } }",
    });
    await symlink(join(folder, "real/main.json"), join(folder, "clawtools.json"));
    const place = { env: { CLAWTOOLS_STATE_DIR: folder }, homeDir: undefined, cwd: "/" };
    expect(await loadConfig(place)).toMatchObject({
      ok: true,
      path: join(folder, "clawtools.json"),
      config: { limits: { turnChars: 5 } },
    });
  });
});

describe("a file that is not there", () => {
  it("is an empty config in the usual place", async () => {
    const homeDir = await createTempFolder();
    expect(await loadConfig({ env: {}, homeDir, cwd: "/" })).toEqual({
      ok: true,
      path: join(homeDir, ".clawtools/clawtools.json"),
      exists: false,
      config: {},
      problems: [],
      includes: [],
      raw: undefined,
      hash: "",
      parts: [],
      written: new Map(),
      unfilled: new Set(),
    });
  });

  it("is an empty config when there is no home folder to look into", async () => {
    const loaded = await loadConfig({ env: {}, homeDir: undefined, cwd: "/" });
    expect(loaded).toMatchObject({ ok: true, path: undefined, exists: false, config: {} });
  });

  it.each([
    ["--config", { path: "mine.json" }],
    ["CLAWTOOLS_CONFIG_PATH", { env: { CLAWTOOLS_CONFIG_PATH: "mine.json" } }],
  ])("is an error when %s named it", async (_how, given) => {
    const cwd = await createTempFolder();
    const loaded = await loadConfig({ env: {}, homeDir: undefined, cwd, ...given });
    expect(loaded).toMatchObject({ ok: false, exists: false, config: undefined });
    expect(wordsOf(loaded)).toEqual([`error : the file "${join(cwd, "mine.json")}" is not there`]);
  });
});

describe("a file that cannot be used is a failure, not an empty config", () => {
  it.each([
    ["it is empty", "", "is not valid JSON5 at line 1, column 1: it ends too early"],
    [
      "of a wrong letter",
      "{\n  a: {\n    b: [@]\n  }\n}",
      "is not valid JSON5 at line 3, column 9: a sign that cannot stand there",
    ],
    [
      "it ends too early",
      "{ tools: { deny: ['exec'] }",
      "is not valid JSON5 at line 1, column 28: it ends too early",
    ],
    [
      "a text does not end",
      "{ a: 'x\n' }",
      "is not valid JSON5 at the end of line 1: a sign that cannot stand there",
    ],
    [
      "more follows",
      "{} {}",
      "is not valid JSON5 at line 1, column 4: a sign that cannot stand there",
    ],
    ["it is deep", "[".repeat(65) + "]".repeat(65), "is deeper than 64 levels"],
    ["it is very deep", "[".repeat(500_000) + "]".repeat(500_000), "is deeper than 64 levels"],
    ["it is large", " ".repeat(1024 * 1024 + 1), "has more than 1048576 bytes"],
  ])("because %s", async (_label, text, why) => {
    const loaded = await main(text);
    expect(loaded).toMatchObject({ ok: false, exists: true, config: undefined });
    expect(wordsOf(loaded)).toEqual([`error : "${loaded.path}" ${why}`]);
  });

  it.each([
    ["null", "expected an object, received null"],
    ["[]", "expected an object, received a list of 0"],
    ["{ budgets: { usd: Infinity } }", "expected a finite number, received Infinity"],
    ['{ tools: { "__proto__": { x: 1 } } }', "is not allowed as a key"],
    ["{ constructor: {} }", "is not allowed as a key"],
    ["{ tools: { deny: 'exec' } }", 'expected a list of texts, received "exec"'],
  ])("%s", async (text, why) => {
    const loaded = await main(text);
    expect(loaded).toMatchObject({ ok: false, config: undefined, problems: [{ message: why }] });
  });

  it("because it is not UTF-8; its hash is known all the same", async () => {
    const folder = await createTempFolder();
    await writeFile(join(folder, "c.json"), Buffer.from([0x7b, 0xff, 0x7d]));
    const loaded = await loadConfig({ path: "c.json", env: {}, homeDir: undefined, cwd: folder });
    expect(wordsOf(loaded)).toEqual([`error : "${join(folder, "c.json")}" is not UTF-8 text`]);
    expect(loaded.raw).toBeUndefined();
    expect(loaded.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("because it is a folder, or a link that leads nowhere", async () => {
    const homeDir = await createTempFolder();
    const path = join(homeDir, ".clawtools/clawtools.json");
    await mkdir(path, { recursive: true });
    expect(wordsOf(await loadConfig({ env: {}, homeDir, cwd: "/" }))).toEqual([
      `error : "${path}" is not a regular file`,
    ]);
    await rm(path, { recursive: true });
    await symlink("nowhere.json", path);
    expect(wordsOf(await loadConfig({ env: {}, homeDir, cwd: "/" }))).toEqual([
      `error : "${path}" is a link that leads nowhere`,
    ]);
  });

  it("because it is a link to itself, or a named pipe that nobody writes to", async () => {
    const folder = await createTempFolder();
    await symlink("loop.json", join(folder, "loop.json"));
    execFileSync("mkfifo", [join(folder, "pipe.json")]);
    const why = { "loop.json": "cannot be read (ELOOP)", "pipe.json": "is not a regular file" };
    for (const [path, words] of Object.entries(why)) {
      const loaded = await loadConfig({ path, env: {}, homeDir: undefined, cwd: folder });
      expect(wordsOf(loaded)).toEqual([`error : "${join(folder, path)}" ${words}`]);
    }
  });

  it("and no error shows the text around it", async () => {
    const loaded = await main("{ apiKey: s3cret }");
    expect(loaded.ok).toBe(false);
    expect(JSON.stringify(loaded.problems)).not.toContain("s3cret");
  });
});

describe("one problem", () => {
  it("that is a missing variable hides no other", async () => {
    const loaded = await main(`{
      tools: { web: { search: { provider: "\${NO_SUCH}" } }, profile: "codign", deny: ["raed"] },
      agents: { list: [{ id: "a" }, { id: "A" }] },
    }`);
    expect(loaded.ok).toBe(false);
    expect(loaded.problems.map(({ path }) => path)).toEqual([
      "tools.web.search.provider",
      "tools.profile",
      "agents.list[1].id",
    ]);
    expect(loaded).toMatchObject({ draft: { tools: { deny: ["raed"] } } });
  });

  it("that is a wrong value hides no rule between several values", async () => {
    const loaded = await main("{ limits: 5, agents: { list: [{ id: 'a' }, 5, { id: 'a' }] } }");
    expect(loaded.problems.map(({ path }) => path)).toEqual([
      "limits",
      "agents.list[1]",
      "agents.list[2].id",
    ]);
  });
});

describe("what a config was made of", () => {
  it("is known by file, and a filled text by what is written for it", async () => {
    const files = {
      "clawtools.json": '{ $include: "./rules.json", agents: { $include: "./agents.json" } }',
      "rules.json": `{ tools: { deny: ["\${MINE}"] } }`,
      "agents.json": '{ list: [{ id: "a" }] }',
    };
    const { parts, written, path = "" } = await load(files, { MINE: "exec" });
    const inFolder = (name: string) => join(path, "..", name);
    expect(findParts(parts, ["tools", "deny"])).toEqual([inFolder("rules.json")]);
    expect(findParts(parts, ["agents", "list"])).toEqual([inFolder("agents.json")]);
    expect(findParts(parts, ["tools", "allow"])).toEqual([]);
    expect([...written]).toEqual([["exec", `\${MINE}`]]);
  });
});

describe("a key that stands twice", () => {
  it("is an error that names both lines, because the first would be lost in silence", async () => {
    const loaded = await main(`{
      tools: { deny: ["exec"] },
      // further down
      "t\\u006fols": { profile: "coding" },
    }`);
    expect(loaded.ok).toBe(false);
    expect(wordsOf(loaded)).toEqual([
      `error tools: "${loaded.path}" has the key "tools" twice: on line 2 and on line 4`,
    ]);
  });

  it("on one line is said so", async () => {
    const loaded = await main("{ tools: {}, tools: {} }");
    expect(wordsOf(loaded)).toEqual([
      `error tools: "${loaded.path}" has the key "tools" twice on line 1`,
    ]);
  });

  it("is told by its place", async () => {
    const loaded = await main("{ agents: { list: [{ id: 'a' }, { id: 'b', id: 'c' }] } }");
    expect(loaded.problems.map(({ path }) => path)).toEqual(["agents.list[1].id"]);
  });
});

describe("$include", () => {
  it("joins files: objects key by key, lists one after the other, else the later wins", async () => {
    const loaded = await load({
      "clawtools.json": `{
        $include: ["./base.json5", "./parts/web.json"],
        tools: { deny: ["exec"], profile: "messaging" },
      }`,
      "base.json5": "{ tools: { deny: ['browser'], profile: 'coding' }, cron: { enabled: false } }",
      "parts/web.json": '{ "tools": { "$include": "deep.json" } }',
      "parts/deep.json": '{ "web": { "search": { "maxResults": 3 } } }',
    });
    expect(loaded.problems).toEqual([]);
    expect(loaded.config).toEqual({
      tools: {
        deny: ["browser", "exec"],
        profile: "messaging",
        web: { search: { maxResults: 3 } },
      },
      cron: { enabled: false },
    });
    expect(loaded.includes.map((path) => path.split("/").at(-1))).toEqual([
      "base.json5",
      "web.json",
      "deep.json",
    ]);
  });

  it("may put something other than an object in its place when it stands alone", async () => {
    const loaded = await load({
      "clawtools.json": "{ agents: { list: { $include: 'agents.json' } } }",
      "agents.json": '[{ "id": "main" }]',
    });
    expect(loaded).toMatchObject({ ok: true, config: { agents: { list: [{ id: "main" }] } } });
  });

  it("changes the hash when an included file changes", async () => {
    const files = { "clawtools.json": "{ $include: 'a.json' }" };
    const one = await load({ ...files, "a.json": "{ cron: { enabled: true } }" });
    const two = await load({ ...files, "a.json": "{ cron: { enabled: false } }" });
    const same = await load({ ...files, "a.json": "{ cron: { enabled: true } }" });
    expect(one.hash).not.toBe(two.hash);
    expect(one.hash).toBe(same.hash);
  });

  it.each([
    ["'gone.json'", "$include", '"gone.json" is not there, or cannot be reached'],
    ["['a.json', 7]", "$include[1]", "expected the path of a file, or a list of such paths"],
    ["{}", "$include", "expected the path of a file, or a list of such paths"],
    ["''", "$include", "expected the path of a file, or a list of such paths"],
    ["'clawtools.json'", "$include", '"clawtools.json" includes itself'],
    ["'loop.json'", "tools.$include", '"./clawtools.json" includes itself'],
    [
      "['a.json', 'list.json']",
      "$include",
      "joins objects only: a file that holds something else must stand alone",
    ],
  ])("%s is an error", async (value, path, message) => {
    const loaded = await load({
      "clawtools.json": `{ $include: ${value} }`,
      "a.json": "{}",
      "list.json": "[]",
      "loop.json": "{ tools: { $include: './clawtools.json' } }",
    });
    expect(loaded).toMatchObject({ ok: false, config: undefined });
    expect(wordsOf(loaded)).toEqual([`error ${path}: ${message}`]);
  });

  it("refuses a link, which could be pointed elsewhere", async () => {
    const folder = await createTempFolder({
      "clawtools.json": "{ $include: ['link.json'] }",
      "a.json": "{}",
    });
    await symlink("a.json", join(folder, "link.json"));
    const path = join(folder, "clawtools.json");
    const loaded = await loadConfig({ path, env: {}, homeDir: undefined, cwd: folder });
    expect(wordsOf(loaded).join()).toContain('"link.json" is a link or is behind one');
  });

  it("names the included file when that is wrong, and the place where it is named", async () => {
    const loaded = await load({
      "clawtools.json": "{ agents: { $include: ['a.json'] } }",
      "a.json": "{ list: [\n",
    });
    const file = String(loaded.path).replace("clawtools.json", "a.json");
    expect(wordsOf(loaded)).toEqual([
      `error agents: "${file}" is not valid JSON5 at line 2, column 1: it ends too early`,
    ]);
  });

  it("names the place of what is wrong inside an included file", async () => {
    const loaded = await load({
      "clawtools.json": "{ agents: { $include: 'a.json' } }",
      "a.json": '{ "list": [{ "id": "x", "constructor": 1 }] }',
    });
    expect(wordsOf(loaded)).toEqual(["error agents.list[0].constructor: is not allowed as a key"]);
  });

  it("does not leave the folder of the config file, by dots, by root or by link", async () => {
    const folder = await createTempFolder({
      "secret.json": "{ cron: {} }",
      "conf/dots.json": "{ $include: '../secret.json' }",
      "conf/root.json": "{}",
      "conf/link.json": "{ $include: 'inner.json' }",
      "conf/sub/x.json": "{}",
      "conf/in.json": "{ $include: 'sub/../sub/x.json' }",
      "conf-other/x.json": "{}",
      "conf/sibling.json": "{ $include: '../conf-other/x.json' }",
    });
    await writeFile(
      join(folder, "conf/root.json"),
      JSON.stringify({ $include: join(folder, "secret.json") }),
    );
    await symlink("../secret.json", join(folder, "conf/inner.json"));
    const loadOne = (path: string) =>
      loadConfig({ path, env: {}, homeDir: undefined, cwd: join(folder, "conf") });
    for (const name of ["dots.json", "root.json", "link.json", "sibling.json"]) {
      const loaded = await loadOne(name);
      expect(loaded, name).toMatchObject({ ok: false, includes: [] });
      expect(wordsOf(loaded).join()).toContain("is outside the folder of the config file");
    }
    expect(await loadOne("in.json")).toMatchObject({ ok: true });
  });

  it("goes eight files deep and no further", async () => {
    const chain = (length: number) =>
      Object.fromEntries(
        Array.from({ length: length + 1 }, (_, index) => [
          `${index}.json`,
          index === length ? "{ cron: { enabled: false } }" : `{ $include: '${index + 1}.json' }`,
        ]),
      );
    expect(await load(chain(8))).toMatchObject({ ok: true, config: { cron: { enabled: false } } });
    const tooDeep = await load(chain(9));
    expect(wordsOf(tooDeep)).toEqual([
      "error $include: more than 8 files include each other in a row",
    ]);
  });

  it("reads no more than 200 files, however they are multiplied", async () => {
    const loaded = await load({
      "clawtools.json": JSON.stringify({ $include: Array.from({ length: 20 }, () => "a.json") }),
      "a.json": JSON.stringify({ $include: Array.from({ length: 20 }, () => "b.json") }),
      "b.json": "{}",
    });
    expect(loaded.ok).toBe(false);
    expect(wordsOf(loaded)[0]).toMatch(/more than 200 files are included$/);
    expect(loaded.includes).toHaveLength(200);
  });

  it("reads no more than 4 MiB together", async () => {
    const folder = await createTempFolder({
      "clawtools.json": "{ $include: ['a.json', 'a.json', 'a.json', 'a.json'] }",
      "a.json": `{}${" ".repeat(1024 * 1024 - 2)}`,
    });
    const place = { path: "clawtools.json", env: {}, homeDir: undefined, cwd: folder };
    const loaded = await loadConfig(place);
    expect(wordsOf(loaded)).toEqual([
      `error $include[3]: "${join(folder, "a.json")}" makes all files together larger than 4194304 bytes`,
    ]);
    await truncate(join(folder, "a.json"), 1_000_000);
    expect(await loadConfig(place)).toMatchObject({ ok: true });
  });
});

describe("the file of another program", () => {
  const text = `{
    meta: { lastTouchedVersion: "1" }, wizard: {}, skills: { entries: {} },
    tools: { profile: "coding" }, agnts: {},
  }`;

  it.each(["openclaw.json", "clawdbot.json"])(
    "%s: strange sections are named once",
    async (name) => {
      const loaded = await load({ [name]: text });
      expect(loaded).toMatchObject({
        ok: true,
        config: { tools: { profile: "coding" }, meta: {} },
      });
      expect(wordsOf(loaded)).toEqual([
        'warning : not used here: "meta", "wizard", "skills"',
        'warning agnts: is not a known key and has no effect; did you mean "agents"?',
      ]);
    },
  );

  it("has its wrong values named like ours", async () => {
    const loaded = await load({ "openclaw.json": "{ meta: {}, tools: { deny: 1 } }" });
    expect(loaded.ok).toBe(false);
    expect(wordsOf(loaded)).toEqual([
      'warning : not used here: "meta"',
      "error tools.deny: expected a list of texts, received number 1",
    ]);
  });

  it("is told by its name: in our own file each strange section is a warning", async () => {
    expect((await main(text)).problems).toHaveLength(4);
  });
});
