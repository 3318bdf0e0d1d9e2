// The command line from start to exit code. Only what the chosen command needs is loaded.

import { showStack, toFailure } from "./failure.js";
import { formatHelp } from "./help.js";
import { inOwnWords } from "./own-command/own-command.js";
import { type ParsedCommand, parseCommand } from "./parse-command.js";
import {
  createOutput,
  ownCommand,
  readVersion,
  terminalWidth,
  toCall,
  writeError,
} from "./surroundings.js";

/** What a plugin left running may go on for so long after the last line. */
const LINGER_MS = 1_000;
const EXIT_UNFINISHED = 70;

/** Never rejects; sets the exit code of the process. */
export async function main(): Promise<void> {
  watchOutput();
  process.on("uncaughtException", (thrown) => {
    process.exitCode = report(thrown);
    process.exit();
  });
  // Stands until the work is done, so that a promise that nobody settles is no success.
  process.exitCode = EXIT_UNFINISHED;
  process.exitCode = await runWords(process.argv.slice(2));
  await flush();
  setTimeout(() => process.exit(), LINGER_MS).unref();
}

/** The exit code. Never rejects; the end of the process is left to `main`. */
export async function runWords(words: readonly string[]): Promise<number> {
  try {
    return await runParsed(parseCommand(words));
  } catch (thrown) {
    return report(thrown);
  }
}

async function runParsed(parsed: ParsedCommand): Promise<number> {
  const output = createOutput();
  if (parsed.kind === "version") {
    output.print(readVersion());
    return 0;
  }
  if (parsed.kind === "help") {
    for (const line of formatHelp({ ...parsed, width: terminalWidth() })) output.print(line);
    return 0;
  }
  const { run } = await parsed.command.load();
  return await run(toCall(parsed.words, parsed.flags));
}

/** Says it; the exit code that belongs to it. */
function report(thrown: unknown): number {
  const { message, exitCode } = toFailure(thrown);
  writeError(inOwnWords(message, ownCommand()));
  if (process.env.CLAWTOOLS_DEBUG === "1") process.stderr.write(`${showStack(thrown)}\n`);
  return exitCode;
}

/** A reader that went away, as `head` does, is no failure. */
function watchOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") process.exitCode = report(error);
    });
  }
}

async function flush(): Promise<void> {
  if (process.stdout.writableLength === 0) return;
  await new Promise<void>((resolve) => {
    process.stdout.write("", () => resolve());
  });
}
