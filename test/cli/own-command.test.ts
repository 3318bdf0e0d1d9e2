// What is printed to be typed works as it stands where `clawtools` is not in the search path.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runNode } from "../fakes/run-node.js";
import { addListener } from "../security/approvals-listener.js";
import { createSetting, planOf, requestOf, waitForRequest } from "../security/approvals-setting.js";
import { BIN, createSandbox, OWN_COMMAND, type Sandbox } from "./run-cli.js";
import { runHere } from "./run-here.js";

/** A search path with the programs of the system alone. */
const PATH = "/usr/bin:/bin";

async function createElsewhere(config = {}) {
  const sandbox = await createSandbox({ config });
  const run = (...args: string[]) =>
    runNode([BIN, "--root", sandbox.root, ...args], { ...sandbox.env, PATH });
  const callHere = (...args: string[]) =>
    runHere({ args: ["--root", sandbox.root, ...args], env: { ...sandbox.env, PATH } });
  return { sandbox, run, runHere: callHere };
}

async function askBeside({ folder }: Sandbox) {
  const setting = await createSetting({ folder: join(folder, ".clawtools") });
  await addListener(setting);
  const outcome = setting.gate
    .authorise(requestOf({ plan: planOf(["mkdir", "made"]) }))
    .catch(() => "ended");
  return { outcome, question: await waitForRequest(setting.table) };
}

describe("where clawtools is not in the search path", () => {
  it("doctor says what to do in words that can be typed", async () => {
    const { runHere } = await createElsewhere({ tools: { allow: ["read", "tts"] } });
    const { findings } = JSON.parse((await runHere("doctor", "--json")).stdout);
    const remedies: string[] = findings.flatMap(({ remedy = [] }) => remedy);
    expect(remedies).toContain(`${OWN_COMMAND} tools explain tts`);
    expect(remedies.filter((line) => line.startsWith("clawtools"))).toEqual([]);
  });

  it("browser does", async () => {
    const { run, runHere } = await createElsewhere();
    const closed = await run("browser", "tabs");
    expect(closed.stderr).toContain(`\`${OWN_COMMAND} browser open URL\``);
    const unknown = await runHere("browser", "open", "https://x.example/", "--profile", "work");
    expect(unknown.stderr).toContain(`Here that is: ${OWN_COMMAND} browser call '`);
  });

  it("approvals list does", async () => {
    const { sandbox, runHere } = await createElsewhere();
    const { outcome, question } = await askBeside(sandbox);
    const { stdout } = await runHere("approvals", "list");
    expect(stdout).toContain(`\n  ${OWN_COMMAND} approvals approve ${question.slug}\n`);
    await runHere("approvals", "deny", question.slug);
    await outcome;
  });

  it("a call that changed a file, and its undo, do", async () => {
    const { runHere } = await createElsewhere();
    const given = JSON.stringify({ path: "a.txt", content: "a" });
    const { stderr } = await runHere("tools", "call", "write", "--json", given);
    const [, id = ""] = /undo (cli_\w+)/.exec(stderr) ?? [];
    expect(stderr).toContain(`To undo: ${OWN_COMMAND} undo ${id}\n`);
    const undone = (await runHere("undo", id)).stdout;
    expect(undone).toContain(`To redo it:\n  ${OWN_COMMAND} undo `);
    expect((await runHere("undo")).stderr).toContain(`\`${OWN_COMMAND} undo --list\` shows them`);
  });

  it("a call that nobody could be asked about does, in its text and its details", async () => {
    const { run, runHere } = await createElsewhere({ tools: { exec: { host: "gateway" } } });
    const args = ["tools", "call", "exec", "--json", '{"command":"mkdir made"}'];
    const { exitCode, stdout } = await run(...args);
    expect(exitCode).toBe(4);
    const { error } = JSON.parse(stdout);
    expect(error).toContain(`\`${OWN_COMMAND} approvals grants add mkdir`);
    expect(error).toContain(`\`${OWN_COMMAND} approvals watch`);
    const details = JSON.parse((await runHere(...args, "--details")).stdout);
    expect(details.allow[0]).toMatch(`${OWN_COMMAND} approvals grants add`);
  });

  it("an error does, on stderr and in its document", async () => {
    const { runHere } = await createElsewhere();
    const { stderr, stdout } = await runHere("undo", "--json", "--help-me");
    expect(`${stderr}${stdout}`).toContain(`\`${OWN_COMMAND} undo --help\``);
  });
});
