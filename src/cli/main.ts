// The command line from start to exit code. Only the file of the chosen command is loaded.

import { toFailure } from "./failure.js";
import { formatHelp } from "./help.js";
import { inOwnWords } from "./own-command.js";
import { type ParsedCommand, parseCommand } from "./parse-command.js";
import {
  createOutput,
  ownCommand,
  readVersion,
  terminalWidth,
  toCall,
  writeError,
} from "./surroundings.js";

/** Limit for what a plugin left running after the last line. */
const LINGER_MS = 1_000;
const EXIT_UNFINISHED = 70;
/** There --json takes the arguments of the tool. */
const TAKES_JSON = /(?:^|,)tools,call(?:,|$)/;

/** Never rejects; sets the exit code of the process. */
export async function main(): Promise<void> {
  watchOutput();
  process.on("uncaughtException", (thrown) => {
    process.exitCode = report(thrown, []);
    process.exit();
  });
  // A promise that never settles must not look like success.
  process.exitCode = EXIT_UNFINISHED;
  process.exitCode = await runWords(process.argv.slice(2));
  await flush();
  setTimeout(() => process.exit(), LINGER_MS).unref();
}

export async function runWords(words: readonly string[]): Promise<number> {
  try {
    return await runParsed(await parseCommand(words));
  } catch (thrown) {
    return report(thrown, words);
  }
}

async function runParsed(parsed: ParsedCommand): Promise<number> {
  const output = createOutput();
  if (parsed.kind === "version") {
    output.print(readVersion());
    return 0;
  }
  if (parsed.kind === "help") {
    const lines = await formatHelp({ ...parsed, width: terminalWidth(), style: output.style });
    for (const line of lines) output.print(line);
    return 0;
  }
  return await parsed.command.run(toCall(parsed.words, parsed.flags));
}

function report(thrown: unknown, words: readonly string[]): number {
  const own = (text: string) => inOwnWords(text, ownCommand());
  const { message, exitCode, document } = toFailure(thrown, own);
  const isJson = words.includes("--json") && !TAKES_JSON.test(words.join());
  if (isJson) createOutput().print(JSON.stringify(document, null, 2));
  writeError(message, { mark: "error" });
  if (process.env.CLAWTOOLS_DEBUG === "1") {
    process.stderr.write(`${(thrown instanceof Error && thrown.stack) || String(thrown)}\n`);
  }
  return exitCode;
}

/** `head` closes early; that is not a failure. */
function watchOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") process.exitCode = report(error, []);
    });
  }
}

async function flush(): Promise<void> {
  if (process.stdout.writableLength === 0) return;
  await new Promise<void>((resolve) => {
    process.stdout.write("", () => resolve());
  });
}
