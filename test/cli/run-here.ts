// Runs the built command line in this process: what it prints and how it ends, without the start of
// another Node. That a process of its own ends, and how, is left to runNode.

import { join } from "node:path";
import { PassThrough } from "node:stream";
import { assertBuilt, DIST_DIR, type NodeRun, plainEnvironment } from "../fakes/run-node.js";

const MAIN = join(DIST_DIR, "cli", "main.js");

type RunWords = (words: readonly string[]) => Promise<number>;

export interface CallHere {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** All that stdin has; without it stdin is a pipe that stays open. */
  readonly input?: string;
}

/** One call at a time: environment, arguments and streams of this process are those of the call. */
export async function runHere({ args, env, input }: CallHere): Promise<NodeRun> {
  await assertBuilt();
  const { runWords }: { readonly runWords: RunWords } = await import(MAIN);
  const { argv } = process;
  const before = { ...process.env };
  const [stdout, stderr] = [catchOutput(process.stdout), catchOutput(process.stderr)];
  const giveBackInput = replaceInput(input);
  process.argv = [process.execPath, join(DIST_DIR, "cli", "bin.js"), ...args];
  setEnvironment({ ...plainEnvironment(), ...env });
  try {
    const exitCode = await runWords(args);
    return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.argv = argv;
    setEnvironment(before);
    for (const { release } of [stdout, stderr]) release();
    giveBackInput();
  }
}

function setEnvironment(wanted: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) {
    if (!(name in wanted)) delete process.env[name];
  }
  Object.assign(process.env, wanted);
}

function replaceInput(text: string | undefined): () => void {
  const real = Object.getOwnPropertyDescriptor(process, "stdin") ?? {};
  const input = new PassThrough();
  if (text !== undefined) input.end(text);
  Object.defineProperty(process, "stdin", { value: input, configurable: true });
  return () => {
    Object.defineProperty(process, "stdin", real);
  };
}

interface CaughtOutput {
  text(): string;
  release(): void;
}

function catchOutput(stream: NodeJS.WriteStream): CaughtOutput {
  const parts: string[] = [];
  const real = stream.write;
  stream.write = (part: string | Uint8Array, ...rest: unknown[]) => {
    parts.push(typeof part === "string" ? part : Buffer.from(part).toString());
    const done = rest.at(-1);
    if (typeof done === "function") process.nextTick(done);
    return true;
  };
  return {
    text: () => parts.join(""),
    release() {
      stream.write = real;
    },
  };
}
