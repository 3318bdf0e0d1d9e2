// What a profile says of a program's arguments: that with them it starts nothing else, which files it
// reads or writes, or why that is not known.

import type { PathUse, RepositoryFacts } from "../plan.js";

export type ProfileReading =
  | {
      readonly ok: true;
      readonly paths: readonly PathUse[];
      /** The arguments with which it is safe, where words have to be added. */
      readonly args?: readonly string[];
      readonly added?: readonly string[];
      /** It reads a file of settings there by itself. */
      readonly settings?: "home";
      /** Programs that it may start by their bare name, as the system has them. */
      readonly helpers?: readonly string[];
      /** Asks for the facts of the repository, and says what is wrong with them. */
      readonly judgeRepository?: (facts: RepositoryFacts, root: string) => string | undefined;
    }
  | { readonly ok: false; readonly why: string };

export interface ProgramProfile {
  readonly names: readonly string[];
  /** `args` are without the name; words that a reading added before are understood. */
  read(args: readonly string[]): ProfileReading;
}

export function unknownArguments(why: string): ProfileReading {
  return { ok: false, why };
}

export function toReads(words: readonly string[]): readonly PathUse[] {
  return words.filter((word) => word !== "-").map((word) => ({ word, use: "read" }));
}
