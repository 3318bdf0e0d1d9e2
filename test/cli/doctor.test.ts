// `clawtools doctor`: finds each problem, names the remedy, and fixes with --fix only what is safe.

import {
  chmod,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSandbox, linesTooLong, type Sandbox, type SandboxFiles } from "./run-cli.js";
import { runHere } from "./run-here.js";

interface Finding {
  readonly area: string;
  readonly level: string;
  readonly what: string;
  readonly why?: string;
  readonly remedy?: string;
  readonly fixed?: string;
}

async function examine(
  { runHere }: Sandbox,
  ...flags: string[]
): Promise<{ exitCode: number; findings: Finding[]; find: (part: string) => Finding | undefined }> {
  const { exitCode, stdout } = await runHere("doctor", "--json", ...flags);
  const { findings }: { findings: Finding[] } = JSON.parse(stdout);
  return { exitCode, findings, find: (part) => findings.find(({ what }) => what.includes(part)) };
}

/** The look for a browser loads what drives it, which takes longer than all the rest. */
const NO_BROWSER = { browser: { enabled: false } };

/** With a config that lies beside the state folder, which is as it was. */
async function createBareSandbox(files: SandboxFiles["files"] = {}): Promise<Sandbox> {
  const sandbox = await createSandbox({ files });
  const configFile = join(sandbox.folder, "no-browser.json");
  await writeFile(configFile, JSON.stringify(NO_BROWSER), { mode: 0o600 });
  const env = { ...sandbox.env, CLAWTOOLS_CONFIG_PATH: configFile };
  const callHere = (...args: string[]) => runHere({ args: ["--root", sandbox.root, ...args], env });
  return { ...sandbox, configFile, env, runHere: callHere };
}

const stateFolder = ({ folder }: Sandbox) => join(folder, ".clawtools");

