// What a room may touch: core only the schema library, tools only core, lib and protocol, the
// process only where it is read for all, and no work at import. Tests are free of these.
import { lineOf } from "./read-tree.mjs";
import { placeOf } from "./rooms.mjs";

const CORE_PACKAGE = /^typebox(?:\/|$)/;
const TOOL_ROOMS = ["tools", "core", "lib", "protocol"];
const PROCESS_PLACES = /^src\/(?:cli\/|drivers\/|config\/load\.ts$|mcp\/server\/serve-stdio\.ts$)/;
const PROCESS_USE =
  /(?<![.\w$])process\s*(?:\?\.|\.|\[)|\bglobalThis\s*\??\.\s*process\b|\bimport\.meta\.env\b/g;
const PROCESS_MODULE = /^(?:node:)?process$/;
/** A program's first file does its work when it is loaded. */
const PROGRAM_FILES = /^src\/cli\/start\.ts$/;
/** The formatter indents what continues a statement, so column 0 is where one begins; only the
 * text of a template may stand there too, and of it nothing is left but `${`. */
const TOP_LEVEL_WORK =
  /^(?!(?:import|export|const|function|class|type|interface|async|abstract|declare|let|var)\b)(?:[\w([!+-]|\$(?!\{)).*/gm;
const TOP_LEVEL_STATE = /^(?:export\s+)?(?:let|var)\b/gm;

export function purityRules(file) {
  if (file.isTest) return [];
  const own = placeOf(file.path);
  const faults = [
    ...judgeCore({ file, own }),
    ...judgeTools({ file, own }),
    ...judgeProcess(file),
    ...judgeTopLevel(file),
  ];
  return faults.map(({ offset, rule, message }) => ({
    path: file.path,
    line: lineOf(file.text, offset),
    rule,
    message,
  }));
}

function judgeCore({ file, own }) {
  if (own.room !== "core") return [];
  return file.imports
    .filter(({ target, specifier }) => target === undefined && !CORE_PACKAGE.test(specifier))
    .map(({ offset, specifier }) => ({
      offset,
      rule: "core-pure",
      message: `core imports no package but typebox, and nothing of Node: "${specifier}"`,
    }));
}

function judgeTools({ file, own }) {
  if (own.room !== "tools") return [];
  return file.imports
    .filter(({ target }) => target?.startsWith("src/"))
    .filter(({ target }) => !TOOL_ROOMS.includes(placeOf(target).room))
    .map(({ offset, target }) => ({
      offset,
      rule: "tool-imports",
      message: `a tool imports core, lib and protocol only, not ${target}`,
    }));
}

function judgeProcess(file) {
  if (PROCESS_PLACES.test(file.path)) return [];
  const uses = [...file.code.matchAll(PROCESS_USE)].map(({ index }) => index);
  const modules = file.imports
    .filter(({ specifier }) => PROCESS_MODULE.test(specifier))
    .map(({ offset }) => offset);
  return [...uses, ...modules].map((offset) => ({
    offset,
    rule: "process",
    message: "process and the environment are read in cli, config/load.ts and drivers only",
  }));
}

function judgeTopLevel(file) {
  const bare = file.imports
    .filter(({ isBare }) => isBare)
    .map(({ offset }) => ({ offset, rule: "side-effect", message: "an import for its effect" }));
  if (PROGRAM_FILES.test(file.path)) return bare;
  const work = [...file.code.matchAll(TOP_LEVEL_WORK)].map(({ index }) => ({
    offset: index,
    rule: "side-effect",
    message: "importing a file does nothing but define things",
  }));
  const state = [...file.code.matchAll(TOP_LEVEL_STATE)].map(({ index }) => ({
    offset: index,
    rule: "module-state",
    message: "state lives in what a create function returns, not in the module",
  }));
  return [...bare, ...work, ...state];
}
