// Help, version and wrong words of the command line: each answer names the next step.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT_DIR, runNode } from "../fakes/run-node.js";
import { COMMANDS, GROUP_NAMES } from "./list-commands.js";
import { BIN, createSandbox, linesTooLong, runCli, runCliHere } from "./run-cli.js";

const { version } = JSON.parse(readFileSync(join(PROJECT_DIR, "package.json"), "utf8"));

/** The others are commands of one word. */
const GROUPS_OF_SEVERAL = GROUP_NAMES.filter((group) =>
  COMMANDS.every((command) => command.group !== group || command.name !== ""),
);

describe("version and help", () => {
  it.each([["--version"], ["-V"]])("%s prints the version of the package", async (flag) => {
    expect(await runCli(flag)).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
  });

  it.each([[[]], [["--help"]], [["-h"]], [["help"]]])(
    "%j lists every group in at most 50 lines of 80 columns",
    async (args) => {
      const { exitCode, stdout, stderr } = await runCli(...args);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      for (const group of GROUP_NAMES) expect(stdout).toMatch(new RegExp(`^ {2}${group} `, "m"));
      expect(stdout.split("\n").length).toBeLessThan(50);
      expect(linesTooLong(stdout)).toEqual([]);
    },
  );

  it.each(GROUPS_OF_SEVERAL)("%s --help lists its commands alone", async (group) => {
    const { exitCode, stdout } = await runCliHere(group, "--help");
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`Usage: clawtools ${group} <command> [flags]`);
    for (const command of COMMANDS.filter(({ name }) => name !== "")) {
      const isListed = stdout.includes(`  ${command.path} `);
      expect(isListed, command.path).toBe(command.group === group);
    }
  });

  it("a command with others below it names them", async () => {
    const { stdout } = await runCliHere("mcp", "--help");
    expect(stdout).toContain("More commands:\n  mcp install  ");
  });

  it.each(COMMANDS.map((command) => [command.path, command] as const))(
    "%s --help shows its flags within 80 columns, also when something is missing",
    async (path, { flags }) => {
      const { exitCode, stdout, stderr } = await runCliHere(...path.split(" "), "--help");
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout).toContain(`Usage: clawtools ${path}`);
      for (const flag of [...flags, "config", "root", "state-dir"]) {
        expect(stdout).toContain(`--${flag}`);
      }
      expect(linesTooLong(stdout)).toEqual([]);
      // A heading with nothing below it.
      expect(stdout).not.toMatch(/:\n(\n|$)/);
    },
  );
});

describe("wrong words", () => {
  const ROWS: [args: string[], message: string][] = [
    [["tols"], 'Unknown command "tols". Did you mean `clawtools tools`? See `clawtools --help`.'],
    [
      ["explain", "exec"],
      'Unknown command "explain". Did you mean `clawtools tools explain`? See `clawtools --help`.',
    ],
    [["zzzzzz"], 'Unknown command "zzzzzz". See `clawtools --help`.'],
    [
      ["tools", "lst"],
      'Unknown command "tools lst". Did you mean `clawtools tools list`? See `clawtools tools --help`.',
    ],
    [
      ["browser", "snap"],
      'Unknown command "browser snap". Did you mean `clawtools browser snapshot`? See `clawtools browser --help`.',
    ],
    [
      ["browser", "click", "e2"],
      'Unknown command "browser click". Did you mean `clawtools browser act click`? See `clawtools browser --help`.',
    ],
    [
      ["browser", "goto", "http://x.example/"],
      'Unknown command "browser goto". Did you mean `clawtools browser navigate`? See `clawtools browser --help`.',
    ],
    [
      ["mcp", "instal"],
      'Unknown command "mcp instal". Did you mean `clawtools mcp install`? See `clawtools mcp --help`.',
    ],
    [
      ["browser", "act", "hover", "e2", "extra"],
      'Unexpected argument "extra" for hover. See `clawtools browser act --help`.',
    ],
    [
      ["tools", "list", "--provder", "x"],
      'Unknown flag "--provder". Did you mean --provider? See `clawtools tools list --help`.',
    ],
    [["--vesion"], 'Unknown flag "--vesion". Did you mean --version? See `clawtools --help`.'],
    [["tools", "-x", "list"], 'Unknown flag "-x". See `clawtools tools list --help`.'],
    [["tools", "list", "--agent"], "--agent needs a value: ID. See `clawtools tools list --help`."],
    [
      ["tools", "list", "--agent", "--json"],
      "--agent needs a value: ID. See `clawtools tools list --help`.",
    ],
    [
      ["config", "get", "--config="],
      "--config needs a value: FILE. See `clawtools config get --help`.",
    ],
    [
      ["tools", "list", "--json=1"],
      "--json does not take a value. See `clawtools tools list --help`.",
    ],
    [
      ["tools", "list", "--subagent", "lead"],
      "--subagent must be one of leaf, orchestrator. Did you mean leaf? See `clawtools tools list --help`.",
    ],
    [["tools", "list", "read"], 'Unexpected argument "read". See `clawtools tools list --help`.'],
    [["tools", "call"], "Missing TOOL. See `clawtools tools call --help`."],
    [
      ["tools", "call", "read", "a.txt"],
      'Unexpected argument "a.txt". Example: `clawtools tools call read --json \'{"path": "README.md"}\'`. See `clawtools tools call --help`.',
    ],
    [
      ["tools", "call", "read", "--path", "a.txt"],
      'Unknown flag "--path". Example: `clawtools tools call read --json \'{"path": "README.md"}\'`. See `clawtools tools call --help`.',
    ],
    [
      ["tools", "call", "read", "--jsn", "{}"],
      'Unknown flag "--jsn". Did you mean --json? See `clawtools tools call --help`.',
    ],
    [["tools", "schema"], "Missing --provider NAME. See `clawtools tools schema --help`."],
    [
      ["completion", "tcsh"],
      '"tcsh" must be one of bash, zsh, fish, offer. See `clawtools completion --help`.',
    ],
    [
      ["tools", "list", "--\u001b[31m"],
      'Unknown flag "--\\u{001B}[31m". See `clawtools tools list --help`.',
    ],
  ];

  it.each(ROWS)("%j is a usage error of one sentence and its next step", async (args, message) => {
    const { exitCode, stderr } = await runCliHere(...args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: `${message}\n` });
  });

  it("with --json every failure is a document on stdout too", async () => {
    const { exitCode, stdout } = await runCliHere("tools", "lst", "--json");
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ status: "error", code: "invalid_input" });
    const absent = await runCliHere("config", "get", "tools.nothing", "--json");
    expect(absent.exitCode).toBe(5);
    expect(JSON.parse(absent.stdout)).toMatchObject({
      code: "not_found",
      reason: "config_not_set",
    });
  });

  it("colours only where they are wanted", async () => {
    const sandbox = await createSandbox();
    const colour = String.fromCharCode(27);
    expect((await sandbox.runHere("--help")).stdout).not.toContain(colour);
    const forced = { ...sandbox.env, FORCE_COLOR: "1" };
    const run = (args: string[], env: Record<string, string>) => runNode([BIN, ...args], env);
    expect((await run(["--help"], forced)).stdout).toContain(colour);
    expect((await run(["--help", "--no-color"], forced)).stdout).not.toContain(colour);
    expect((await run(["--help"], { ...forced, NO_COLOR: "1" })).stdout).not.toContain(colour);
  });

  it("takes flags before, between and behind the words of a command", async () => {
    const { exitCode, stdout } = await runCliHere(
      "--no-color",
      "tools",
      "--provider",
      "google",
      "cost",
      "--json",
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ provider: "google" });
  });
});
