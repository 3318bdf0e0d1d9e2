// What may stand in no text of the project: a path of somebody's machine, and in the lock file the
// address a package was downloaded from.
import { lineOf } from "./read-tree.mjs";

const GENERIC_NAMES = "me|you|user|ada|alice|bob|dev|node|agent|sandbox";
const MACHINE_PATH = new RegExp(
  [
    String.raw`(?<![\w.~$/})>*-])/(?:work|root)/`,
    String.raw`(?<![\w.~$})>*-])/(?:home|Users)/(?!(?:${GENERIC_NAMES})\b)[\w.-]+/`,
  ].join("|"),
  "g",
);
const LOCK_FILE = "package-lock.json";

export function textRules({ path, text }) {
  if (path === LOCK_FILE) return judgeLockFile({ path, text });
  return [...text.matchAll(MACHINE_PATH)].map((match) => ({
    path,
    line: lineOf(text, match.index),
    rule: "machine-path",
    message: `"${match[0]}" is a path of one machine`,
  }));
}

function judgeLockFile({ path, text }) {
  const offset = text.indexOf('"resolved"');
  if (offset === -1) return [];
  const message = "the lock file names a download address";
  return [{ path, line: lineOf(text, offset), rule: "lock-resolved", message }];
}
