// Commands called from the command line: waited for, and allowed by what the refusal says to type.

import { existsSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSandbox } from "./run-cli.js";

const FREE = { host: "gateway", security: "full", ask: "off" };
const STRICT = { host: "gateway", security: "allowlist", ask: "on-miss" };
const call = (given: object) => ["tools", "call", "exec", "--json", JSON.stringify(given)];

describe("clawtools tools call exec", () => {
  it("waits for a command that would go on in the background elsewhere", async () => {
    const config = { tools: { exec: { ...FREE, backgroundMs: 10 } } };
    const { run, root } = await createSandbox({ config });
    const command = "echo begun; sleep 0.5; touch made; echo ended";
    const outcome = await run(...call({ command }));
    expect(outcome).toMatchObject({ exitCode: 0, stdout: "begun\nended\n", stderr: "" });
    expect(existsSync(join(root, "made"))).toBe(true);
  });

  it.each(["background", "run_in_background"])("refuses %s", async (name) => {
    const { runHere, root } = await createSandbox({ config: { tools: { exec: FREE } } });
    const outcome = await runHere(...call({ command: "touch made", [name]: true }));
    expect(outcome).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`${name} cannot be used here`),
    });
    expect(existsSync(join(root, "made"))).toBe(false);
  });

  it("leaves process to be called by itself", async () => {
    const { run } = await createSandbox({ config: { tools: { exec: FREE } } });
    const outcome = await run("tools", "call", "process", "--json", '{"action": "list"}');
    expect(outcome.exitCode).toBe(0);
  });

  it.each([
    ["ls", 0],
    ["node -e 1", 0],
    ["env X=1 true", 0],
  ])("runs %j after the command that its refusal names", async (command, exitCode) => {
    const { runHere, folder } = await createSandbox({ config: { tools: { exec: STRICT } } });
    const flags = ["--state-dir", join(folder, "other state")];
    const config = ["--config", join(folder, ".clawtools", "clawtools.json")];
    const refused = await runHere(...call({ command }), ...flags, ...config, "--details");
    expect(refused.exitCode).toBe(4);
    const [allow = ""] = JSON.parse(refused.stdout).allow;
    expect(allow).toMatch(/^clawtools approvals grants add /);
    expect((await runHere(...readWords(allow).slice(1))).exitCode).toBe(0);
    expect((await runHere(...call({ command }), ...flags, ...config)).exitCode).toBe(exitCode);
  });
});

/** As a shell takes it apart. */
function readWords(line: string): string[] {
  const words = line.match(/(?:[^\s']|'[^']*')+/g) ?? [];
  return words.map((word) => word.replaceAll("'", ""));
}

describe("clawtools approvals grants add says how far an entry goes", () => {
  it.each([
    ["ls", "with the arguments that its profile knows to be harmless"],
    ["bash", "which covers nothing without --args, because it can start programs"],
    ["npm", "which covers nothing without --args, because it can start programs"],
    ["/usr/bin/ldconfig*", "for each program that it matches"],
    ["nosuchprog", "which is not a program here"],
  ])("%s: %s", async (program, expected) => {
    const { runHere } = await createSandbox();
    const added = await runHere("approvals", "grants", "add", program);
    expect(added.stdout.replace(/\s+/g, " ")).toContain(expected);
    const listed = await runHere("approvals", "grants", "list");
    expect(listed.stdout.replace(/\s+/g, " ")).toContain(expected);
  });

  it("everything, for a program of one's own", async () => {
    const { runHere, folder } = await createSandbox();
    const own = join(folder, "bin", "mytool");
    await mkdir(join(folder, "bin"));
    await writeFile(own, "#!/bin/sh\n");
    await chmod(own, 0o755);
    const added = await runHere("approvals", "grants", "add", own);
    expect(added.stdout.replace(/\s+/g, " ")).toContain("mytool, with every argument.");
  });
});

describe("clawtools approvals grants --agent", () => {
  it("lists the entries of that agent alone", async () => {
    const { runHere } = await createSandbox({ config: { agents: { list: [{ id: "helper" }] } } });
    await runHere("approvals", "grants", "add", "ls");
    const added = await runHere("approvals", "grants", "add", "cat", "--agent", "helper");
    expect(added.stderr).toBe("");
    const listed = await runHere("approvals", "grants", "--agent", "Helper", "--json");
    expect(JSON.parse(listed.stdout)).toMatchObject([{ pattern: "cat", agent: "helper" }]);
    const none = await runHere("approvals", "grants", "list", "--agent", "nosuch");
    expect(none.stdout).toContain("Nothing is granted for agent nosuch");
  });

  it("warns of an agent that the config does not have", async () => {
    const { runHere } = await createSandbox();
    const { stderr } = await runHere("approvals", "grants", "add", "ls", "--agent", "nosuch");
    expect(stderr).toBe("warning: the config has no agent nosuch.\n");
  });
});
