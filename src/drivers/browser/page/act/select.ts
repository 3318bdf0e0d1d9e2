// Options of a select, by value or by what people read.

import { changedUnderClick, optionAmbiguous, optionNotFound, wrongKind } from "../errors.js";
import type { Acted, Acting } from "./acting.js";

export async function select(
  { handle, time }: Acting,
  { ref, values }: { readonly ref: string; readonly values: readonly string[] },
): Promise<Acted> {
  const { elements } = handle;
  const found = await elements.find(ref, "select", time.part());
  const asks = { op: "choose", ref: found.ref, values } as const;
  const answer = await elements.ask<"choose">(found.frame, asks, time.part());
  if (answer.how === "missing") throw optionNotFound({ ref, ...answer });
  if (answer.how === "ambiguous") throw optionAmbiguous({ ref, ...answer });
  if (answer.how === "refused") throw wrongKind(ref, answer.hint);
  if (answer.how === "gone") {
    await elements.find(ref, "select", time.part());
    throw changedUnderClick(ref, "it was another one for a moment");
  }
  return { frame: found.frame };
}
