// Finds the script behind a locked package's command, so that tools start without npx or a shell.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export function findPackageBin({ root, name, command = name }) {
  const folder = join(root, "node_modules", name);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, typeof bin === "string" ? bin : bin[command]);
}
