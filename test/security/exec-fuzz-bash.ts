// Runs command lines by bash in one folder and tells what each did: the words of every command, in
// order, and the files that are there afterwards. Programs are functions that write down their words,
// also under their absolute path, and whose status is even or odd like the length of what they wrote.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FILES, PROGRAMS } from "./exec-fuzz-strings.js";

const MAX_BATCH_MS = 600_000;
const WORD_END = "\x1f";
const RECORD_END = "\x1e";
const RUN_END = "\x1d";
const FILES_END = "\x1c";
/** A new line in a word: bash would write the record in two pieces, with another between them. */
const NEW_LINE = "\x1b";

export interface BashRun {
  /** Each is a name and its arguments. */
  readonly records: readonly (readonly string[])[];
  /** Names that were not there before. */
  readonly made: readonly string[];
}

/** `binFolder` holds a file for each program; what runs are functions of their names. */
export function runByBash(
  lines: readonly string[],
  place: { readonly folder: string; readonly binFolder: string; readonly outFile: string },
): readonly BashRun[] {
  const result = spawnSync(
    "/bin/bash",
    ["--noprofile", "--norc", "-p", "-c", makeHarness(place.binFolder), "fuzz", place.outFile],
    {
      cwd: place.folder,
      env: { PATH: "/nonexistent", LC_ALL: "C" },
      input: lines.map((line) => `${line}\0`).join(""),
      timeout: MAX_BATCH_MS,
      stdio: ["pipe", "ignore", "ignore"],
    },
  );
  if (result.status !== 0)
    throw new Error(`the harness ended with ${result.status ?? result.signal}`);
  return readFileSync(place.outFile, "utf8").split(FILES_END).slice(0, -1).map(toRun);
}

function makeHarness(binFolder: string): string {
  const functions = PROGRAMS.flatMap((name) => [
    `function ${name} { record ${name} "$@"; }`,
    `function ${join(binFolder, name)} { record ${name} "$@"; }`,
  ]);
  return `
record() {
  local name=$1 IFS=$'\\x1f'; shift
  local line="$name"$'\\x1f'"$#"$'\\x1f'"$*"
  local whole="\${line//$'\\n'/$'\\x1b'}"
  printf '%s\\x1e' "$whole" >&9
  return $(( \${#line} % 2 ))
}
${functions.join("\n")}
declare -A known
for name in ${FILES.map((name) => `'${name}'`).join(" ")} d; do known[$name]=1; done
exec 8>"$1"
while IFS= read -r -d '' line; do
  ( eval "$line" ) </dev/null >/dev/null 2>&1 9>&8 8>&-
  printf '\\x1d' >&8
  for name in * .[!.]* d/* d/.[!.]*; do
    [[ -n \${known[$name]} || ! -e $name ]] && continue
    printf '%s\\x1f' "$name" >&8
    /bin/rm -f -- "$name"
  done
  printf '\\x1c' >&8
done
exit 0
`;
}

function toRun(text: string): BashRun {
  const [records = "", names = ""] = text.split(RUN_END);
  return {
    records: records.split(RECORD_END).slice(0, -1).map(toWords),
    made: names.split(WORD_END).slice(0, -1).sort(),
  };
}

/** name, count, words; a count of 0 and one empty word are told apart by the count. */
function toWords(record: string): readonly string[] {
  const [name = "", count = "", ...words] = record.replaceAll(NEW_LINE, "\n").split(WORD_END);
  return count === "0" ? [name] : [name, ...words];
}
