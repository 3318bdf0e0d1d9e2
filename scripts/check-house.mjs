// Holds the house rules of CONTRIBUTING.md: rooms and ranks, doors, purity, sizes, names, shapes.
// Prints `path:line rule message` per fault and exits with 1 if there is any.
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findFaults } from "./check-house/find-faults.mjs";

const ownRoot = dirname(dirname(fileURLToPath(import.meta.url)));
const root = process.argv[2] ? resolve(process.argv[2]) : ownRoot;

const { faults, fileCount } = findFaults(root);
for (const { path, line, rule, message } of faults) {
  console.log(`${path}:${line} ${rule} ${message}`);
}
console.log(`${faults.length} faults in ${fileCount} files`);
process.exitCode = faults.length > 0 ? 1 : 0;
