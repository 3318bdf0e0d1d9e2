// Whether an element that is acted on has the name of another one now.

import type { Look } from "../look.js";
import { nameNow } from "../name/name-of.js";
import { isConnected } from "../tree/clobbered.js";
import { isFormOf } from "./name-form.js";
import type { RefBook, RefRecord } from "./ref-book.js";

interface Listed {
  readonly book: RefBook;
  readonly look: () => Look;
}

export function isRenamed(listed: Listed, known: RefRecord | undefined): boolean {
  const now = known && calledNow(listed.look(), known);
  return now !== undefined && (!isFormOf(known?.name ?? "", now) || hasOthersName(listed, known));
}

export function hasOthersName({ book, look }: Listed, known: RefRecord | undefined): boolean {
  const now = look();
  const name = known && calledNow(now, known);
  if (!known || !name || name === known.name) return false;
  for (const other of book.records()) {
    const isLike = other.name === name && other.role === known.role && other.node !== known.node;
    if (isLike && other.listedAt >= known.listedAt && calledNow(now, other) !== name) return true;
  }
  return false;
}

function calledNow(look: Look, { node }: RefRecord): string | undefined {
  const element = node.deref();
  return element && isConnected(element) ? nameNow(look, element) : undefined;
}
