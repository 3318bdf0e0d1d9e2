// Writes the declaration files with tsc; a type error fails the build with tsc's own words.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findPackageBin } from "../package-bin.mjs";

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

export async function emitDeclarations({ root, folder }) {
  const tsc = findPackageBin({ root, name: "typescript", command: "tsc" });
  const args = [tsc, "-p", "tsconfig.build.json", "--outDir", folder];
  try {
    await run(process.execPath, args, { cwd: root, maxBuffer: MAX_OUTPUT_BYTES });
  } catch (error) {
    throw new Error(`tsc failed.\n${error.stdout ?? ""}${error.stderr ?? ""}`, { cause: error });
  }
}
