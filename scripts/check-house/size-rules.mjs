// How long a file and how full a folder may be.
import { posix } from "node:path";

const MAX_SOURCE_LINES = 300;
const MAX_TEST_LINES = 500;
const MAX_LIB_LINES = 100;
const MAX_FOLDER_FILES = 20;
const COUNTED = /^(?:src|test|scripts|bench|examples)\/.*\.(?:ts|mjs)$/;

export function sizeRules(file) {
  if (!COUNTED.test(file.path)) return [];
  const lines = file.text.split("\n").length - (file.text.endsWith("\n") ? 1 : 0);
  const limit = limitOf(file);
  if (lines <= limit) return [];
  const message = `${lines} lines; at most ${limit}: split by subject`;
  return [{ path: file.path, line: limit + 1, rule: "size", message }];
}

/** Tests do not count. */
export function findCrowdedFolders(sources) {
  const counts = new Map();
  for (const { path } of sources.filter(({ isTest }) => !isTest)) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MAX_FOLDER_FILES)
    .map(([path, count]) => ({
      path,
      line: 1,
      rule: "folder-size",
      message: `${count} files; at most ${MAX_FOLDER_FILES}: make folders by subject`,
    }));
}

function limitOf({ path, isTest }) {
  if (isTest) return MAX_TEST_LINES;
  return path.startsWith("src/lib/") ? MAX_LIB_LINES : MAX_SOURCE_LINES;
}
