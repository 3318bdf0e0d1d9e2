// What is in force for commands, as `explain` and `commandFacts` tell it; and that nobody who runs no
// command pays for finding out.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createToolkit } from "clawtools";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTempFolder } from "../plugins/temp-folder.js";
import { startExec } from "./exec-setting.js";

const DEFAULTS = { config: {}, approvals: { version: 1, agents: {} } } as const;
/** There the set-up brings bubblewrap, so its absence is a failure. */
const isLinux = process.platform === "linux";

describe("the row of exec", () => {
  it("says that nothing was tried yet, and what would try it", () => {
    const { toolkit } = startExec(DEFAULTS);
    for (const name of ["exec", "bash"]) {
      expect(toolkit.explain(name)).toMatchObject({
        status: "present",
        code: "ready",
        facts: [expect.stringContaining("commandFacts()")],
      });
    }
    expect(toolkit.explain("process").facts).toEqual([expect.stringContaining("of exec")]);
    expect(toolkit.explain("read").facts).toBeUndefined();
  });

  it("has no facts when the tool is absent", () => {
    const { toolkit } = startExec({ config: { tools: { deny: ["exec"] } } });
    expect(toolkit.explain("exec")).toMatchObject({ status: "absent" });
    expect(toolkit.explain("exec").facts).toBeUndefined();
  });

  it.runIf(isLinux)("says what contains commands once it was asked for", async () => {
    const { toolkit } = startExec(DEFAULTS);
    const facts = await toolkit.commandFacts();
    expect(facts).toMatchObject({
      host: "sandbox",
      containment: "bwrap",
      isSandboxed: true,
      hasNetwork: false,
      security: "full",
      ask: "off",
    });
    const [where, rules, limits] = toolkit.explain("exec").facts ?? [];
    expect(where).toBe("Commands run in a sandbox (bwrap), without network.");
    expect(rules).toBe('security is "full", ask is "off".');
    expect(limits).toMatch(
      /^In force: .*memory 4096 MiB \(per process\).*\/tmp 1024 MiB \(total\)/,
    );
    const followed = toolkit.explain().find(({ id }) => id === "process")?.facts;
    expect(followed).toEqual([
      "It follows the commands of exec, whose row says what is in force for them.",
    ]);
  });

  it("has them after the first command, also after one that was refused", async () => {
    const { toolkit, exec } = startExec({
      config: { tools: { exec: { sandbox: "none" } } },
      approvals: { version: 1, agents: {} },
    });
    expect((await exec({ command: "touch made" })).isError).toBe(true);
    await expect
      .poll(() => toolkit.explain("exec").facts?.[0])
      .toMatch(/^Commands run on this machine/);
    expect(toolkit.explain("exec").facts).toContain('security is "allowlist", ask is "on-miss".');
    expect(toolkit.explain("exec").facts).toContain('tools.exec.sandbox is "none".');
  });

  it("says what does not hold on the machine itself", async () => {
    const { toolkit } = startExec({ config: { tools: { exec: { sandbox: "none" } } } });
    const { containment, warnings, limits } = await toolkit.commandFacts();
    expect(containment).toMatch(/^(?:namespace|group)$/);
    expect(limits).toEqual(["limits: not enforced on the host"]);
    expect(warnings.length).toBeGreaterThan(1);
    const facts = toolkit.explain("exec").facts ?? [];
    for (const warning of warnings) expect(facts).toContain(warning);
    expect(facts.filter((fact) => fact.startsWith("In force"))).toEqual([]);
    expect(facts).toContainEqual(expect.stringMatching(/^Memory, processes, .* are not limited;/));
  });

  it("counts the list too, which can be stricter than the config", async () => {
    const { toolkit } = startExec({
      config: { tools: { exec: { host: "gateway", security: "full", ask: "off" } } },
      approvals: { version: 1, agents: { main: { security: "allowlist", ask: "always" } } },
    });
    expect(await toolkit.commandFacts()).toMatchObject({ security: "allowlist", ask: "always" });
  });

  it("says so when the list cannot be read", async () => {
    const stateDir = await createTempFolder();
    writeFileSync(join(stateDir, "exec-approvals.json"), "{", { mode: 0o600 });
    const toolkit = createToolkit({ root: await createTempFolder(), stateDir });
    onTestFinished(() => toolkit.close());
    const { warnings } = await toolkit.commandFacts();
    expect(warnings.join("\n")).toContain("exec-approvals.json");
  });

  it("says what a slip in the list was meant to be, with one mark behind it", async () => {
    const stateDir = await createTempFolder();
    const slip = JSON.stringify({ version: 1, defalts: { ask: "off" } });
    writeFileSync(join(stateDir, "exec-approvals.json"), slip, { mode: 0o600 });
    const toolkit = createToolkit({ root: await createTempFolder(), stateDir });
    onTestFinished(() => toolkit.close());
    const { warnings } = await toolkit.commandFacts();
    expect(warnings.join("\n")).toContain("did you mean defaults? Fix it");
  });

  it("says that nothing can run where a sandbox must be and cannot", async () => {
    const { toolkit, exec } = startExec({
      ...DEFAULTS,
      config: { tools: { exec: { sandbox: "docker" } } },
    });
    expect(await toolkit.commandFacts()).toMatchObject({ host: "sandbox", containment: "none" });
    expect(toolkit.explain("exec").facts).toEqual([
      "No command can run here.",
      expect.stringContaining("docker"),
    ]);
    expect((await exec({ command: "true" })).details).toMatchObject({
      code: "unavailable",
      reason: "sandbox_unavailable",
    });
  });
});

