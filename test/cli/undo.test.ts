// `clawtools undo` and `clawtools diff` as a person calls them.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createStoreJournal } from "../../src/drivers/journal/index.js";
import { createProcessMarks, createSqliteStore } from "../../src/drivers/store/index.js";
import { createSandbox, linesTooLong, type Sandbox } from "./run-cli.js";

/** More than any system gives. */
const NO_PID = 999_999_999;

async function write({ runHere }: Sandbox, content: string): Promise<string> {
  const { stderr, exitCode } = await runHere(
    ...["tools", "call", "write", "--json", JSON.stringify({ path: "a.txt", content })],
  );
  expect(exitCode).toBe(0);
  return /^To undo: clawtools undo (cli_[0-9a-f]+)$/m.exec(stderr)?.[1] ?? "";
}

/** As if a process had been killed in the middle of a call. */
async function beginInDeadProcess({ root, folder }: Sandbox, toolCallId: string): Promise<void> {
  const ports = { clock: createSystemClock(), random: createSystemRandom() };
  const store = createSqliteStore({ folder: join(folder, ".clawtools"), ...ports });
  const { own, isDead } = createProcessMarks();
  const owner = { own: own.replace(/^\d+/, `${NO_PID}`), isDead };
  const report = ({ cause }: { cause: unknown }) => {
    throw cause;
  };
  const journal = createStoreJournal({ store, ...ports, owner, root, report });
  const call = { toolCallId, toolName: "write", sessionKey: undefined, argumentsText: "{}" };
  await journal.intend({ ...call, atMs: Date.now() });
  await store.close();
}

const textOf = ({ root }: Sandbox) => readFileSync(join(root, "a.txt"), "utf8");

