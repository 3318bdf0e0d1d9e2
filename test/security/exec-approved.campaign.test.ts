// Approvals through a toolkit, with real commands: a yes holds for what was shown, once, and for a
// while. What changes on the disk while a person thinks stops the command.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Approver, type CommandQuestion, createToolkit, type ToolkitOptions } from "clawtools";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRequestTable, createStoredRows } from "../../src/drivers/approvals/index.js";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createProcessMarks, createSqliteStore } from "../../src/drivers/store/index.js";
import { sampleRows } from "../fakes/campaign.js";
import { createTempFolder } from "../plugins/temp-folder.js";

const EMPTY = { version: 1, agents: {} };
const NOBODY_ANSWERS: Approver = () => new Promise(() => undefined);

interface Scene {
  readonly root: string;
  readonly stateDir: string;
  /** Looked at before the folders of the system. */
  readonly bin: string;
  readonly questions: CommandQuestion[];
  exec(params: Record<string, unknown>): Promise<Answer>;
  ran(): boolean;
}

interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly details: Readonly<Record<string, unknown>>;
}

type Answering = (scene: Scene) => Approver;

async function createScene(
  answering: Answering,
  { config, ...options }: Partial<ToolkitOptions> = {},
): Promise<Scene> {
  const folder = await createTempFolder({
    "root/run.js": 'require("node:fs").writeFileSync("ran", "");\n',
    "root/one/a.txt": "",
    "root/two/a.txt": "",
    "bin/tool": "#!/bin/sh\n/bin/touch ran\n",
  });
  const [root, bin, stateDir] = ["root", "bin", "state"].map((name) => join(folder, name));
  if (root === undefined || bin === undefined || stateDir === undefined) throw new Error("Three.");
  chmodSync(join(bin, "tool"), 0o755);
  symlinkSync("one", join(root, "link"));
  const questions: CommandQuestion[] = [];
  const toolkit = createToolkit({
    root,
    stateDir,
    approvals: EMPTY,
    ...options,
    config: { ...config, tools: { exec: { sandbox: "none", pathPrepend: [bin] } } },
    approve(request, more) {
      if (request.command) questions.push(request.command);
      return answering(scene)(request, more);
    },
  });
  onTestFinished(() => toolkit.close());
  let calls = 0;
  const scene: Scene = {
    ...{ root, stateDir, bin, questions },
    ran: () => [".", "one", "two"].some((place) => existsSync(join(root, place, "ran"))),
    async exec(params) {
      const id = `call_${++calls}`;
      const result = await toolkit.invoke({ id, name: "exec", arguments: params });
      const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join();
      return { isError: result.isError, text, details: { ...(result.details as object) } };
    },
  };
  return scene;
}

const decided =
  (decision: "allow-once" | "allow-always" | "deny"): Answering =>
  () =>
  async () => ({ decision });

const CHANGES: readonly (readonly [string, Record<string, unknown>, (scene: Scene) => void])[] = [
  [
    "the script",
    { command: "node run.js" },
    ({ root }) => writeFileSync(join(root, "run.js"), 'require("fs").writeFileSync("ran", "x");'),
  ],
  [
    "the program",
    { command: "tool" },
    ({ bin }) => {
      writeFileSync(join(bin, "new"), "#!/bin/sh\n/bin/touch ran # other\n", { mode: 0o755 });
      renameSync(join(bin, "new"), join(bin, "tool"));
    },
  ],
  [
    "a program found earlier",
    { command: "touch ran" },
    ({ bin }) => writeFileSync(join(bin, "touch"), "#!/bin/sh\n/bin/touch ran\n", { mode: 0o755 }),
  ],
  [
    "an argument, by the files of a pattern",
    { command: "touch ran one/*" },
    ({ root }) => writeFileSync(join(root, "one", "b.txt"), ""),
  ],
  [
    "the folder that cd leads to",
    { command: "cd link && touch ran" },
    ({ root }) => {
      rmSync(join(root, "link"));
      symlinkSync("two", join(root, "link"));
    },
  ],
  [
    "the working folder",
    { command: "touch ran", workdir: "one" },
    ({ root }) => {
      renameSync(join(root, "one"), join(root, "old"));
      symlinkSync("two", join(root, "one"));
    },
  ],
  [
    "the working folder, which is gone",
    { command: "touch ran", workdir: "one" },
    ({ root }) => rmSync(join(root, "one"), { recursive: true }),
  ],
];

