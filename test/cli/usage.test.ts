// Help, version and wrong words of the command line: each answer names the next step.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS, GROUPS } from "../../src/cli/command-table.js";
import { PROJECT_DIR } from "../fakes/run-node.js";
import { linesTooLong, runCli, runCliHere } from "./run-cli.js";

const { version } = JSON.parse(readFileSync(join(PROJECT_DIR, "package.json"), "utf8"));

/** The others are commands of one word. */
const GROUPS_OF_SEVERAL = Object.keys(GROUPS).filter((group) =>
  COMMANDS.every((command) => command.group !== group || command.name !== ""),
);

describe("version and help", () => {
  it.each([["--version"], ["-V"]])("%s prints the version of the package", async (flag) => {
    expect(await runCli(flag)).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
  });

  it.each([[[]], [["--help"]], [["-h"]], [["help"]]])(
    "%j lists every command within 80 columns",
    async (args) => {
      const { exitCode, stdout, stderr } = await runCli(...args);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      for (const { group, name } of COMMANDS) expect(stdout).toContain(`  ${group} ${name}`);
      expect(linesTooLong(stdout)).toEqual([]);
    },
  );

  it.each(GROUPS_OF_SEVERAL)("%s --help lists its commands alone", async (group) => {
    const { exitCode, stdout } = await runCliHere(group, "--help");
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`Usage: clawtools ${group} <command> [flags]`);
    for (const command of COMMANDS.filter(({ name }) => name !== "")) {
      const isListed = new RegExp(`^ {2}${command.name}\\b`, "m").test(stdout);
      const hasTwin = COMMANDS.some(({ group: of, name }) => of === group && name === command.name);
      expect(isListed, command.name).toBe(hasTwin);
    }
  });

  it("a command with others below it names them", async () => {
    const { stdout } = await runCliHere("mcp", "--help");
    expect(stdout).toContain("Further commands:\n  mcp install  ");
  });

  it.each(COMMANDS.map((command) => [`${command.group} ${command.name}`, command] as const))(
    "%s --help shows its flags within 80 columns, also when something is missing",
    async (_, { group, name, flags }) => {
      const { exitCode, stdout, stderr } = await runCliHere(group, name, "--help");
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout).toContain(`Usage: clawtools ${group} ${name}`);
      for (const flag of [...Object.keys(flags), "config", "root", "state-dir"]) {
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
    [["tols"], '"tols" is no command; did you mean `clawtools tools`? See `clawtools --help`.'],
    [
      ["explain", "exec"],
      '"explain" is no command; did you mean `clawtools tools explain`? See `clawtools --help`.',
    ],
    [["zzzzzz"], '"zzzzzz" is no command. See `clawtools --help`.'],
    [
      ["tools", "lst"],
      '"lst" is no command of tools; did you mean `clawtools tools list`? See `clawtools tools --help`.',
    ],
    [
      ["browser", "snap"],
      '"snap" is no command of browser; did you mean `clawtools browser snapshot`? See `clawtools browser --help`.',
    ],
    [
      ["browser", "click", "e2"],
      '"click" is no command of browser; did you mean `clawtools browser act click`? See `clawtools browser --help`.',
    ],
    [
      ["browser", "goto", "http://x.example/"],
      '"goto" is no command of browser; did you mean `clawtools browser navigate`? See `clawtools browser --help`.',
    ],
    [
      ["browser", "act", "hover", "e2", "extra"],
      '"extra" is one word too many for hover. See `clawtools browser act --help`.',
    ],
    [
      ["tools", "list", "--provder", "x"],
      '"--provder" is no flag of this command; did you mean --provider? See `clawtools tools list --help`.',
    ],
    [
      ["--vesion"],
      '"--vesion" is no flag of this command; did you mean --version? See `clawtools --help`.',
    ],
    [
      ["tools", "-x", "list"],
      '"-x" is no flag of this command. See `clawtools tools list --help`.',
    ],
    [["tools", "list", "--agent"], "--agent needs a value, ID. See `clawtools tools list --help`."],
    [
      ["tools", "list", "--agent", "--json"],
      "--agent needs a value, ID. See `clawtools tools list --help`.",
    ],
    [
      ["config", "get", "--config="],
      "--config needs a value, FILE. See `clawtools config get --help`.",
    ],
    [["tools", "list", "--json=1"], "--json takes no value. See `clawtools tools list --help`."],
    [["tools", "list", "read"], '"read" is one word too many. See `clawtools tools list --help`.'],
    [["tools", "call"], "NAME is missing. See `clawtools tools call --help`."],
    [
      ["tools", "call", "read", "a.txt"],
      '"a.txt" is one word too many; write `clawtools tools call read --json \'{"path": "a.txt"}\'`. See `clawtools tools call --help`.',
    ],
    [
      ["tools", "call", "exec", "ls"],
      '"ls" is one word too many; write `clawtools tools call exec --json \'{"command": "ls"}\'`. See `clawtools tools call --help`.',
    ],
    [
      ["tools", "call", "read", "--path", "a.txt"],
      '"--path" is no flag of this command; write `clawtools tools call read --json \'{"path": "..."}\'`. See `clawtools tools call --help`.',
    ],
    [
      ["tools", "call", "web_fetch", "--url", "https://a.example"],
      '"--url" is no flag of this command; write `clawtools tools call web_fetch --json \'{"url": "..."}\'`. See `clawtools tools call --help`.',
    ],
    [
      ["tools", "call", "read", "--jsn", "{}"],
      '"--jsn" is no flag of this command; did you mean --json? See `clawtools tools call --help`.',
    ],
    [
      ["tools", "schema"],
      "--provider is missing: anthropic, google, openai. See `clawtools tools schema --help`.",
    ],
    [
      ["tools", "cost"],
      "--provider is missing: anthropic, google, openai. See `clawtools tools cost --help`.",
    ],
    [
      ["tools", "list", "--\u001b[31m"],
      '"--\\u{001B}[31m" is no flag of this command. See `clawtools tools list --help`.',
    ],
  ];

  it.each(ROWS)("%j is a usage error of one sentence and its next step", async (args, message) => {
    expect(await runCliHere(...args)).toEqual({ exitCode: 2, stdout: "", stderr: `${message}\n` });
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
