// Programs that another one starts by their bare names: whether one of them would be found inside of
// the root, where a call can put it.

import { findProgram, type ProgramPlace } from "./find-program.js";
import { isRefusal } from "./refusal.js";

/** The first of the names that is found there. */
export async function findHelperInRoot(
  names: readonly string[],
  place: ProgramPlace,
): Promise<string | undefined> {
  for (const name of names) {
    const found = await findProgram(name, place);
    if (!isRefusal(found) && found.isInRoot) return name;
  }
  return undefined;
}
