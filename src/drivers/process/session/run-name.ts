// A short name for a command: its program and the first word that is not an option.

import { toPrintable } from "../../../lib/printable.js";
import { cutChars } from "../../../lib/unicode-text.js";

const MAX_NAME_CHARS = 48;
const MAX_READ_CHARS = 500;

export function nameCommand(command: string): string {
  const [program = "", ...words] = command.slice(0, MAX_READ_CHARS).trim().split(/\s+/);
  const verb = program.slice(program.lastIndexOf("/") + 1) || program;
  const first = words.find((word) => !word.startsWith("-"));
  const name = toPrintable(first === undefined ? verb : `${verb} ${first}`);
  return name.length <= MAX_NAME_CHARS ? name : `${cutChars(name, MAX_NAME_CHARS - 1)}…`;
}
