// After a page took many equal things away at once, as filters do: how many of them are left, and
// which when they are few, so that nobody has to look at the page to know.

import type { ListedElement, PageChange } from "../../../core/browser.js";
import { SHORT, toLine } from "./line.js";
import { toRows } from "./rows.js";

/** So many of one role went at once. */
const MIN_WENT = 10;
/** More are only counted. */
const MAX_SHOWN = 12;
const MAX_SHOWN_CHARS = 600;
const HEAD_ROLE = "columnheader";

/** What went; those that are left have the same role and depth. */
export interface Thinned {
  readonly role: string;
  readonly depth: number;
}

/** undefined: too little went, or what is there now is told anyway. */
export function findThinned(change: PageChange): Thinned | undefined {
  const { removed, added, isNewDocument, isUnsettled } = change;
  if (isNewDocument || isUnsettled || added.length > 0 || removed.length < MIN_WENT)
    return undefined;
  const counts = new Map<string, Thinned & { readonly went: number }>();
  for (const { role, depth, ref } of removed) {
    if (ref === undefined) continue;
    const key = `${depth} ${role}`;
    counts.set(key, { role, depth, went: (counts.get(key)?.went ?? 0) + 1 });
  }
  // What is in them went as often: the highest are meant.
  return [...counts.values()]
    .filter(({ went }) => went >= MIN_WENT)
    .toSorted((one, other) => one.depth - other.depth)[0];
}

/** `~ 11 rows left:`, and their lines. */
export function showRemaining(
  elements: readonly ListedElement[],
  { role, depth }: Thinned,
): string {
  const parts = splitParts(elements, { role, depth });
  const head = `~ ${parts.length || "no"} ${role}${parts.length === 1 ? "" : "s"} left`;
  if (parts.length === 0 || parts.length > MAX_SHOWN) return head;
  const lines: string[] = [];
  let chars = 0;
  for (const row of toRows(parts.flat(), { keep: "compact", isParts: true })) {
    const line = `~   ${toLine(row, { limits: SHORT }).replace(/^( *)- /, "$1")}`;
    chars += line.length + 1;
    if (chars > MAX_SHOWN_CHARS) return [`${head}, the first:`, ...lines].join("\n");
    lines.push(line);
  }
  return [`${head}:`, ...lines].join("\n");
}

/** Each with what is in it; the head of a table is none. */
function splitParts(elements: readonly ListedElement[], wanted: Thinned): ListedElement[][] {
  const parts: ListedElement[][] = [];
  let open: ListedElement[] | undefined;
  for (const element of elements) {
    if (element.depth <= wanted.depth) {
      open = element.depth === wanted.depth && element.role === wanted.role ? [] : undefined;
      if (open) parts.push(open);
    }
    open?.push(element);
  }
  return parts.filter((part) => !part.some(({ role }) => role === HEAD_ROLE));
}
