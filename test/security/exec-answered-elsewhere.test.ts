// A command of a toolkit in this process, answered on the command line of another: what the answer
// holds for, who wins, and that none can be given twice.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandQuestion, createToolkit } from "clawtools";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSandbox, type Sandbox } from "../cli/run-cli.js";

const TIMEOUT_MS = 240_000;
const RACERS = 6;
const EXIT_CONFLICT = 6;

/** Asks about a command, and leaves the answer to others. */
async function ask(sandbox: Sandbox, command: string) {
  const { root, folder } = sandbox;
  let seen: (question: CommandQuestion) => void = () => undefined;
  const question = new Promise<CommandQuestion>((resolve) => {
    seen = resolve;
  });
  const toolkit = createToolkit({
    root,
    stateDir: join(folder, ".clawtools"),
    config: { tools: { exec: { sandbox: "none" } } },
    approve(request) {
      if (request.command) seen(request.command);
      return new Promise(() => undefined);
    },
  });
  onTestFinished(() => toolkit.close());
  const call = (id: string) => toolkit.invoke({ id, name: "exec", arguments: { command } });
  const running = call("call_1");
  const { slug } = await question;
  // The program is told first; what others can answer is written down beside it.
  await expect
    .poll(async () => (await sandbox.run("approvals", "list")).stdout, { timeout: 50_000 })
    .toContain(slug);
  return { running, slug, call };
}

const files = { "run.js": 'require("node:fs").writeFileSync("ran", "");\n' };

describe("clawtools approvals, for a toolkit in another process", () => {
  it(
    "lets a command run once, and a second answer changes nothing",
    async () => {
      const sandbox = await createSandbox({ files });
      const { running, slug } = await ask(sandbox, "node run.js");
      expect((await sandbox.run("approvals", "approve", slug)).exitCode).toBe(0);
      expect(await running).toMatchObject({ isError: false, details: { exitCode: 0 } });
      expect(existsSync(join(sandbox.root, "ran"))).toBe(true);
      const again = await sandbox.run("approvals", "approve", slug);
      expect(again.exitCode).toBe(EXIT_CONFLICT);
    },
    TIMEOUT_MS,
  );

  it(
    "does not let a command run whose script has changed since it was asked about",
    async () => {
      const sandbox = await createSandbox({ files });
      const { running, slug } = await ask(sandbox, "node run.js");
      writeFileSync(join(sandbox.root, "run.js"), 'require("fs").writeFileSync("ran", "x");');
      expect((await sandbox.run("approvals", "approve", slug)).exitCode).toBe(0);
      expect(await running).toMatchObject({
        isError: true,
        details: { code: "denied", reason: "approval_mismatch" },
      });
      expect(existsSync(join(sandbox.root, "ran"))).toBe(false);
    },
    TIMEOUT_MS,
  );

  it(
    "with --always saves it, and the same command is not asked about again",
    async () => {
      const sandbox = await createSandbox({ files });
      const { running, slug, call } = await ask(sandbox, "node run.js");
      expect((await sandbox.run("approvals", "approve", slug, "--always")).exitCode).toBe(0);
      await running;
      expect(await call("call_2")).toMatchObject({ isError: false, details: { exitCode: 0 } });
    },
    TIMEOUT_MS,
  );

  it(
    "has one winner when several processes answer at once",
    async () => {
      const sandbox = await createSandbox({ files });
      const { running, slug } = await ask(sandbox, "node run.js");
      const words = ["approve", "deny"];
      const racers = Array.from({ length: RACERS }, (_, index) => words[index % 2] ?? "");
      const outcomes = await Promise.all(
        racers.map((word) => sandbox.run("approvals", word, slug)),
      );
      const exitCodes = outcomes.map(({ exitCode }) => exitCode);
      const losers = exitCodes.filter((exitCode) => exitCode === EXIT_CONFLICT);
      expect(losers).toHaveLength(RACERS - 1);
      const winner = racers[exitCodes.indexOf(0)];
      expect((await running).isError).toBe(winner === "deny");
      expect(existsSync(join(sandbox.root, "ran"))).toBe(winner === "approve");
    },
    TIMEOUT_MS,
  );
});
