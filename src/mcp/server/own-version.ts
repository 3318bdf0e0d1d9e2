// The version of this package, from its own package file.

import { createRequire } from "node:module";
import { readText } from "../../lib/read-field.js";

/** By its name, which leads to the same file from the sources and from the build. */
const PACKAGE_FILE = "clawtools/package.json";
/** For a program that was bundled and left the package file behind. */
const UNKNOWN = "0.0.0";

export function readOwnVersion(): string {
  try {
    const manifest: unknown = createRequire(import.meta.url)(PACKAGE_FILE);
    return readText(manifest, "version") ?? UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}
