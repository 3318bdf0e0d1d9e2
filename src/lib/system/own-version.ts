// The version of this package, from its own package.json.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { readText } from "../read-field.js";

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
