// Checks the package as it would be published: doors that lead to files, types next to each door, its
// size, no source maps, and links of its pages that lead to files in it. Warnings count as errors. It
// needs a built dist.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const MAX_TARBALL_BYTES = 2_000_000;
const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)/g;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const { messages } = await publint({ pkgDir: root, strict: true, level: "warning" });
for (const message of messages) {
  console.log(`${message.type}: ${formatMessage(message, manifest, { color: false })}`);
}

const pack = ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"];
const [{ size, files }] = JSON.parse(execFileSync("npm", pack, { cwd: root, encoding: "utf8" }));
const paths = new Set(files.map(({ path }) => path));
const faults = [
  ...(size > MAX_TARBALL_BYTES
    ? [`The tarball has ${size} bytes; at most ${MAX_TARBALL_BYTES} are allowed.`]
    : []),
  ...[...paths].filter((path) => path.endsWith(".map")).map((path) => `${path} is a source map.`),
  ...[...paths].filter((path) => path.endsWith(".md")).flatMap(findDeadLinks),
];
for (const fault of faults) console.log(`error: ${fault}`);
process.exitCode = messages.length + faults.length > 0 ? 1 : 0;

function findDeadLinks(page) {
  const links = readFileSync(join(root, page), "utf8").matchAll(LINK);
  return Array.from(links, ([, link]) => normalize(join(dirname(page), link)).replace(/\/$/, ""))
    .filter(
      (target) => !paths.has(target) && ![...paths].some((path) => path.startsWith(`${target}/`)),
    )
    .map((target) => `${page} links to ${target}, which the package does not have.`);
}
