// The options of `undo` and `diff` as plain JavaScript may give them.

import type { DiffOptions, UndoOptions } from "../../core/index.js";
import { nearestName } from "../../lib/nearest-name.js";
import { wrongOptions } from "./refusals.js";

/** What an option may be, in words. */
const EXPECTED = {
  force: "true or false",
  maxChars: "a whole number from 1 on",
  signal: "an AbortSignal",
} as const;

type OptionName = keyof typeof EXPECTED;

const IS_RIGHT: Readonly<Record<OptionName, (value: unknown) => boolean>> = {
  force: (value) => typeof value === "boolean",
  maxChars: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  signal: (value) =>
    typeof value === "object" &&
    value !== null &&
    typeof Reflect.get(value, "aborted") === "boolean",
};

/** Throws a ToolInputError that names the option. */
export function readUndoOptions(given: unknown): UndoOptions {
  assertOptions(given, { member: "undo", known: ["force", "signal"] });
  const { force, signal }: UndoOptions = given;
  return { force, signal };
}

/** Throws a ToolInputError that names the option. */
export function readDiffOptions(given: unknown): DiffOptions {
  assertOptions(given, { member: "diff", known: ["maxChars", "signal"] });
  const { maxChars, signal }: DiffOptions = given;
  return { maxChars, signal };
}

/** What is undefined is as good as left out. */
function assertOptions(
  given: unknown,
  { member, known }: { readonly member: string; readonly known: readonly OptionName[] },
): asserts given is object {
  if (typeof given !== "object" || given === null) {
    throw wrongOptions(`${member} takes the id of a call and an object with options.`);
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const option = known.find((one) => one === name);
    if (option === undefined) throw unknownOption(name, { member, known });
    if (IS_RIGHT[option](value)) continue;
    throw wrongOptions(`${member}: ${option} must be ${EXPECTED[option]}.`);
  }
}

function unknownOption(
  name: string,
  { member, known }: { readonly member: string; readonly known: readonly string[] },
) {
  const nearest = nearestName(name, known);
  const hint = nearest ? `did you mean ${nearest}?` : `there are ${known.join(" and ")}.`;
  return wrongOptions(`${member}: ${name.slice(0, 80)} is no option; ${hint}`);
}
