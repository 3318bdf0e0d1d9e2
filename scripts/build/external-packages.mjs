// The packages that are never bundled: what a user may leave out of an install, and what holds
// machine code. They are loaded by name, when a call first needs them.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export function listExternalPackages(root) {
  const { optionalDependencies = {} } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  return Object.keys(optionalDependencies);
}
