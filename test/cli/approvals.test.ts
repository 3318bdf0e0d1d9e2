// `clawtools approvals`: the list of grants, requests of other processes and their answers.

import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { GateRequest } from "../../src/core/index.js";
import { addListener } from "../security/approvals-listener.js";
import {
  type Asked,
  createSetting,
  planOf,
  requestOf,
  waitForRequest,
} from "../security/approvals-setting.js";
import { createSandbox, linesTooLong, type Sandbox } from "./run-cli.js";

const STATE = ".clawtools";
const MAKE = { plan: planOf(["mkdir", "made"]) };
const UNREADABLE = {
  command: "echo $HOME",
  refusal: { reason: "expansion", message: "`$HOME` is replaced by the shell." },
};

/** A process of an agent, with somebody who listens, that asks about a command. */
async function askBeside({ folder }: Sandbox, asked: Asked, changes?: Partial<GateRequest>) {
  const setting = await createSetting({ folder: join(folder, STATE) });
  await addListener(setting);
  const outcome = setting.gate.authorise(requestOf(asked, changes)).then(
    ({ rule }) => rule,
    ({ message }: Error) => message,
  );
  return { outcome, question: await waitForRequest(setting.table), grantsFile: setting.grantsFile };
}

describe("clawtools approvals grants", () => {
  it("adds, lists and removes what may run without being asked about", async () => {
    const { run, runHere, folder } = await createSandbox();
    expect((await runHere("approvals", "grants")).stdout).toContain("Nothing is granted");
    const added = await run(
      ...["approvals", "grants", "add", "/usr/bin/env", "--args", "^NAME=x ls$", "--for", "7d"],
    );
    expect(added).toMatchObject({ exitCode: 0, stderr: "" });
    expect((await stat(join(folder, STATE, "exec-approvals.json"))).mode & 0o777).toBe(0o600);
    const { stdout } = await runHere("approvals", "grants", "list", "--json");
    const [grant] = JSON.parse(stdout);
    expect(grant).toMatchObject({ agent: "main", argPattern: "^NAME=x ls$", source: "grants add" });
    expect(grant.expiresAt - grant.addedAt).toBe(7 * 24 * 60 * 60_000);
    const listed = await runHere("approvals", "grants", "list");
    expect(listed.stdout).toContain("^NAME=x ls$");
    expect(linesTooLong(listed.stdout)).toEqual([]);
    expect((await runHere("approvals", "grants", "remove", grant.id)).exitCode).toBe(0);
    expect(JSON.parse((await runHere("approvals", "grants", "--json")).stdout)).toEqual([]);
    const { stdout: past } = await runHere("approvals", "list", "--past");
    expect(past).toMatch(/grant-remove[\s\S]*grant-add/);
  });

  it("follows a link to the program that really runs", async () => {
    const { runHere } = await createSandbox();
    await runHere("approvals", "grants", "add", "/bin/sh", "--args", "^x$", "--agent", "*");
    const [grant] = JSON.parse((await runHere("approvals", "grants", "--json")).stdout);
    expect(grant.agent).toBe("*");
    expect(grant.pattern).not.toBe("/bin/sh");
  });

  it.each([
    [["add"], 2, "needs a PROGRAM"],
    [["add", "bin/ls"], 2, "absolute path"],
    [["add", "/no/such/program"], 5, "Cannot find"],
    [["add", "ls", "--args", "(a+)+"], 2, "--args cannot be used"],
    [["add", "ls", "--for", "soon"], 2, "--for takes"],
    [["remove", "nobody"], 5, "Unknown grant"],
    [["remove"], 2, "needs an ID"],
    [["sell"], 2, "must be one of list, add, remove"],
  ])("refuses %j", async (words, exitCode, message) => {
    const { runHere } = await createSandbox();
    const outcome = await runHere("approvals", "grants", ...words);
    expect(outcome).toMatchObject({ exitCode, stderr: expect.stringContaining(message) });
  });

  it("does not touch a list that it cannot read", async () => {
    const { runHere, folder } = await createSandbox();
    const file = join(folder, STATE, "exec-approvals.json");
    await mkdir(join(folder, STATE), { recursive: true });
    await writeFile(file, '{"version":2}', { mode: 0o600 });
    const outcome = await runHere("approvals", "grants", "add", "ls");
    expect(outcome).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("version is 2") });
    expect(await readFile(file, "utf8")).toBe('{"version":2}');
  });
});

describe("clawtools approvals list, approve, deny", () => {
  it("say so when nothing waits", async () => {
    const { runHere } = await createSandbox();
    expect((await runHere("approvals", "list")).stdout).toBe(
      "No command is waiting for approval.\n",
    );
    expect((await runHere("approvals", "approve", "abcd1234")).exitCode).toBe(5);
  });

  it("show a request, whole when it is named, and let it run once", async () => {
    const sandbox = await createSandbox();
    const { outcome, question } = await askBeside(sandbox, MAKE, { env: { COLOUR: "blue" } });
    const list = await sandbox.run("approvals", "list");
    expect(list.stdout).toContain(`${question.slug}  mkdir made`);
    for (const action of ["list", "approve", "deny"]) {
      expect(list.stdout).toContain(`\n  clawtools approvals ${action} ${question.slug}\n`);
    }
    const whole = await sandbox.runHere("approvals", "list", question.slug);
    for (const text of [
      "/usr/bin/mkdir made",
      'Environment: COLOUR="[not stored]"',
      "Needs your approval:",
      "exactly",
    ]) {
      expect(whole.stdout).toContain(text);
    }
    expect(linesTooLong(list.stdout + whole.stdout)).toEqual([]);
    const approved = await sandbox.run("approvals", "approve", question.slug);
    expect(approved).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await outcome).toMatch(/^allow-once by .* on the command line$/);
    const again = await sandbox.run("approvals", "deny", question.slug);
    expect(again).toMatchObject({ exitCode: 6, stderr: expect.stringContaining("already") });
  });

  it("with --always save what was shown", async () => {
    const sandbox = await createSandbox();
    const { outcome, question, grantsFile } = await askBeside(sandbox, MAKE);
    const approved = await sandbox.runHere(
      "approvals",
      "approve",
      question.id,
      "--always",
      "--json",
    );
    expect(JSON.parse(approved.stdout)).toEqual({
      id: question.id,
      decision: "allow-always",
      grants: question.grants,
    });
    await outcome;
    expect((await grantsFile.read()).agents?.main?.allowlist).toMatchObject([...question.grants]);
  });

  it("refuse --always for what cannot be saved, and leave the request open", async () => {
    const sandbox = await createSandbox();
    const { outcome, question } = await askBeside(sandbox, UNREADABLE);
    const refused = await sandbox.runHere("approvals", "approve", question.slug, "--always");
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("only once") });
    await sandbox.runHere("approvals", "deny", question.slug, "--reason", "use printenv");
    expect(await outcome).toContain("use printenv");
  });
});
