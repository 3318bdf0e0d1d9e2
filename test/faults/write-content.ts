// The content of the file in the kill test: every line carries the version, so that a mixture of two
// versions, or a part of one, is seen.

export const FILE_NAME = "victim.txt";
/** Large enough that a write in place would take several steps. */
const LINES = 8_000;
const FILLER = "x".repeat(120);

export function stampOf(version: number): string {
  return `v${String(version).padStart(8, "0")};`;
}

export function contentOf(version: number): string {
  return `${stampOf(version)}${FILLER}\n`.repeat(LINES);
}

/** The version of a whole content; undefined for anything else. */
export function versionOf(content: string): number | undefined {
  const version = Number(/^v(\d{8});/.exec(content)?.[1]);
  return content === contentOf(version) ? version : undefined;
}
