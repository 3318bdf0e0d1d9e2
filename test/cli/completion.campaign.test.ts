// The completion scripts, loaded and asked by real shells; bash is always there, zsh and fish where
// they are installed.

import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sampleRows } from "../fakes/campaign.js";
import { runNode } from "../fakes/run-node.js";
import { createTempFolder } from "../plugins/temp-folder.js";
import { COMMANDS, GROUP_NAMES } from "./list-commands.js";
import { BIN, runCliHere } from "./run-cli.js";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

const scripts = new Map<Shell, string>();

beforeAll(async () => {
  for (const shell of SHELLS) {
    // Where no `clawtools` is installed, the script calls this build by its path.
    const run = await runNode([BIN, "completion", shell]);
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    scripts.set(shell, run.stdout);
  }
});

/** Each defines `ask`, which prints what is offered for the last of its words. */
const ASKING = {
  bash: `
    complete -p clawtools > /dev/null || exit 9
    ask() {
      COMP_WORDS=(clawtools "$@"); COMP_CWORD=$#
      _clawtools
      printf '%s\\n' "\${COMPREPLY[@]}"
    }`,
  // What the editor of zsh does with the words is left to it; here they are only written down.
  zsh: `
    [[ "$_comps[clawtools]" == _clawtools ]] || exit 9
    compadd() {
      local -a all
      if [[ "$1" == -a ]]; then all=("\${(@P)2}"); else all=("\${@:2}"); fi
      print -rl -- "\${(@M)all:#$words[CURRENT]*}"
    }
    _files() {
      if [[ "$1" == -/ ]]; then print -rl -- $words[CURRENT]*(N/)
      else print -rl -- $words[CURRENT]*(N); fi
    }
    ask() { words=(clawtools "$@"); CURRENT=$#words; _clawtools }`,
  fish: `
    function ask
      complete -C "clawtools "(string join ' ' -- $argv) | string replace -r '\\t.*' '' | string trim -r -c /
    end`,
} as const satisfies Record<Shell, string>;

const SET_UP = {
  bash: "",
  zsh: 'autoload -Uz compinit; compinit -u -d "$HOME/dump"',
  fish: "",
} as const satisfies Record<Shell, string>;

const FLAGS = {
  bash: ["--noprofile", "--norc"],
  zsh: ["-f"],
  fish: ["--no-config"],
} as const satisfies Record<Shell, readonly string[]>;

const LINE_END = "-- end of a line --";

/** On Linux the set-up brings all of them. */
const isTried = (shell: Shell) =>
  process.platform === "linux" || spawnSync(shell, ["--version"]).error === undefined;

interface Home {
  readonly folder: string;
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
}

async function createHome(shell: Shell): Promise<Home> {
  const folder = await createTempFolder({ "work/notes.txt": "", "work/sub/.keep": "" });
  const file = join(folder, `completion.${shell}`);
  await writeFile(file, scripts.get(shell) ?? "");
  const env = { ...process.env, HOME: folder, ZDOTDIR: folder, XDG_CONFIG_HOME: folder };
  return { folder, file, env };
}

type Line = readonly string[];

/** What one shell offers for the last word of each line, in the order of the alphabet. */
async function complete(shell: Shell, lines: readonly Line[]): Promise<string[][]> {
  const { folder, file, env } = await createHome(shell);
  const calls = lines.map((words) => {
    const quoted = words.map((word) => `'${word}'`).join(" ");
    return `ask ${quoted}\necho '${LINE_END}'`;
  });
  const program = [SET_UP[shell], `source '${file}'`, ASKING[shell], ...calls, "exit 0"];
  const run = spawnSync(shell, [...FLAGS[shell], "-c", program.join("\n")], {
    cwd: join(folder, "work"),
    env,
    encoding: "utf8",
  });
  expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: "" });
  const parts = run.stdout.split(`${LINE_END}\n`).slice(0, lines.length);
  return parts.map((part) =>
    part
      .split("\n")
      .filter((line) => line !== "")
      .sort(),
  );
}

type Offers = ReadonlyArray<readonly [Line, readonly string[]]>;

