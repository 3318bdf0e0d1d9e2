// The calls of the kill test of a whole toolkit: each brings the file from one version to the next,
// whole or not at all.

import { contentOf } from "./apply-patch-content.js";

export const FILE_PATH = "deep/er/victim.txt";

interface Step {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

const STEPS: readonly ((version: number) => Step)[] = [writeTo, editTo, patchTo];

/** From `version - 1` to `version`. */
export function stepTo(version: number): Step {
  const make = STEPS[version % STEPS.length] ?? writeTo;
  return make(version);
}

function writeTo(version: number): Step {
  return { name: "write", arguments: { path: FILE_PATH, content: contentOf(version) } };
}

function editTo(version: number): Step {
  const [oldText, newText] = [stampOf(version - 1), stampOf(version)];
  return { name: "edit", arguments: { path: FILE_PATH, oldText, newText, replaceAll: true } };
}

function patchTo(version: number): Step {
  const lines = (mark: string, content: string) =>
    content.trimEnd().replaceAll(/^/gm, mark).concat("\n");
  const change = lines("-", contentOf(version - 1)) + lines("+", contentOf(version));
  const input = `*** Begin Patch\n*** Update File: ${FILE_PATH}\n@@\n${change}*** End Patch`;
  return { name: "apply_patch", arguments: { input } };
}

/** What every line of a version begins with. */
function stampOf(version: number): string {
  return contentOf(version).split("x", 1)[0] ?? "";
}
