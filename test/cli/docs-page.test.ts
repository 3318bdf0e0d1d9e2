// The command-line pages show real output, every command and every flag.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GLOBAL_FLAGS, readFlagTable } from "../../src/cli/flags.js";
import { PROJECT_DIR } from "../fakes/run-node.js";
import { COMMANDS } from "./list-commands.js";
import { createSandbox } from "./run-cli.js";

const PAGE = ["cli.md", "cli-guide.md", "cli-config.md"]
  .map((name) => readFileSync(join(PROJECT_DIR, "docs", name), "utf8"))
  .join("\n");
const CONFIG = /```json5\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? "";
const SAMPLES = [...PAGE.matchAll(/```console\n\$ clawtools (.+)\n([\s\S]*?)```/g)].map(
  ([, command = "", output = ""]) => [command, output] as const,
);
const HOME = "/home/ada";

/** The words of a line of shell, where only single quotes hold words together. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

/** A path of another length is broken at another place. */
function flatten(text: string): string {
  return text.replace(/\s+/g, " ");
}

describe("the command-line pages", () => {
  it("has samples", () => {
    expect(SAMPLES.length).toBeGreaterThan(4);
  });

  it.each(SAMPLES)("shows the real output of clawtools %s", async (command, output) => {
    const { runHere, folder } = await createSandbox({
      config: CONFIG,
      files: { "notes.txt": "buy milk\ncall Bob\n" },
    });
    const { stdout, stderr } = await runHere(...splitWords(command));
    expect(stderr).toBe("");
    const shown = stdout.replaceAll(folder, HOME);
    if (stdout === shown) expect(shown).toBe(output);
    else expect(flatten(shown)).toBe(flatten(output));
  });

  it("names every command and the flags of all", () => {
    const rows = PAGE.split("\n").filter((line) => line.startsWith("| `clawtools "));
    const named = rows.map((line) => /^\| `clawtools ([a-z ]*[a-z])/.exec(line)?.[1]);
    expect(named).toEqual(COMMANDS.map(({ path }) => path));
    for (const { name } of readFlagTable(GLOBAL_FLAGS)) expect(PAGE).toContain(`--${name}`);
  });
});