const FIRST_WORDS: Offers = [
  [[""], [...GROUP_NAMES, "help"]],
  [["doc"], ["doctor"]],
  [["help", "doc"], ["doctor"]],
];
const OPERANDS: Offers = [
  [["tools", "explain", "apply"], ["apply_patch"]],
  [["config", "set", "tools.exec.as"], ["tools.exec.ask"]],
  [["config", "validate", "no"], ["notes.txt"]],
  [["tools", "list", "--config", "no"], ["notes.txt"]],
  [["tools", "list", "--root", ""], ["sub"]],
  [
    ["mcp", "install", "--client", "c"],
    ["claude-code", "cursor"],
  ],
  [
    ["configure", "--section", ""],
    ["tools", "web", "exec", "memory"],
  ],
];
const VALUES: Offers = [
  [
    ["config", "set", "tools.profile", ""],
    ["minimal", "coding", "messaging", "full"],
  ],
  [["config", "set", "audit.enabled", "t"], ["true"]],
  [["config", "set", "tools.web.search.provider", ""], []],
  [["config", "set", "tools.profile", "full", ""], []],
];
const BETWEEN_FLAGS: Offers = [
  [["--root", "tools", "config", "pa"], ["path"]],
  [["--no-color", "tools", "--provider", "openai", "co"], ["cost"]],
];

const SETS: readonly Offers[] = [FIRST_WORDS, OPERANDS, VALUES, BETWEEN_FLAGS];
/** Bash is asked for many. The others pass the words in another way, which one line of a set shows. */
const offersFor = (shell: Shell, set: Offers) =>
  shell === "bash" ? sampleRows(set, 3) : set.slice(0, 1);

/** What the scripts ask for. */
async function offer(...words: string[]): Promise<string[]> {
  const { stdout } = await runCliHere("completion", "offer", "--", ...words);
  return stdout.split("\n").filter((line) => line !== "");
}

describe("clawtools completion offer", () => {
  it("offers the commands of every group", async () => {
    for (const { group, name } of COMMANDS) {
      if (name !== "") expect(await offer(group, ""), group).toContain(name);
    }
  });

  it("offers the flags of every command", async () => {
    for (const { path, flags } of COMMANDS) {
      const wanted = [...flags, "root", "help"].map((flag) => `--${flag}`);
      expect(await offer(...path.split(" "), "--"), path).toEqual(expect.arrayContaining(wanted));
    }
  });
});

describe.each(SHELLS)("completion in %s", (shell) => {
  // Only what has to be asked of the shell itself is left out where it is missing, and never for bash.
  const inShell = it.runIf(shell === "bash" || isTried(shell));
  // All lines at once, so that each shell starts once.
  const lines = SETS.flatMap((set) => offersFor(shell, set)).map(([line]) => line);
  let asked: Promise<string[][]> | undefined;
  const offersOf = async (line: Line): Promise<string[] | undefined> => {
    asked ??= complete(shell, lines);
    return (await asked)[lines.indexOf(line)];
  };
  const expectOffers = async (rows: Offers) => {
    for (const [line, wanted] of offersFor(shell, rows)) {
      expect({ line, offered: await offersOf(line) }).toEqual({
        line,
        offered: [...wanted].sort(),
      });
    }
  };

  inShell("offers every group as the first word", () => expectOffers(FIRST_WORDS));

  inShell("offers tools, keys of the config, files, folders and words of a flag", () =>
    expectOffers(OPERANDS),
  );

  inShell("offers what a key takes as its value, and nothing where that is any text", () =>
    expectOffers(VALUES),
  );

  inShell("is not led astray by flags between the words", () => expectOffers(BETWEEN_FLAGS));
});

describe("completion in zsh without compinit", () => {
  it.runIf(isTried("zsh"))("sets completion up by itself", async () => {
    const { folder, file, env } = await createHome("zsh");
    const program = 'source "$1"; print -r -- "$_comps[clawtools]"';
    const output = execFileSync("zsh", ["-f", "-c", program, "zsh", file], { env });
    expect(output.toString()).toBe("_clawtools\n");
    expect(readdirSync(folder)).toContain(".zcompdump");
  });

  it.runIf(isTried("zsh"))("works as a file in fpath, from the first time on", async () => {
    const { folder, env } = await createHome("zsh");
    await writeFile(join(folder, "_clawtools"), scripts.get("zsh") ?? "");
    const program = `
      fpath=("$1" $fpath); autoload -Uz compinit; compinit -u -d "$HOME/dump"
      words=(clawtools config pa); CURRENT=3
      compadd() { print -r -- "\${(@P)2}"; }
      _clawtools`;
    const output = execFileSync("zsh", ["-f", "-c", program, "zsh", folder], { env });
    expect(output.toString()).toContain("path");
  });
});
