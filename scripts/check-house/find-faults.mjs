// Reads a tree once and runs every rule over it. A rule is a function from a file, or from all the
// files, to its faults; this file only joins and sorts them.
import { contentRules } from "./content-rules.mjs";
import { findIdleLibFiles } from "./lib-rules.mjs";
import { nameRules } from "./name-rules.mjs";
import { networkRules } from "./network-rules.mjs";
import { purityRules } from "./purity-rules.mjs";
import { readSources, readTexts } from "./read-tree.mjs";
import { roomRules } from "./room-rules.mjs";
import { shapeRules } from "./shape-rules.mjs";
import { findCrowdedFolders, sizeRules } from "./size-rules.mjs";
import { textRules } from "./text-rules.mjs";

const SOURCE_RULES = [roomRules, purityRules, networkRules, nameRules, shapeRules, contentRules];
const FOLDER_RULES = [findCrowdedFolders, findIdleLibFiles];

/** All faults of the tree at `root`, sorted by path, line and rule. */
export function findFaults(root) {
  const texts = readTexts(root);
  const sources = readSources(texts);
  const faults = [
    ...sources.flatMap((file) => SOURCE_RULES.flatMap((rule) => rule(file))),
    ...FOLDER_RULES.flatMap((rule) => rule(sources)),
    ...texts.flatMap((file) => [...sizeRules(file), ...textRules(file)]),
  ];
  return { faults: faults.sort(compareFaults), fileCount: texts.length };
}

function compareFaults(left, right) {
  return (
    compareText(left.path, right.path) ||
    left.line - right.line ||
    compareText(left.rule, right.rule)
  );
}

function compareText(left, right) {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
