// Programs that only print or compare what they are given.

import { type ProgramProfile, toReads, unknownArguments } from "./profile.js";
import { readOptions } from "./read-options.js";
import { ZONED_DATE } from "./table.js";

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
  optional: "I",
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
    if (options.some(({ value = "" }) => ZONED_DATE.test(value))) {
      return unknownArguments("a time zone in a date may name a file");
    }
    const files = options.filter(({ name }) => name === "r" || name === "reference");
    return { ok: true, paths: toReads(files.map(({ value = "" }) => value)) };
  },
};

/** In one of the two styles; where one fails the other is tried, in which `e` shows environments. */
const PS_STYLES = [/^-[AaefFljw]+$/, /^-?[auxwl]+$/] as const;

const ps: ProgramProfile = {
  names: ["ps"],
  read(args) {
    const isKnown = PS_STYLES.some((style) => args.every((word) => style.test(word)));
    if (isKnown) return { ok: true, paths: [] };
    return unknownArguments("these options may show the environment of other programs");
  },
};

/**
 * What runs code answers questions about itself; the code itself needs an entry that names it. The
 * package managers are not here: files of the workspace tell them what to start, whatever is asked.
 */
const RUNTIMES: readonly ProgramProfile[] = [
  toRuntime("node nodejs bun", "--version -v --help -h"),
  toRuntime("deno", "--version -V --help -h"),
  // Its -v begins to read a program.
  toRuntime("python", "--version -V --help -h"),
  toRuntime("perl ruby php", "--version -v --help -h"),
  toRuntime("lua", "-v"),
];

function toRuntime(names: string, questions: string): ProgramProfile {
  const known = questions.split(" ");
  return {
    names: names.split(" "),
    read(args) {
      const [only, ...more] = args;
      const asks = only !== undefined && more.length === 0 && known.includes(only);
      if (asks) return { ok: true, paths: [] };
      return unknownArguments(
        "it runs code, so the entry has to name the arguments with argPattern",
      );
    },
  };
}

export const WORD_PROFILES: readonly ProgramProfile[] = [echo, test, date, ps, ...RUNTIMES];
