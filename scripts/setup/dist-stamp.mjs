// Tells whether dist was built from the sources as they are: a hash of the path, time and size of
// every file the build reads, kept in dist/.stamp. Tests beside the sources do not count.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

const SOURCE_FOLDERS = ["src", join("scripts", "build")];
const SOURCE_FILES = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
  join("scripts", "build.mjs"),
];

export const STAMP_NAME = ".stamp";

export function isDistStale(root) {
  const stampFile = join(root, "dist", STAMP_NAME);
  return !existsSync(stampFile) || readFileSync(stampFile, "utf8") !== computeDistStamp(root);
}

export function computeDistStamp(root) {
  const files = [
    ...SOURCE_FOLDERS.flatMap((folder) => listFiles(join(root, folder))),
    ...SOURCE_FILES.map((file) => join(root, file)).filter((file) => existsSync(file)),
  ];
  const lines = files.map((file) => {
    const { mtimeMs, size } = statSync(file);
    return `${relative(root, file)} ${mtimeMs} ${size}`;
  });
  return createHash("sha256").update(lines.sort().join("\n")).digest("hex");
}

function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name));
}
