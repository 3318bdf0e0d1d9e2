// What the calls of a toolkit neither change nor, in part, read: its state and its config, wherever
// they lie under the root and by whatever name.

import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Toolkit, ToolkitOptions } from "clawtools";
import { describe, expect, it } from "vitest";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createFileArtifacts } from "../../src/drivers/records.js";
import { claimStateFolder } from "../../src/drivers/store/index.js";
import { textOf } from "./start-toolkit.js";
import { createStateSetting, type StateSetting, write } from "./state-setting.js";

/** Everything, the state too, lies under the root. */
async function startAtHome(setting: StateSetting, options: Partial<ToolkitOptions> = {}) {
  const { toolkit } = setting.start({ root: setting.place, ...options });
  expect((await write(toolkit, { id: "first", content: "x" })).isError).toBe(false);
  return toolkit;
}

async function reasonOf(toolkit: Toolkit, name: string, args: Record<string, unknown>) {
  const { isError, details } = await toolkit.invoke({ id: "try", name, arguments: args });
  return isError ? Reflect.get(Object(details), "reason") : "done";
}

const everyChange = (toolkit: Toolkit, path: string) =>
  Promise.all([
    reasonOf(toolkit, "write", { path, content: "x" }),
    reasonOf(toolkit, "edit", { path, oldText: "a", newText: "b" }),
    reasonOf(toolkit, "apply_patch", {
      input: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`,
    }),
    reasonOf(toolkit, "apply_patch", {
      input: `*** Begin Patch\n*** Update File: a.txt\n*** Move to: ${path}\n@@\n-x\n+y\n*** End Patch`,
    }),
  ]);

const PROTECTED = Array(4).fill("path_protected");
const patching = { config: { tools: { exec: { applyPatch: { enabled: true } } } } };

describe("the state folder of a toolkit", () => {
  it("is changed by no call, also when the root holds it", async () => {
    const setting = createStateSetting();
    const toolkit = await startAtHome(setting, patching);
    writeFileSync(join(setting.stateDir, "notes"), "a");
    symlinkSync("state", join(setting.place, "alias"));
    for (const path of ["state/notes", "alias/notes"]) {
      expect(await everyChange(toolkit, path), path).toEqual(PROTECTED);
    }
    expect(await reasonOf(toolkit, "write", { path: "state/new/x", content: "x" })).toBe(
      "path_protected",
    );
    expect(readFileSync(join(setting.stateDir, "notes"), "utf8")).toBe("a");
    expect(await reasonOf(toolkit, "write", { path: "state-notes", content: "x" })).toBe("done");
  });

  it("is read by no call, also when the root holds it", async () => {
    const setting = createStateSetting();
    const toolkit = await startAtHome(setting);
    mkdirSync(join(setting.stateDir, "undo/objects"), { recursive: true });
    writeFileSync(join(setting.stateDir, "undo/objects/one"), "of another root");
    symlinkSync("state/undo", join(setting.place, "alias"));
    for (const path of ["state", "state/undo", "state/undo/objects/one", "alias/objects/one"]) {
      expect(await reasonOf(toolkit, "read", { path }), path).toBe("path_protected");
    }
    const missing = await toolkit.invoke({
      id: "near",
      name: "read",
      arguments: { path: "state/undo/objects/ona" },
    });
    expect(textOf(missing)).not.toContain("objects/one");
    expect(await reasonOf(toolkit, "read", { path: "a.txt" })).toBe("done");
  });

  it("still gives the rest of a long result by its artifact", async () => {
    const setting = createStateSetting();
    const artifacts = createFileArtifacts({
      folder: join(setting.stateDir, "artifacts"),
      scope: "test",
      clock: createSystemClock(),
      random: createSystemRandom(),
    });
    const toolkit = await startAtHome(setting, { artifacts });
    const id = artifacts.put({ text: "the rest", sessionKey: undefined });
    const path = `artifact://${id}`;
    const answer = await toolkit.invoke({ id: "r", name: "read", arguments: { path } });
    expect(textOf(answer)).toContain("the rest");
  });

  it("has databases that no call reads, by their own name, a link or a hard link", async () => {
    const setting = createStateSetting();
    const toolkit = await startAtHome(setting);
    const clock = { now: () => Date.now(), after: () => () => undefined };
    const claim = await claimStateFolder({ folder: setting.stateDir, program: "test", clock });
    const files = readdirSync(setting.stateDir).filter((name) => !/^(?:undo|audit)/.test(name));
    const databases = files.filter((name) => name !== "owner.json");
    expect(databases.sort()).toEqual(["owner.lock", "state.db", "state.db-shm", "state.db-wal"]);
    for (const name of databases) {
      const path = `state/${name}`;
      linkSync(join(setting.stateDir, name), join(setting.place, `hard-${name}`));
      symlinkSync(path, join(setting.place, `soft-${name}`));
      for (const way of [path, `hard-${name}`, `soft-${name}`, join(setting.place, path)]) {
        expect(await reasonOf(toolkit, "read", { path: way }), way).toBe("path_protected");
      }
    }
    await claim.release();
  });

  it("has a key of the audit that no call reads", async () => {
    const setting = createStateSetting();
    const toolkit = await startAtHome(setting);
    const path = "state/audit.key";
    writeFileSync(join(setting.stateDir, "audit.key"), "secret");
    linkSync(join(setting.stateDir, "audit.key"), join(setting.place, "hard"));
    for (const way of [path, "hard"]) {
      expect(await reasonOf(toolkit, "read", { path: way }), way).toBe("path_protected");
    }
  });

  it.runIf(process.platform === "linux")(
    "keeps the locks of its database while calls try to read it",
    async () => {
      const setting = createStateSetting();
      const toolkit = await startAtHome(setting);
      const locks = () =>
        readFileSync("/proc/locks", "utf8")
          .split("\n")
          .filter((line) => line.includes(` ${process.pid} `)).length;
      const before = locks();
      expect(before).toBeGreaterThan(0);
      await toolkit.invoke({ id: "r", name: "read", arguments: { path: "state/state.db" } });
      await toolkit.invoke({ id: "s", name: "read", arguments: { path: "state/state.db-shm" } });
      expect(locks()).toBe(before);
    },
  );

  it("does not keep a file of the same name elsewhere from being read", async () => {
    const setting = createStateSetting();
    const toolkit = await startAtHome(setting);
    mkdirSync(join(setting.place, "app"));
    writeFileSync(join(setting.place, "app", "state.db"), "mine\n");
    writeFileSync(join(setting.place, "app", "one"), "linked\n");
    linkSync(join(setting.place, "app", "one"), join(setting.place, "app", "two"));
    for (const [path, text] of [
      ["app/state.db", "mine"],
      ["app/two", "linked"],
    ]) {
      const answer = await toolkit.invoke({ id: "r", name: "read", arguments: { path } });
      expect(textOf(answer)).toContain(text);
    }
  });
});

describe("the option protect", () => {
  it("keeps further places and names from being changed, and they can be read", async () => {
    const setting = createStateSetting();
    const { root } = setting;
    mkdirSync(join(root, "conf"));
    writeFileSync(join(root, "conf", "mine.json5"), "a");
    const protect = [join(root, "conf", "mine.json5"), "secrets"];
    const { toolkit } = setting.start({ protect, ...patching });
    await write(toolkit, { id: "1", content: "x" });
    expect(await everyChange(toolkit, "conf/mine.json5")).toEqual(PROTECTED);
    expect(await reasonOf(toolkit, "write", { path: "deep/secrets", content: "" })).toBe(
      "path_protected",
    );
    expect(await reasonOf(toolkit, "write", { path: ".git/config", content: "" })).toBe(
      "path_protected",
    );
    expect(await reasonOf(toolkit, "write", { path: "conf/other", content: "x" })).toBe("done");
    expect(await reasonOf(toolkit, "read", { path: "conf/mine.json5" })).toBe("done");
  });

  it("is a list of texts", () => {
    const { start } = createStateSetting();
    const odd: Partial<ToolkitOptions> = JSON.parse('{"protect":"x"}');
    expect(() => start(odd)).toThrow(/protect must be a list of texts/);
  });
});