describe("clawtools doctor", () => {
  it("looks at everything, within 80 columns, and finds a new machine in order", async () => {
    const sandbox = await createSandbox();
    const { exitCode, stdout, stderr } = await sandbox.run("doctor");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(linesTooLong(stdout)).toEqual([]);
    const { findings } = await examine(sandbox);
    const areas = new Set(findings.map(({ area }) => area));
    expect([...areas].sort()).toEqual(
      ["commands", "config", "grants", "node", "policy", "programs", "state"].sort(),
    );
    expect(findings.filter(({ level }) => level === "broken")).toEqual([]);
    expect(findings.some(({ what }) => what.startsWith(`Node ${process.versions.node}`))).toBe(
      true,
    );
  });

  it("makes nothing unless it is told to", async () => {
    const sandbox = await createSandbox();
    await examine(sandbox);
    expect(await readdir(sandbox.folder)).not.toContain(".clawtools");
    const { find } = await examine(sandbox, "--fix");
    expect(find("does not exist yet")?.fixed).toContain("for this user only");
    expect((await stat(stateFolder(sandbox))).mode & 0o777).toBe(0o700);
  });

  it("names programs that are missing, but not those of tools that are not built yet", async () => {
    const sandbox = await createSandbox({ config: { tools: { profile: "minimal" } } });
    const { findings } = await examine(sandbox);
    const programs = findings.filter(({ area }) => area === "programs");
    expect(programs[0]?.what).toMatch(/^bubblewrap /);
    const text = programs.map(({ what }) => what).join(" ");
    expect(text).toContain("Chromium");
    for (const name of ["espeak-ng", "ffmpeg", "tts"]) expect(text).not.toContain(name);
    for (const { level, remedy } of programs.filter((one) => one.level !== "ok")) {
      expect(level).toBe(remedy === undefined ? "note" : "warning");
    }
  });

  it("finds open permissions, and --fix closes them", async () => {
    const sandbox = await createSandbox({ config: NO_BROWSER });
    const folder = stateFolder(sandbox);
    await chmod(folder, 0o755);
    await chmod(sandbox.configFile, 0o644);
    const before = await examine(sandbox);
    expect(before.exitCode).toBe(0);
    expect(before.find(`${folder} is open`)).toMatchObject({
      level: "warning",
      remedy: `chmod 700 ${folder}`,
    });
    expect(before.find("clawtools.json is open")?.remedy).toBe(`chmod 600 ${sandbox.configFile}`);
    await examine(sandbox, "--fix");
    const modes = [await stat(folder), await stat(sandbox.configFile)];
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600]);
    expect((await examine(sandbox)).find(`State folder ${folder}.`)).toBeDefined();
  });

  it("finds what a crash left, and --fix removes it, but nothing that is in use", async () => {
    const sandbox = await createSandbox({ config: NO_BROWSER });
    const folder = stateFolder(sandbox);
    await chmod(folder, 0o700);
    const old = [".clawtools.json.0a0b.clawtmp", ".clawtools.json.lock", "exec-approvals.json.new"];
    for (const name of old) {
      await writeFile(join(folder, name), "");
      await utimes(join(folder, name), 1, 1);
    }
    await writeFile(join(folder, ".clawtools.json.0c0d.clawtmp"), "");
    await writeFile(join(folder, "mine.txt"), "");
    const { findings } = await examine(sandbox);
    const left = findings.filter(({ what }) => what.includes("was left by a process"));
    expect(left).toHaveLength(old.length);
    await examine(sandbox, "--fix");
    const names = await readdir(folder);
    expect(names).toEqual(expect.arrayContaining([".clawtools.json.0c0d.clawtmp", "mine.txt"]));
    expect(names.filter((name) => old.includes(name))).toEqual([]);
  });

  it("leaves the mode of a folder that others use, also with --fix", async () => {
    const sandbox = await createBareSandbox({ "mine.txt": "" });
    for (const mode of [0o755, 0o1777]) {
      await chmod(sandbox.root, mode);
      const { find } = await examine(sandbox, "--fix", "--state-dir", sandbox.root);
      expect(find("is open to other users")).toMatchObject({
        level: "warning",
        why: expect.stringContaining("so --fix keeps its mode"),
      });
      expect((await stat(sandbox.root)).mode & 0o7777).toBe(mode);
    }
  });

  it("follows no link, and changes nothing without --fix", async () => {
    const sandbox = await createBareSandbox({ "elsewhere.db": "" });
    const folder = stateFolder(sandbox);
    const target = join(sandbox.root, "elsewhere.db");
    await chmod(target, 0o644);
    await mkdir(folder, { mode: 0o700 });
    await symlink(target, join(folder, "state.db"));
    const { exitCode, find } = await examine(sandbox);
    expect(exitCode).toBe(1);
    expect(find("state.db is not a plain file")).toMatchObject({ level: "broken" });
    expect((await stat(target)).mode & 0o777).toBe(0o644);
    expect(await readFile(target, "utf8")).toBe("");
  });

  it.each(["audit.lock", "audit.jsonl"])("is broken with an %s of the wrong kind", async (name) => {
    const sandbox = await createBareSandbox();
    await mkdir(stateFolder(sandbox), { mode: 0o700 });
    const path = join(stateFolder(sandbox), name);
    if (name === "audit.lock") await writeFile(path, "x", { mode: 0o600 });
    else await mkdir(path);
    const { exitCode, find } = await examine(sandbox);
    expect(exitCode).toBe(1);
    expect(find(`${name} is not a plain`)).toMatchObject({
      level: "broken",
      remedy: `mv ${path} ${path}.old`,
    });
  });

  it("is broken with a state folder that is none", async () => {
    const sandbox = await createBareSandbox();
    await writeFile(stateFolder(sandbox), "");
    const { exitCode, find } = await examine(sandbox);
    expect(exitCode).toBe(1);
    expect(find("is not a folder")).toMatchObject({ level: "broken" });
  });

  it("is broken with a config that has an error, and touches it not even with --fix", async () => {
    const config =
      '{ tools: { exec: { ask: "maybe" }, profil: "x" }, browser: { enabled: false } }';
    const sandbox = await createSandbox({ config });
    const { exitCode, find } = await examine(sandbox, "--fix");
    expect(exitCode).toBe(1);
    expect(find("tools.exec.ask: expected one of")).toMatchObject({ level: "broken" });
    expect(find('did you mean "profile"')).toMatchObject({ level: "broken" });
    expect(await readFile(sandbox.configFile, "utf8")).toBe(config);
  });

  it("says when a policy leaves no tool, and by which rule", async () => {
    const sandbox = await createSandbox({
      config: {
        ...NO_BROWSER,
        tools: { profile: "coding", deny: ["*"] },
        agents: { list: [{ id: "support", tools: { profile: "messaging" } }] },
      },
    });
    const { exitCode, findings } = await examine(sandbox);
    expect(exitCode).toBe(1);
    const empty = findings.filter(({ what }) => what.startsWith("Not one tool is offered"));
    expect(empty).toHaveLength(2);
    expect(empty[0]?.why).toContain('tools.deny[0] "*"');
    expect(empty[1]?.what).toContain("agent support");
  });

  it("says when a tool that is allowed by name is not offered", async () => {
    const sandbox = await createSandbox({
      config: { ...NO_BROWSER, tools: { allow: ["read", "tts"] } },
    });
    const { exitCode, find } = await examine(sandbox);
    expect(exitCode).toBe(0);
    expect(find("tts is on an allow list")).toMatchObject({
      level: "warning",
      remedy: "clawtools tools explain tts",
    });
    expect(find("read is on an allow list")).toBeUndefined();
  });

  it("finds grants that cannot be read, have expired, or name a program that is gone", async () => {
    const sandbox = await createBareSandbox();
    const folder = stateFolder(sandbox);
    await mkdir(folder, { mode: 0o700 });
    const file = join(folder, "exec-approvals.json");
    const allowlist = [
      { id: "one", pattern: "/no/such/program" },
      { id: "two", pattern: "make", expiresAt: 1 },
    ];
    await writeFile(file, JSON.stringify({ version: 1, agents: { main: { allowlist } } }), {
      mode: 0o600,
    });
    const stale = await examine(sandbox);
    expect(stale.find("/no/such/program, which does not exist")).toMatchObject({
      level: "warning",
    });
    expect(stale.find("The grant two has expired")?.remedy).toBe(
      "clawtools approvals grants remove two",
    );
    await writeFile(file, "{");
    const { exitCode, find } = await examine(sandbox);
    expect(exitCode).toBe(1);
    expect(find("exec-approvals.json")).toMatchObject({ area: "grants", level: "broken" });
  });
});
