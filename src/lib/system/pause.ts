// Waits until a delay is over or a signal is aborted, whichever comes first.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { readText } from "../read-field.js";

interface Timers {
  after(delayMs: number, work: () => void): () => void;
}

export function pause(
  clock: Timers,
  { delayMs, signal }: { readonly delayMs: number; readonly signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(delayMs, done);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}

const PACKAGE_FILE = "clawtools/package.json";
const UNKNOWN = "0.0.0";

export function readOwnVersion(): string {
  try {
    // Read, not required: a name may lead to a file that is code.
    const file = createRequire(import.meta.url).resolve(PACKAGE_FILE);
    const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
    return readText(manifest, "version") ?? UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}
