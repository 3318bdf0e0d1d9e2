// README.md: its programs and commands really print what stands below them, and its table says which
// tools run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClawtools, createNodeBridge } from "clawtools";
import { describe, expect, it } from "vitest";
import { createSandbox } from "../cli/run-cli.js";
import { PROJECT_DIR, runNode } from "../fakes/run-node.js";

const PAGE = readFileSync(join(PROJECT_DIR, "README.md"), "utf8");
const PROGRAMS = [...PAGE.matchAll(/```js\n(import [\s\S]*?)```\n\n```\n([\s\S]*?)```/g)].map(
  ([, program = "", output = ""]) => ({ program, output }),
);
const COMMANDS = [...PAGE.matchAll(/```console\n\$ clawtools (.+)\n([\s\S]*?)```/g)].map(
  ([, command = "", output = ""]) => ({ command, output }),
);
const CONFIG = /with `(\{.+?\})` in `~\/\.clawtools\/clawtools\.json`/.exec(PAGE)?.[1] ?? "";
const HOME = "/home/ada";
const PROJECT = "/home/ada/project";

/** A path of another length is broken at another place. */
const flatten = (text: string) => text.replace(/\s+/g, " ");

describe("README.md", () => {
  it("begins with the two commands that give a first result", () => {
    const [first = ""] = PAGE.match(/```\w*\n[\s\S]*?```/) ?? [];
    expect(first.match(/^(?:npm install|clawtools tools call)/gm)).toHaveLength(2);
  });

  it("links only to files that are in the tarball", () => {
    const links = [...PAGE.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !/^docs\/.+\.md$/.test(link))).toEqual([]);
  });

  it("has programs and commands", () => {
    expect(PROGRAMS).toHaveLength(4);
    expect(PROGRAMS.length + COMMANDS.length + 1).toBe(PAGE.match(/```(?:js|console)\n/g)?.length);
    expect(COMMANDS).toHaveLength(3);
  });

  it.each(PROGRAMS)("shows the real output of $program", async ({ program, output }) => {
    const run = await runNode(["--input-type=module", "--eval", program]);
    expect(run).toEqual({ exitCode: 0, stderr: "", stdout: output });
  });

  it.each(COMMANDS)("shows the real output of clawtools $command", async ({ command, output }) => {
    const license = readFileSync(join(PROJECT_DIR, "LICENSE"), "utf8");
    const { run, folder } = await createSandbox({ config: CONFIG, files: { LICENSE: license } });
    const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? word ?? "",
    );
    const { stdout, stderr } = await run(...words);
    expect(stderr).toBe("");
    const shown = stdout.replaceAll(join(folder, "root"), PROJECT).replaceAll(folder, HOME);
    expect(flatten(shown)).toBe(flatten(output));
  });

  it("says of every tool whether it runs or what it waits for", () => {
    const { tools } = createClawtools({ catalog: "all" });
    const ctx = { workspaceDir: PROJECT_DIR, bridge: createNodeBridge(PROJECT_DIR) };
    const states = new Map<string, string[]>();
    for (const { id, code, reason } of tools.explain(ctx)) {
      const waits = code === "not_built" ? reason.replace(/^.*?waits/, "waits") : "runs";
      const state = reason.includes("needs an agent or a gateway")
        ? "runs with an agent or a gateway"
        : waits;
      states.set(state, [...(states.get(state) ?? []), `\`${id}\``]);
    }
    const expected = [...states].map(([state, names]) =>
      state === "runs" ? "| runs | all others |" : `| ${state} | ${names.join(", ")} |`,
    );
    const shown = PAGE.split("\n").filter((line) => /^\| (?:runs|waits) /.test(line));
    expect(shown, expected.join("\n")).toEqual(expected);
  });
});
