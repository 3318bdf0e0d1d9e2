// `cd DIR &&` at the beginning of a command: the folder in which the rest runs, inside the root.

import { realpathSync, statSync } from "node:fs";
import type { CommandRefusal, ScannedStep } from "../../core/command/index.js";
import { toPlainPath } from "../../core/files/index.js";
import { isInside } from "../../lib/is-inside.js";
import { refuse } from "./refusal.js";

export interface EnteredFolder {
  /** Without the `cd` steps; at least one. */
  readonly steps: readonly ScannedStep[];
  readonly cwd: string;
}

export function enterFolders(
  steps: readonly ScannedStep[],
  place: { readonly cwd: string; readonly root: string },
): EnteredFolder | CommandRefusal {
  let cwd = place.cwd;
  for (const [index, step] of steps.entries()) {
    if (step.words[0].text !== "cd") return { steps: steps.slice(index), cwd };
    const entered = enterFolder(step, { ...place, cwd });
    if (typeof entered !== "string") return entered;
    cwd = entered;
  }
  return refuse("folder_change", "A cd alone changes nothing; give the folder as workdir.");
}

function enterFolder(
  step: ScannedStep,
  place: { readonly cwd: string; readonly root: string },
): string | CommandRefusal {
  const words = step.words.slice(1);
  const [target, ...more] = words[0]?.text === "--" ? words.slice(1) : words;
  const isRead =
    target !== undefined &&
    more.length === 0 &&
    target.pattern === undefined &&
    target.text !== "" &&
    !target.text.startsWith("-");
  if (!isRead) return refuse("folder_change", "Only cd with one folder is read here.");
  if (step.redirects.length > 0 || (step.join !== "&&" && step.join !== ";")) {
    return refuse("folder_change", 'cd is read only before "&&" or ";" and without redirects.');
  }
  const folder = findFolder(target.text, place.cwd);
  if (typeof folder !== "string" || isInside(folder, place.root)) return folder;
  return refuse("folder_outside_root", `The folder "${target.text}" lies outside of the root.`);
}

/** A shell takes dots out by the text, the system follows links: where they differ nothing is said. */
function findFolder(text: string, cwd: string): string | CommandRefusal {
  const byText = realFolder(toPlainPath(text, cwd));
  const bySystem = realFolder(text.startsWith("/") ? text : `${cwd}/${text}`);
  if (byText === undefined || bySystem === undefined) {
    return refuse("folder_missing", `There is no folder "${text}" to go to.`);
  }
  if (byText === bySystem) return byText;
  return refuse("folder_change", `"${text}" leads through a link and back; name the folder.`);
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    // Missing, or not to be reached: for whoever wants to go there it is not there.
    return undefined;
  }
}