describe("clawtools undo", () => {
  it("takes back the latest call, then the one before, then says that none is left", async () => {
    const sandbox = await createSandbox({ files: { "a.txt": "one\n" } });
    await write(sandbox, "two\n");
    await write(sandbox, "three\n");
    const first = await sandbox.run("undo");
    expect(first.stdout).toMatch(/^Call cli_[0-9a-f]+ is undone\.\n {2}a\.txt {2}has its old/);
    expect(textOf(sandbox)).toBe("two\n");
    await sandbox.run("undo");
    expect(textOf(sandbox)).toBe("one\n");
    const last = await sandbox.run("undo");
    expect([last.exitCode, last.stdout]).toEqual([5, ""]);
    expect(last.stderr).toContain("is undone");
  });

  it("takes back the named call and tells programs what came of it", async () => {
    const sandbox = await createSandbox();
    const id = await write(sandbox, "new\n");
    const { stdout } = await sandbox.runHere("undo", id, "--json");
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({
      toolCallId: id,
      files: [{ path: "a.txt", action: "removed" }],
    });
    expect(existsSync(join(sandbox.root, "a.txt"))).toBe(false);
    const again = await sandbox.runHere("undo", id);
    expect(again.exitCode).toBe(6);
    expect(again.stderr).toContain(result.undoId);
    await sandbox.runHere("undo", result.undoId);
    expect(textOf(sandbox)).toBe("new\n");
  });

  it("ends with 6 when the file was changed since, and overwrites it by force", async () => {
    const sandbox = await createSandbox({ files: { "a.txt": "old\n" } });
    await write(sandbox, "new\n");
    writeFileSync(join(sandbox.root, "a.txt"), "by hand\n");
    const refused = await sandbox.runHere("undo");
    expect(refused.exitCode).toBe(6);
    expect(refused.stderr).toContain('"a.txt" changed after call');
    expect(refused.stderr).toContain("undo with --force to overwrite it.");
    expect(refused.stdout).toBe("");
    expect((await sandbox.runHere("undo", "--force")).exitCode).toBe(0);
    expect(textOf(sandbox)).toBe("old\n");
  });

  it("names the call that changed the file since, and prints that as JSON too", async () => {
    const sandbox = await createSandbox({ files: { "a.txt": "old\n" } });
    const first = await write(sandbox, "two\n");
    const second = await write(sandbox, "three\n");
    const { stdout, stderr, exitCode } = await sandbox.runHere("undo", first, "--json");
    expect(exitCode).toBe(6);
    const error = `Nothing was undone: "a.txt" changed since by "${second}" (write); undo that first, or undo with --force to overwrite it.`;
    expect(stderr).toBe(`${error}\n`);
    const laterCalls = [{ toolCallId: second, toolName: "write" }];
    expect(JSON.parse(stdout)).toEqual({
      ...{ status: "error", code: "conflict", reason: "undo_conflict", error },
      details: { files: ["a.txt"], laterCalls },
    });
  });

  it("names the root and --root where no call is known", async () => {
    const sandbox = await createSandbox({ files: { "sub/b.txt": "b\n" } });
    const id = await write(sandbox, "new\n");
    const sub = join(sandbox.root, "sub");
    const step = `The root is "${sub}"; choose another one with --root.`;
    for (const args of [["undo"], ["undo", id], ["diff"], ["diff", id, "--json"]]) {
      const { stderr, exitCode } = await sandbox.runHere(...args, "--root", sub);
      expect([exitCode, stderr]).toEqual([5, expect.stringContaining(step)]);
    }
    const { stdout } = await sandbox.runHere("undo", "--list", "--root", sub);
    expect(linesTooLong(stdout)).toEqual([]);
    expect(stdout.replace(/\s+/g, "")).toContain(`"${sub}".Chooseanotherfolderwith--root.`);
  });

  it("lists the calls within 80 columns, and as JSON", async () => {
    const sandbox = await createSandbox();
    const id = await write(sandbox, "new\n");
    await sandbox.runHere("undo");
    const { stdout } = await sandbox.runHere("undo", "--list");
    expect(stdout.replace(/\s+/g, " ")).toMatch(
      new RegExp(
        `undo_[0-9a-f]+ undo \\S+ a\\.txt \\(removed\\) .* ${id} write \\S+ a\\.txt \\(created\\) \\(undone by undo_[0-9a-f]+\\)`,
      ),
    );
    expect(linesTooLong(stdout)).toEqual([]);
    const listed = JSON.parse((await sandbox.runHere("undo", "--list", "--json")).stdout);
    expect(listed).toMatchObject([
      { toolName: "undo", undoes: id },
      {
        ...{ toolCallId: id, toolName: "write", fileCount: 1 },
        files: [{ path: "a.txt", change: "created" }],
      },
    ]);
  });

  it("names the latest calls for an id that nobody knows, and takes one id only", async () => {
    const sandbox = await createSandbox();
    const id = await write(sandbox, "new\n");
    const unknown = await sandbox.runHere("undo", "../../etc");
    expect(unknown.exitCode).toBe(5);
    expect(unknown.stderr).toContain(id);
    expect((await sandbox.runHere("undo", "a", "b")).exitCode).toBe(2);
  });

  it("tells of a call whose process died, and marks it in the list", async () => {
    const sandbox = await createSandbox();
    await beginInDeadProcess(sandbox, "lost");
    const first = await sandbox.runHere("undo", "--list");
    expect(first.stderr).toContain('Call "lost" of write');
    expect(first.stderr).toContain("its outcome is unknown");
    expect(first.stdout.replace(/\s+/g, " ")).toMatch(
      /^ lost write \S+ \(interrupted, outcome unknown\)/,
    );
    const again = await sandbox.runHere("undo", "--list", "--json");
    expect(again.stderr).toBe("");
    expect(JSON.parse(again.stdout)).toMatchObject([{ toolCallId: "lost", interrupted: true }]);
  });

  it("has help", async () => {
    const { runHere } = await createSandbox();
    const { stdout, exitCode } = await runHere("undo", "--help");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Usage: clawtools undo \[CALL\] \[flags\]\n/);
  });
});

describe("clawtools diff", () => {
  it("shows what the latest call changed, or the named one", async () => {
    const sandbox = await createSandbox({ files: { "a.txt": "one\n" } });
    const id = await write(sandbox, "two\n");
    await write(sandbox, "three\n");
    expect((await sandbox.run("diff")).stdout).toBe(
      "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-two\n+three\n",
    );
    expect((await sandbox.run("diff", id)).stdout).toContain("-one\n+two\n");
    const { files } = JSON.parse((await sandbox.run("diff", id, "--json")).stdout);
    expect(files).toMatchObject([{ path: "a.txt", change: "modified", against: "call" }]);
  });

  it("says that nothing was changed here", async () => {
    const { runHere } = await createSandbox();
    const { exitCode, stderr } = await runHere("diff");
    expect(exitCode).toBe(5);
    expect(stderr).toContain("No call has changed files here");
  });
});
