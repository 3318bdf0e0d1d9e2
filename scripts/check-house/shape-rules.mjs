// The shape of a file: a comment on top, named exports only, doors that only list.
import { lineOf } from "./read-tree.mjs";

const RE_EXPORT =
  /\bexport\s+(?:type\s+)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})\s*from\s*["'][^"']*["'];?/g;
const STAR = /\bexport\s+(?:type\s+)?\*\s*from\s*["']/g;
/** The main door of the package is all its other doors together, and those list. */
const STAR_PLACE = "src/public/index.ts";
const DEFAULT_EXPORT = /\bexport\s+default\b|\bexport\s*\{[^}]*\bas\s+default\b/g;
const DOOR = /^src\/(?:public\/[^/]+\.ts|(?:.+\/)?index\.ts)$/;
const TOOL_DEFINITION = /^src\/tools\/[^/]+\/index\.ts$/;
const HEAD_COMMENT = /^(?:#![^\n]*\n)?\s*\/[/*]/;

export function shapeRules(file) {
  const faults = [...judgeHead(file), ...judgeDefault(file), ...judgeDoor(file)];
  return faults.map(({ offset, rule, message }) => ({
    path: file.path,
    line: lineOf(file.text, offset),
    rule,
    message,
  }));
}

function judgeHead({ text }) {
  if (HEAD_COMMENT.test(text)) return [];
  const message = "the file opens with a comment that says what it is";
  return [{ offset: 0, rule: "head-comment", message }];
}

function judgeDefault({ code }) {
  return [...code.matchAll(DEFAULT_EXPORT)].map(({ index }) => ({
    offset: index,
    rule: "default-export",
    message: "named exports only",
  }));
}

function judgeDoor({ path, code, strings, isTest }) {
  if (isTest || !DOOR.test(path) || TOOL_DEFINITION.test(path)) return [];
  const isSibling = (match) =>
    strings.get(match.index + match[0].length - 1)?.startsWith("./") === true;
  const stars = [...code.matchAll(STAR)]
    .filter((match) => !(path === STAR_PLACE && isSibling(match)))
    .map(({ index }) => ({
      offset: index,
      rule: "door-list",
      message: "a door lists its exports one by one",
    }));
  const rest = code.replace(RE_EXPORT, (text) => " ".repeat(text.length));
  const logicAt = rest.search(/\S/);
  if (logicAt === -1) return stars;
  return [
    ...stars,
    { offset: logicAt, rule: "door-logic", message: "a door holds re-exports and nothing else" },
  ];
}
