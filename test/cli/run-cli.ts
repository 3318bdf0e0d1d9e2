// Runs the built command line with a home, a config and a root of its own: in a fresh process, or in
// this one where nothing is asked of the process.

import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { DIST_DIR, type NodeRun, PROJECT_DIR, runNode } from "../fakes/run-node.js";
import { createTempFolder } from "../plugins/temp-folder.js";
import { runHere } from "./run-here.js";

export const BIN = join(DIST_DIR, "cli", "bin.js");
const MAX_COLUMNS = 80;
/** A folder in which a shell finds `clawtools`, as it does where the package is installed. It stays. */
const BIN_FOLDER = join(PROJECT_DIR, ".cache", "test-bin");
mkdirSync(BIN_FOLDER, { recursive: true });
writeFileSync(join(BIN_FOLDER, "clawtools"), "", { mode: 0o755 });

/** Of the program as it is called where it is installed. */
export const INSTALLED_PATH = [BIN_FOLDER, process.env.PATH ?? ""].join(delimiter);
const PLAIN_ENV = { PATH: INSTALLED_PATH, CLAWTOOLS_CONFIG_PATH: "", CLAWTOOLS_STATE_DIR: "" };
/** What is printed for `clawtools` where it is not. */
export const OWN_COMMAND = `${process.execPath} ${BIN}`;

export interface Sandbox {
  /** Home, config and root lie in here. */
  readonly folder: string;
  readonly root: string;
  readonly configFile: string;
  readonly env: Readonly<Record<string, string>>;
  /** With `--root` set to the root; one in `args` wins. */
  run(...args: string[]): Promise<NodeRun>;
  /** The same in this process, one call at a time. Each command has a test that calls `run`. */
  runHere(...args: string[]): Promise<NodeRun>;
  runWithInput(input: string, args: readonly string[]): Promise<NodeRun>;
  runHereWithInput(input: string, args: readonly string[]): Promise<NodeRun>;
}

export interface SandboxFiles {
  /** The text of `~/.clawtools/clawtools.json`; without it there is none. */
  readonly config?: string | Record<string, unknown>;
  /** Relative to the root. */
  readonly files?: Record<string, string>;
}

/** Removed when the test ends. */
export async function createSandbox({ config, files = {} }: SandboxFiles = {}): Promise<Sandbox> {
  const text = typeof config === "object" ? JSON.stringify(config) : config;
  const inRoot = Object.entries(files).map(([name, content]) => [join("root", name), content]);
  const folder = await createTempFolder({
    "root/.keep": "",
    ...Object.fromEntries(inRoot),
    ...(text === undefined ? {} : { ".clawtools/clawtools.json": text }),
  });
  return sandboxIn(folder);
}

/** The same in a folder that has `root` in it; whoever made it removes it. */
export function sandboxIn(folder: string): Sandbox {
  const root = join(folder, "root");
  const env = {
    HOME: folder,
    PATH: INSTALLED_PATH,
    CLAWTOOLS_CONFIG_PATH: "",
    CLAWTOOLS_STATE_DIR: "",
  };
  return {
    folder,
    root,
    env,
    configFile: join(folder, ".clawtools", "clawtools.json"),
    run: (...args) => runNode([BIN, ...withRoot(args, root)], env),
    runHere: (...args) => runHere({ args: withRoot(args, root), env }),
    runWithInput: (input, args) => runWithInput({ input, env, args: withRoot(args, root) }),
    runHereWithInput: (input, args) => runHere({ input, env, args: withRoot(args, root) }),
  };
}

function withRoot(args: readonly string[], root: string): string[] {
  return args.includes("--root") ? [...args] : ["--root", root, ...args];
}

/** The command line as `npm` users call it, without a sandbox root. */
export async function runCli(...args: string[]): Promise<NodeRun> {
  return await runNode([BIN, ...args], PLAIN_ENV);
}

/** The same in this process. */
export async function runCliHere(...args: string[]): Promise<NodeRun> {
  return await runHere({ args, env: PLAIN_ENV });
}

export function linesTooLong(text: string): string[] {
  const shown = stripVTControlCharacters(text);
  return shown.split("\n").filter((line) => [...line].length > MAX_COLUMNS);
}

async function runWithInput(request: {
  readonly input: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}): Promise<NodeRun> {
  const child = spawn(process.execPath, [BIN, ...request.args], {
    env: { ...process.env, ...request.env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.end(request.input);
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ exitCode: code ?? -1, stdout, stderr }));
  });
}
