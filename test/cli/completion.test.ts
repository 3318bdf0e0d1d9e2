// The completion scripts: that for bash is loaded and asked by a real bash, the others as far as their
// shells are installed.

import { execFileSync, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { COMMANDS, GROUPS } from "../../src/cli/command-table.js";
import { createTempFolder } from "../plugins/temp-folder.js";
import { runCli } from "./run-cli.js";

const SHELLS = ["bash", "zsh", "fish"];
const scripts = new Map<string, string>();

beforeAll(async () => {
  for (const shell of SHELLS) {
    const run = await runCli("completion", shell);
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    scripts.set(shell, run.stdout);
  }
});

/** What a bash offers for the last word of the line. */
async function complete(...words: string[]): Promise<string[]> {
  const folder = await createTempFolder({ "notes.txt": "", "sub/.keep": "" });
  const file = join(folder, "completion.bash");
  await writeFile(file, scripts.get("bash") ?? "");
  const program = `
    source "$1"; shift
    COMP_WORDS=(clawtools "$@"); COMP_CWORD=$#
    complete -p clawtools > /dev/null || exit 9
    _clawtools
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ["--noprofile", "--norc", "-c", program, "bash", file, ...words];
  const output = execFileSync("bash", args, { cwd: folder, encoding: "utf8" });
  return output.split("\n").filter((line) => line !== "");
}

describe("completion in bash", () => {
  it("offers every group as the first word", async () => {
    expect((await complete("")).sort()).toEqual([...Object.keys(GROUPS), "help"].sort());
    expect(await complete("doc")).toEqual(["doctor"]);
  });

  it.each(Object.keys(GROUPS))("offers the commands of %s", async (group) => {
    const names = COMMANDS.filter((one) => one.group === group && one.name !== "");
    const offered = await complete(group, "");
    for (const { name } of names) expect(offered).toContain(name);
  });

  it.each(COMMANDS.map((command) => [`${command.group} ${command.name}`.trim(), command] as const))(
    "offers the flags of %s",
    async (_, { group, name, flags }) => {
      const offered = await complete(group, ...(name === "" ? [] : [name]), "--");
      for (const flag of [...Object.keys(flags), "root", "help"])
        expect(offered).toContain(`--${flag}`);
    },
  );

  it("offers tools, keys of the config, files, folders and the words that a flag takes", async () => {
    expect(await complete("tools", "explain", "apply")).toEqual(["apply_patch"]);
    expect(await complete("config", "set", "tools.exec.as")).toEqual(["tools.exec.ask"]);
    expect(await complete("config", "validate", "no")).toEqual(["notes.txt"]);
    expect(await complete("tools", "list", "--root", "")).toEqual(["sub"]);
    expect(await complete("mcp", "install", "--client", "c")).toEqual(["claude-code", "cursor"]);
    expect(await complete("configure", "--section", "")).toEqual([
      "tools",
      "web",
      "exec",
      "memory",
    ]);
  });

  it("offers what a key takes as its value, and nothing where that is any text", async () => {
    const profiles = ["minimal", "coding", "messaging", "full"];
    expect(await complete("config", "set", "tools.profile", "")).toEqual(profiles);
    expect(await complete("config", "set", "audit.enabled", "t")).toEqual(["true"]);
    expect(await complete("config", "set", "tools.web.search.provider", "")).toEqual([]);
    expect(await complete("config", "set", "tools.profile", "full", "")).toEqual([]);
  });

  it("is not led astray by flags between the words", async () => {
    expect(await complete("--root", "tools", "config", "pa")).toEqual(["path"]);
    expect(await complete("--no-color", "tools", "--provider", "openai", "co")).toEqual(["cost"]);
  });
});

describe("completion in other shells", () => {
  it.each(["zsh", "fish"])("for %s knows every command, and its shell can read it", (shell) => {
    const script = scripts.get(shell) ?? "";
    for (const { group, name } of COMMANDS) {
      expect(script).toContain(group);
      expect(script).toContain(name);
    }
    const check = spawnSync(shell, ["-n"], { input: script, encoding: "utf8" });
    // Where the shell is not installed there is nobody to ask.
    const isInstalled = check.error === undefined;
    expect(isInstalled ? { status: check.status, stderr: check.stderr } : "not installed").toEqual(
      isInstalled ? { status: 0, stderr: "" } : "not installed",
    );
  });

  it("names the shells when another one is asked for", async () => {
    expect(await runCli("completion", "tcsh")).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: "SHELL must be one of bash, zsh, fish.\n",
    });
  });
});
