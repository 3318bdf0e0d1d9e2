// Writes the declaration files with tsc and keeps those that a door leads to; a type error fails the
// build with tsc's own words.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { findPackageBin } from "../package-bin.mjs";

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const IMPORT = /(?:from|import)\s*\(?\s*"(\.[^"]+)\.js"/g;

export async function emitDeclarations({ root, folder }) {
  const tsc = findPackageBin({ root, name: "typescript", command: "tsc" });
  const args = [tsc, "-p", "tsconfig.build.json", "--outDir", folder];
  try {
    await run(process.execPath, args, { cwd: root, maxBuffer: MAX_OUTPUT_BYTES });
  } catch (error) {
    throw new Error(`tsc failed.\n${error.stdout ?? ""}${error.stderr ?? ""}`, { cause: error });
  }
  removeUnreached(folder);
}

function removeUnreached(folder) {
  const doors = readdirSync(join(folder, "public")).map((name) => join(folder, "public", name));
  const reached = new Set(doors);
  for (const file of reached) {
    for (const [, path] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      reached.add(join(dirname(file), `${path}.d.ts`));
    }
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && !reached.has(file)) rmSync(file);
  }
}
