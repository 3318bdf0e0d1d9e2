// Programs that only print or compare what they are given.

import { type ProgramProfile, toReads, unknownArguments } from "./profile.js";
import { readOptions } from "./read-options.js";

/** Neither takes options that do more than print. */
const echo: ProgramProfile = { names: ["echo", "printf"], read: () => ({ ok: true, paths: [] }) };

/** Every word may name a file whose presence is asked; a text that is none lies where it is asked. */
const test: ProgramProfile = {
  names: ["test", "["],
  read: (args) => ({
    ok: true,
    paths: toReads(args.filter((word) => !/^(?:-.*|[!()\]]|[!=]?=|)$/.test(word))),
  }),
};

const DATE_OPTIONS = {
  flags: "uR",
  values: "dr",
  long: "utc universal rfc-email",
  longValues: "date rfc-3339 reference",
  longOptional: "iso-8601",
} as const;

/** An operand without `+` would set the clock. */
const date: ProgramProfile = {
  names: ["date"],
  read(args) {
    const reading = readOptions(args, DATE_OPTIONS);
    if (!reading.ok) return reading;
    const { options, operands } = reading;
    if (operands.some((word) => !word.startsWith("+"))) {
      return unknownArguments("an operand without + sets the clock");
    }
    const files = options.filter(({ name }) => name === "r" || name === "reference");
    return { ok: true, paths: toReads(files.map(({ value = "" }) => value)) };
  },
};

const RUNTIME_QUESTIONS = new Set(["--version", "-v", "-V", "--help", "-h"]);

/** What runs code answers questions about itself; the code itself needs an entry that names it. */
const runtimes: ProgramProfile = {
  names: [
    "node",
    "nodejs",
    "deno",
    "bun",
    "python",
    "perl",
    "ruby",
    "php",
    "lua",
    "npm",
    "npx",
    "pnpm",
    "yarn",
    "npm-cli.js",
    "npx-cli.js",
  ],
  read(args) {
    const [only, ...more] = args;
    const asks = only !== undefined && more.length === 0 && RUNTIME_QUESTIONS.has(only);
    if (asks) return { ok: true, paths: [] };
    return unknownArguments("it runs code, so the entry has to name the arguments with argPattern");
  },
};

export const WORD_PROFILES: readonly ProgramProfile[] = [echo, test, date, runtimes];
