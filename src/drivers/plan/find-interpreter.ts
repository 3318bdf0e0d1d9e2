// The interpreter that the system hands a file to when it begins with `#!`.

import { closeSync, openSync, readSync } from "node:fs";
import { type FoundProgram, findProgram, type ProgramPlace } from "./find-program.js";
import { isRefusal } from "./refusal.js";

const HEAD_BYTES = 256;
const SHEBANG = /^#![ \t]*([^ \t\n]+)(?:[ \t]+([^\n]*))?\n/;

/** Undefined for a binary, and for a file whose interpreter is not there. */
export async function findInterpreter(
  path: string,
  place: ProgramPlace,
): Promise<FoundProgram | undefined> {
  const match = SHEBANG.exec(readHead(path));
  const [, first = "", rest = ""] = match ?? [];
  if (!first.startsWith("/")) return undefined;
  const words = rest
    .trim()
    .split(/[ \t]+/)
    .filter((word) => word !== "" && word !== "-S");
  const byName = /\/env$/.test(first) ? words[0] : undefined;
  const found = await findProgram(byName ?? first, place);
  return isRefusal(found) ? undefined : found;
}

function readHead(path: string): string {
  const bytes = Buffer.alloc(HEAD_BYTES);
  const descriptor = openSync(path, "r");
  try {
    return bytes.toString("latin1", 0, readSync(descriptor, bytes, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}
