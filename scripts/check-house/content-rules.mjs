// What may not stand in a source file: marks of unfinished work, loose types, silenced checks,
// errors swallowed in silence. Tests may hold such words as data and are only partly bound.
import { lineOf } from "./read-tree.mjs";

const UNFINISHED = /\b(?:TODO|FIXME|XXX|HACK)\b/g;
const LOOSE_TYPE = /(?<![.\w$])any\b(?!\s*[:(=])/g;
const SILENCED = /@ts-(?:ignore|expect-error|nocheck)|biome-ignore|eslint-disable/g;
const EMPTY_CATCH = /\bcatch\s*(?:\([^)]*\)\s*)?\{\s*\}/g;
const EMPTY_REJECTION = /\.catch\(\s*(?:async\s*)?\([^)]*\)\s*=>\s*\{\s*\}\s*,?\s*\)/g;

export function contentRules(file) {
  const faults = file.isTest
    ? findInComments({ file, pattern: UNFINISHED, rule: "unfinished" })
    : [
        ...find({ text: file.text, pattern: UNFINISHED, rule: "unfinished" }),
        ...find({ text: file.code, pattern: LOOSE_TYPE, rule: "loose-type" }),
        ...findInComments({ file, pattern: SILENCED, rule: "silenced-check" }),
        ...find({ text: file.code, pattern: EMPTY_CATCH, rule: "empty-catch" }),
        ...find({ text: file.code, pattern: EMPTY_REJECTION, rule: "empty-catch" }),
      ];
  return faults.map(({ offset, rule, found }) => ({
    path: file.path,
    line: lineOf(file.text, offset),
    rule,
    message: MESSAGES[rule](found),
  }));
}

const MESSAGES = {
  unfinished: (found) => `"${found}" marks unfinished work`,
  "loose-type": () => "no any: say the type, or unknown until it is read",
  "silenced-check": (found) => `"${found}" silences a check`,
  "empty-catch": () => "nothing fails in silence: handle the error or let it pass",
};

function find({ text, pattern, rule }) {
  return [...text.matchAll(pattern)].map((match) => ({
    offset: match.index,
    rule,
    found: match[0],
  }));
}

function findInComments({ file, pattern, rule }) {
  return file.comments.flatMap((comment) =>
    find({ text: comment.text, pattern, rule }).map((fault) => ({
      ...fault,
      offset: fault.offset + comment.offset,
    })),
  );
}
