// The list of approvals as a file: what is in it stays, what cannot be read is not written over, and
// several processes that change it at once lose nothing.

import { spawn } from "node:child_process";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { ApprovalsDocument } from "../../src/config/index.js";
import {
  addGrants,
  createGrantsFile,
  type GrantsFile,
  removeGrant,
} from "../../src/drivers/approvals/index.js";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createProcessMarks } from "../../src/drivers/store/index.js";
import { buildProgram } from "../faults/run-and-kill.js";
import { createTempFolder } from "../plugins/temp-folder.js";

const NAME = "exec-approvals.json";

function openGrantsFile(path: string): GrantsFile {
  return createGrantsFile({
    path,
    clock: createSystemClock(),
    random: createSystemRandom(),
    owners: createProcessMarks(),
  });
}

async function openGrants(text?: string): Promise<{ grantsFile: GrantsFile; path: string }> {
  const folder = await createTempFolder();
  const path = join(folder, NAME);
  if (text !== undefined) await writeFile(path, text, { mode: 0o600 });
  return { grantsFile: openGrantsFile(path), path };
}

function adding(pattern: string) {
  return (document: ApprovalsDocument) =>
    addGrants(document, {
      agentId: "main",
      grants: [{ pattern }],
      source: "test",
      addedBy: "a test",
      nowMs: 5,
      newId: () => `id-of-${pattern}`,
    }).document;
}

const patternsOf = async (path: string) => {
  const document: ApprovalsDocument = JSON.parse(await readFile(path, "utf8"));
  return document.agents?.main?.allowlist?.map(({ pattern }) => pattern) ?? [];
};

