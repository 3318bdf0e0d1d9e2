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
    report(thrown);
    process.exit();
  });
  // Stands until the work is done, so that a promise that nobody settles is no success.
  process.exitCode = EXIT_UNFINISHED;
  try {
    process.exitCode = await runParsed(parseCommand(process.argv.slice(2)));
  } catch (thrown) {
    report(thrown);
  }
  await flush();
  setTimeout(() => process.exit(), LINGER_MS).unref();
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

function report(thrown: unknown): void {
  const { message, exitCode } = toFailure(thrown);
  process.exitCode = exitCode;
  writeError(inOwnWords(message, ownCommand()));
  if (process.env.CLAWTOOLS_DEBUG === "1") process.stderr.write(`${showStack(thrown)}\n`);
}

/** A reader that went away, as `head` does, is no failure. */
function watchOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") report(error);
    });
  }
}

async function flush(): Promise<void> {
  if (process.stdout.writableLength === 0) return;
  await new Promise<void>((resolve) => {
    process.stdout.write("", () => resolve());
  });
}
