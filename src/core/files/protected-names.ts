// Names that no call changes through a bridge, at any depth. Where they lie, and which further places
// are protected, is left to the bridge.

/** `.git` holds hooks and settings that run programs; the others are our own settings and state. */
export const PROTECTED_NAMES: readonly string[] = [
  ".git",
  ".clawtools",
  "clawtools.json",
  "exec-approvals.json",
];

const UNSEEN = /\p{Cf}/gu;
const PLAIN = /^[\x20-\x7e]*$/;

/** Finds the first name of a path that is one of `names`; the path has "/" between its names. */
export function createNameFinder(names: readonly string[]): (path: string) => string | undefined {
  const folded = new Set(names.map(foldName));
  if (folded.size === 0) return () => undefined;
  return (path) => path.split("/").find((name) => folded.has(foldName(name)));
}

/** File systems that are blind to case, or to characters nobody sees, take these for one name. */
function foldName(name: string): string {
  const seen = PLAIN.test(name) ? name : name.replace(UNSEEN, "").toUpperCase();
  return seen.toLowerCase();
}