describe("the list of approvals as a file", () => {
  it("is empty where there is none, and is made for this user alone at the first change", async () => {
    const { grantsFile, path } = await openGrants();
    expect(await grantsFile.read()).toEqual({ version: 1, agents: {} });
    await grantsFile.change(adding("/bin/ls"));
    expect(await patternsOf(path)).toEqual(["/bin/ls"]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readdir(join(path, ".."))).sort()).toEqual([NAME, `${NAME}.lock`]);
  });

  it("keeps every field that nobody here knows, at every depth", async () => {
    const written = {
      version: 1,
      socket: { path: "/run/x.sock", token: "t", later: 1 },
      future: [{ a: null }],
      defaults: { ask: "always", hue: "blue" },
      agents: {
        "*": { allowlist: [{ pattern: "/bin/cat", colour: "red" }] },
        main: { mcpTools: [{ server: "s" }], allowlist: [{ pattern: "/bin/old", extra: {} }] },
      },
    };
    const { grantsFile, path } = await openGrants(JSON.stringify(written));
    await grantsFile.change(adding("/bin/ls"));
    const now = JSON.parse(await readFile(path, "utf8"));
    expect(now.agents.main.allowlist[1].pattern).toBe("/bin/ls");
    now.agents.main.allowlist.pop();
    expect(now).toEqual(written);
  });

  it.each([
    ["no JSON", "{ version: 1", "it is not JSON"],
    ["an empty file", "", "it is not JSON"],
    ["version 2", '{"version":2,"agents":{}}', "its version is 2"],
    ["no version", '{"agents":{}}', "it has no version"],
    ["a wrong word", '{"version":1,"defaults":{"security":"ful"}}', "defaults.security"],
    ["a list that is none", '{"version":1,"agents":{"main":{"allowlist":{}}}}', "allowlist"],
    ["a mistyped rule", '{"version":1,"defaults":{"secuirty":"deny"}}', "did you mean security?"],
    [
      "a mistyped pattern of arguments",
      '{"version":1,"agents":{"a":{"allowlist":[{"pattern":"rm","argPatern":"^x$"}]}}}',
      "agents.a.allowlist[0].argPatern is not a field; did you mean argPattern?",
    ],
    ["an entry without pattern", '{"version":1,"agents":{"a":{"allowlist":[{}]}}}', "pattern"],
  ])("with %s is refused by name, and never written over", async (_, text, problem) => {
    const { grantsFile, path } = await openGrants(text);
    const refusal = { code: "denied", reason: "approvals_broken" };
    await expect(grantsFile.read()).rejects.toMatchObject(refusal);
    await expect(grantsFile.read()).rejects.toThrow(path);
    await expect(grantsFile.read()).rejects.toThrow(problem);
    await expect(grantsFile.change(adding("/bin/ls"))).rejects.toMatchObject(refusal);
    expect(await readFile(path, "utf8")).toBe(text);
  });

  it("that others may write is refused", async () => {
    const { grantsFile, path } = await openGrants('{"version":1}');
    await chmod(path, 0o666);
    await expect(grantsFile.read()).rejects.toThrow("chmod 600");
  });

  it("is read again when it was changed by hand", async () => {
    const { grantsFile, path } = await openGrants('{"version":1,"defaults":{"ask":"off"}}');
    expect((await grantsFile.read()).defaults?.ask).toBe("off");
    await writeFile(path, '{"version":1,"defaults":{"ask":"always"}}');
    expect((await grantsFile.read()).defaults?.ask).toBe("always");
  });

  it.each(["kept", "gone"])("behind a link is refused, its file %s", async (target) => {
    const { grantsFile: _, path } = await openGrants('{"version":1}');
    const link = join(path, "..", "link.json");
    await symlink(target === "kept" ? path : `${path}.gone`, link);
    const grantsFile = openGrantsFile(link);
    await expect(grantsFile.read()).rejects.toThrow("it is not a regular file");
    await expect(grantsFile.change(adding("/bin/ls"))).rejects.toMatchObject({
      reason: "approvals_broken",
    });
    expect(await readFile(path, "utf8")).toBe('{"version":1}');
  });

  it("loses an entry only when it is removed by its id or its place", async () => {
    const { grantsFile, path } = await openGrants(
      '{"version":1,"agents":{"main":{"allowlist":[{"pattern":"/bin/a"},{"pattern":"/bin/b"}]}}}',
    );
    await grantsFile.change(adding("/bin/c"));
    await grantsFile.change((document) => removeGrant(document, "main[0]").document);
    await grantsFile.change((document) => removeGrant(document, "id-of-/bin/c").document);
    await grantsFile.change((document) => removeGrant(document, "nobody").document);
    expect(await patternsOf(path)).toEqual(["/bin/b"]);
  });

  it("takes over the lock of a process that is gone, and waits for one that lives", async () => {
    const { grantsFile, path } = await openGrants('{"version":1}');
    await mkdir(`${path}.lock`);
    const dead = createProcessMarks().own.replace(/^\d+/, "999999999");
    await writeFile(join(`${path}.lock`, `${dead}.00`), "");
    await grantsFile.change(adding("/bin/ls"));
    expect(await patternsOf(path)).toEqual(["/bin/ls"]);
    expect(await readdir(`${path}.lock`)).toEqual(["free"]);
  });
});

describe("several writers of one list", () => {
  let program = "";
  let folder = "";

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "approvals-writers-")));
    program = join(folder, "writer.mjs");
    await buildProgram(new URL("./approvals-writer.ts", import.meta.url), program);
    return async () => {
      await rm(folder, { recursive: true, force: true });
    };
  });

  const run = (args: readonly string[]) =>
    new Promise<number>((resolve, reject) => {
      const child = spawn(process.execPath, [program, ...args], { stdio: "ignore" });
      child.once("error", reject).once("close", (code) => resolve(code ?? -1));
    });

  it("in two processes, with 100 entries each, lose none of the 200", async () => {
    const { path } = await openGrants();
    expect(await Promise.all(["a", "b"].map((name) => run([path, name, "1", "100"])))).toEqual([
      0, 0,
    ]);
    const found = await patternsOf(path);
    expect(found).toHaveLength(200);
    expect(new Set(found).size).toBe(200);
  });

  it("in one process, through many openers, lose none", async () => {
    const { path } = await openGrants();
    const names = Array.from({ length: 20 }, (_, index) => `/bin/p${index}`);
    await Promise.all(names.map((name) => openGrantsFile(path).change(adding(name))));
    expect((await patternsOf(path)).sort()).toEqual(names.sort());
  });
});
