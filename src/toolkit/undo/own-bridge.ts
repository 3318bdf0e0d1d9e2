// A bridge of the caller's that is not a folder of this machine: the same root may mean other files in
// the next toolkit, so nothing of it is kept under that name, or for anybody else.

import { resolve } from "node:path";
import { watchedWriteOf } from "../../core/files/index.js";
import type { FsBridge, RandomSource } from "../../core/index.js";

const SCOPE_PREFIX = "bridge:";
const SCOPE_BYTES = 8;

/** Only bridges over a folder let undo look at the file that they replace. */
export function isElsewhere(bridge: FsBridge | undefined): boolean {
  return bridge !== undefined && watchedWriteOf(bridge) === undefined;
}

/** Whose calls these are in the journal: a folder, or one bridge of one toolkit. */
export function nameScope(
  { root, bridge }: { readonly root: string; readonly bridge?: FsBridge | undefined },
  random: RandomSource,
): string {
  return isElsewhere(bridge) ? `${SCOPE_PREFIX}${random.hex(SCOPE_BYTES)}` : resolve(root);
}

export function isBridgeScope(scope: string): boolean {
  return scope.startsWith(SCOPE_PREFIX);
}
