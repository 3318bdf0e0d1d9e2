// The steps of the kill test for moves: a file is written, moved over another name in another folder,
// and removed, over and over. What lies where after each step can be told from its number.

import { readFileSync } from "node:fs";
import { join } from "node:path";

export const FROM = "here/a.txt";
export const TO = "there/b.txt";
const STEPS = 4;
const LINES = 2_000;

/** Every line carries the round, so that a mixture of two contents, or a part of one, is seen. */
export function contentOf(step: number, kind: "old" | "new"): string {
  return `${kind} round ${Math.floor(step / STEPS)} ${"x".repeat(100)}\n`.repeat(LINES);
}

export type Step = "prepare" | "write" | "rename" | "remove";

const ORDER: readonly Step[] = ["prepare", "write", "rename", "remove"];

export function stepOf(step: number): Step {
  return ORDER[step % STEPS] ?? "write";
}

/** What lies at the two names after a step; undefined is nothing. */
export function stateAfter(step: number): (string | undefined)[] {
  if (step < 0) return [undefined, undefined];
  const [before, after] = [contentOf(step, "old"), contentOf(step, "new")];
  const states: Record<Step, (string | undefined)[]> = {
    prepare: [undefined, before],
    write: [after, before],
    rename: [undefined, after],
    remove: [undefined, undefined],
  };
  return states[stepOf(step)];
}

export function readState(root: string): (string | undefined)[] {
  return [FROM, TO].map((path) => {
    try {
      return readFileSync(join(root, path), "utf8");
    } catch {
      // Nothing is there, which is a state too.
      return undefined;
    }
  });
}
