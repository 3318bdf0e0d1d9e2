// What stands where a call is about to change something, as far as it can be seen.

import type { OldFile } from "../../../core/files/index.js";
import { isSameState, lookAt, lookAtOld, type Sight, stateOfSeen } from "../file-state.js";
import type { Change, Touch } from "./call-recorder.js";

export const UNSEEN = { kind: "unkept", reason: "not_readable" } as const;

export type Seen = { readonly sights: readonly Sight[] } | { readonly refusal: unknown };

export async function lookAtAll({ bridge, touches }: Change, maxBytes: number): Promise<Seen> {
  try {
    const sights: Sight[] = [];
    for (const { at } of touches) sights.push(await lookAt(bridge, { path: at, maxBytes }));
    return { sights };
  } catch (refusal) {
    return { refusal };
  }
}

/** The same of a file that a write is about to replace. Throws when it must be seen and cannot be. */
export async function seeOld(
  old: OldFile | undefined,
  { maxFileBytes, required }: { readonly maxFileBytes: number; readonly required: boolean },
): Promise<Sight> {
  try {
    return await lookAtOld(old, maxFileBytes);
  } catch (refusal) {
    if (required) throw refusal;
    return UNSEEN;
  }
}

/** Only what has the same length is worth a hash. */
export async function isNoChange(
  [touch]: readonly Touch[],
  [sight]: readonly Sight[],
): Promise<boolean> {
  if (!touch?.after || sight?.kind !== "bytes") return false;
  if (touch.afterBytes !== sight.bytes.byteLength) return false;
  return isSameState(await touch.after(), await stateOfSeen(sight));
}
