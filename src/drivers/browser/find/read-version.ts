// The version of a browser's program, as it says itself.

import { execFile } from "node:child_process";

const MAX_VERSION_MS = 5_000;
const MAX_VERSION_BYTES = 10_000;
const VERSION = /\d+(?:\.\d+){1,3}/;

/** undefined when it does not say: on Windows these programs open a window instead. */
export async function readVersion(
  path: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<string | undefined> {
  if (process.platform === "win32") return undefined;
  return new Promise((resolve) => {
    execFile(
      path,
      ["--version"],
      { timeout: MAX_VERSION_MS, killSignal: "SIGKILL", maxBuffer: MAX_VERSION_BYTES, signal },
      (_error, output) => resolve(VERSION.exec(output)?.[0]),
    );
  });
}
