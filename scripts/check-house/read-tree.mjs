// Reads the text files of the project that the rules look at, and parses those of src.
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { listImports } from "./list-imports.mjs";
import { maskSource } from "./mask-source.mjs";

const FOLDERS = ["src", "test", "scripts", "bench", "docs", "examples", ".ci"];
const ROOT_FILES = /\.(?:md|json|ts)$|^LICENSE$/;
const TEXT_EXTENSIONS = ["", ".ts", ".mjs", ".js", ".json", ".md", ".txt", ".html", ".sh", ".yml"];

/** `{ path, text, isTest }` per text file; paths are relative to `root`, with forward slashes. */
export function readTexts(root) {
  const rootFiles = listEntries(root, { recursive: false })
    .filter((entry) => ROOT_FILES.test(entry.name))
    .map((entry) => join(root, entry.name));
  const folderFiles = FOLDERS.flatMap((folder) =>
    listEntries(join(root, folder), { recursive: true })
      .filter((entry) => TEXT_EXTENSIONS.includes(extname(entry.name)))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return [...rootFiles, ...folderFiles].map((file) => {
    const path = relative(root, file).split(sep).join("/");
    return { path, text: readFileSync(file, "utf8"), isTest: path.endsWith(".test.ts") };
  });
}

/** The TypeScript files of src with comments and literals masked and imports listed. */
export function readSources(texts) {
  return texts
    .filter(({ path }) => path.startsWith("src/") && path.endsWith(".ts"))
    .map((file) => {
      const masked = maskSource(file.text);
      return { ...file, ...masked, imports: listImports({ path: file.path, ...masked }) };
    });
}

export function lineOf(text, offset) {
  return text.slice(0, offset).split("\n").length;
}

function listEntries(folder, options) {
  try {
    return readdirSync(folder, { ...options, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}