describe("a toolkit that runs no command", () => {
  it("tries nothing and makes nothing", async () => {
    const folder = await createTempFolder();
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, "root"));
    const stateDir = join(folder, "state");
    const toolkit = createToolkit({ root: join(folder, "root"), stateDir });
    await toolkit.ready;
    expect(toolkit.explain("exec").facts).toHaveLength(1);
    await toolkit.close();
    expect(existsSync(stateDir)).toBe(false);
    await expect(toolkit.commandFacts()).rejects.toMatchObject({ reason: "toolkit_closed" });
  });
});

describe("the option approvals", () => {
  it.each([
    [{}, "approvals.version is required, but missing"],
    [{ version: 2 }, "approvals.version expected"],
    [{ version: 1, defaults: { security: "all" } }, "approvals.defaults.security expected one of"],
    [{ version: 1, agents: [] }, "approvals.agents expected an object"],
    [
      { version: 1, agents: { main: { allowlist: [{ pattern: "ls" }, { argPattern: "^x$" }] } } },
      "approvals.agents.main.allowlist[1].pattern is required, but missing",
    ],
    [
      { version: 1, agents: { main: { allowlist: [{ pattern: "ls", argPatern: "^x$" }] } } },
      "approvals.agents.main.allowlist[0].argPatern is not a field; did you mean argPattern?",
    ],
    [{ version: 1, defaults: { ask: () => "off" } }, "approvals.defaults.ask expected plain data"],
  ])("%j is refused when the toolkit is made, by its place", async (approvals, message) => {
    const root = await createTempFolder();
    expect(() => createToolkit({ root, approvals })).toThrow(
      expect.objectContaining({
        name: "ToolInputError",
        reason: "options_invalid",
        message: expect.stringContaining(message),
      }),
    );
  });

  it("names every wrong place at once", async () => {
    const root = await createTempFolder();
    const approvals = { version: 1, defaults: { ask: "no" }, agents: { a: { security: 1 } } };
    expect(() => createToolkit({ root, approvals })).toThrow(
      /approvals\.defaults\.ask expected .*approvals\.agents\.a\.security expected /,
    );
  });

  it("is copied: what the caller changes afterwards allows nothing", async () => {
    const allowlist: { pattern: string }[] = [];
    const { exec } = startExec({
      config: { tools: { exec: { sandbox: "none" } } },
      approvals: { version: 1, agents: { "*": { allowlist } } },
    });
    allowlist.push({ pattern: "ls" });
    expect((await exec({ command: "ls" })).details).toMatchObject({ reason: "no_approver" });
  });
});
