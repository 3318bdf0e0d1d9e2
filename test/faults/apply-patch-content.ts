// The files of the kill test of patches, and the patch from each version to the next. Every line
// carries the version, so that a mixture of two versions, or a part of one, is seen.

const LINES = 1_500;
const FILLER = "x".repeat(120);

/** Where the file lies that every patch moves, by the version. */
export const movedName = (version: number) => (version % 2 === 0 ? "even.txt" : "odd.txt");
/** It is there in even versions only. */
export const PASSING_NAME = "passing.txt";
export const LASTING_NAMES = ["changed.txt", "replaced.txt"] as const;

const lineOf = (version: number) => `v${String(version).padStart(8, "0")};${FILLER}`;

export function contentOf(version: number): string {
  return `${lineOf(version)}\n`.repeat(LINES);
}

/** The version of a whole content; undefined for anything else. */
export function versionOf(content: string): number | undefined {
  const version = Number(/^v(\d{8});/.exec(content)?.[1]);
  return content === contentOf(version) ? version : undefined;
}

export function namesOf(version: number): string[] {
  return [
    ...LASTING_NAMES,
    movedName(version),
    ...(version % 2 === 0 ? [PASSING_NAME] : []),
  ].sort();
}

/** From `version - 1` to `version`. */
export function patchTo(version: number): string {
  const added = `+${lineOf(version)}\n`.repeat(LINES);
  const change = `@@\n${`-${lineOf(version - 1)}\n`.repeat(LINES)}${added}`;
  const passing =
    version % 2 === 0
      ? `*** Add File: ${PASSING_NAME}\n${added}`
      : `*** Delete File: ${PASSING_NAME}\n`;
  return [
    "*** Begin Patch\n",
    `*** Update File: changed.txt\n${change}`,
    `*** Add File: replaced.txt\n${added}`,
    `*** Update File: ${movedName(version - 1)}\n*** Move to: ${movedName(version)}\n${change}`,
    passing,
    "*** End Patch",
  ].join("");
}