describe("a yes", () => {
  it.each(sampleRows(CHANGES, 3))("holds when nothing changes: %s", async (_, params) => {
    const scene = await createScene(decided("allow-once"));
    expect(await scene.exec(params)).toMatchObject({ isError: false, details: { exitCode: 0 } });
    expect(scene.questions).toHaveLength(1);
    expect(scene.ran()).toBe(true);
  });

  it.each(sampleRows(CHANGES, 2))(
    "does not hold when this changes meanwhile: %s",
    async (_, params, change) => {
      const scene = await createScene((own) => async () => {
        change(own);
        return { decision: "allow-once" };
      });
      const { isError, details } = await scene.exec(params);
      expect(isError).toBe(true);
      expect(details).toMatchObject({ code: "denied", reason: "approval_mismatch" });
      expect(scene.ran()).toBe(false);
    },
  );

  it("is used up by one start: the same command is asked about again", async () => {
    const scene = await createScene(decided("allow-once"));
    for (const count of [1, 2, 3]) {
      await scene.exec({ command: "touch ran" });
      expect(scene.questions).toHaveLength(count);
    }
  });

  it("that is not given in time is a no, or what the list falls back to", async () => {
    const expected = {
      deny: { isError: true, details: { reason: "approval_timeout" } },
      allowlist: { isError: true, details: { reason: "approval_timeout" } },
      full: { isError: false, details: { exitCode: 0 } },
    };
    for (const [askFallback, outcome] of Object.entries(expected)) {
      const scene = await createScene(() => NOBODY_ANSWERS, {
        config: { approvals: { timeoutMs: 200 } },
        approvals: { ...EMPTY, defaults: { askFallback } },
      });
      expect(await scene.exec({ command: "touch ran" })).toMatchObject(outcome);
      expect(scene.ran()).toBe(askFallback === "full");
    }
  });

  it("that comes too late starts nothing", async () => {
    let answer: (() => void) | undefined;
    const scene = await createScene(
      () => () =>
        new Promise((resolve) => {
          answer = () => resolve({ decision: "allow-once" });
        }),
      { config: { approvals: { timeoutMs: 100 } } },
    );
    const { details } = await scene.exec({ command: "touch ran" });
    answer?.();
    expect(details).toMatchObject({ code: "approval_required", reason: "approval_timeout" });
    expect((await scene.exec({ command: "touch ran" })).isError).toBe(true);
    expect(scene.ran()).toBe(false);
  });

  it("for always covers these words in this folder, and no others", async () => {
    const scene = await createScene(decided("allow-always"));
    await scene.exec({ command: "touch ran" });
    await scene.exec({ command: "touch ran" });
    expect(scene.questions).toHaveLength(1);
    const others = [
      { command: "touch other" },
      { command: "touch ran ran" },
      { command: "touch ran", workdir: "one" },
      { command: "touch ran > out.txt" },
    ];
    for (const [index, params] of others.entries()) {
      await scene.exec(params);
      expect(scene.questions).toHaveLength(index + 2);
    }
  });

  it("for always of a script ends when the script is another", async () => {
    const scene = await createScene(decided("allow-always"));
    for (const _ of [1, 2]) await scene.exec({ command: "node run.js" });
    expect(scene.questions).toHaveLength(1);
    writeFileSync(join(scene.root, "run.js"), "1;\n");
    await scene.exec({ command: "node run.js" });
    expect(scene.questions).toHaveLength(2);
  });
});

describe("a no", () => {
  it("starts nothing, and leaves the next question open", async () => {
    const scene = await createScene(decided("deny"));
    expect(await scene.exec({ command: "touch ran" })).toMatchObject({
      isError: true,
      details: { code: "denied", reason: "user_denied" },
    });
    expect(scene.ran()).toBe(false);
  });
});

describe("100 answers at once", () => {
  it("have one winner, and the command goes by its word", async () => {
    for (const first of ["allow-once", "deny"] as const) {
      const scene = await createScene(() => NOBODY_ANSWERS);
      mkdirSync(scene.stateDir, { recursive: true, mode: 0o700 });
      const clock = createSystemClock();
      const random = createSystemRandom();
      const stores = [1, 2, 3, 4].map(() =>
        createSqliteStore({ folder: scene.stateDir, clock, random }),
      );
      onTestFinished(async () => {
        for (const store of stores) await store.close();
      });
      const owners = createProcessMarks();
      const tables = stores.map((store) =>
        createRequestTable({ rows: createStoredRows(store), clock, owners }),
      );
      const running = scene.exec({ command: "touch ran" });
      await expect.poll(async () => (await tables[0]?.list())?.length).toBe(1);
      const id = (await tables[0]?.list())?.[0]?.question.id ?? "";
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, index) => {
          const isFirst = index % 2 === 0;
          const decision = isFirst === (first === "allow-once") ? "allow-once" : "deny";
          return tables[index % 4]?.answer({ name: id, decision, by: `racer ${index}` }).then(
            () => decision,
            ({ reason }: { readonly reason?: string }) => reason,
          );
        }),
      );
      const won = outcomes.filter((outcome) => outcome !== "already_resolved");
      expect(won).toEqual([expect.stringMatching(/^(?:allow-once|deny)$/)]);
      expect((await running).isError).toBe(won[0] === "deny");
      expect(scene.ran()).toBe(won[0] === "allow-once");
    }
  });
});
