// After many equal elements were removed, as filters do: what is left of them.

import type { ListedElement, PageChange } from "../../../core/browser.js";
import { SHORT, toLine } from "./line.js";
import { toRows } from "./rows.js";

const MIN_WENT = 10;
const MAX_SHOWN = 12;
const MAX_SHOWN_CHARS = 600;
const HEAD_ROLE = "columnheader";
const MAX_CAME = 4;

export interface Thinned {
  readonly role: string;
  readonly depth: number;
  readonly siblingRoles: readonly string[];
}

/** undefined: too few were removed, or additions are reported anyway. */
export function findThinned(change: PageChange): Thinned | undefined {
  const { removed, counts, isNewDocument, isUnsettled } = change;
  if (isNewDocument || isUnsettled || counts.added > MAX_CAME) return undefined;
  const found = new Map<string, { readonly role: string; readonly depth: number; went: number }>();
  for (const { role, depth, ref } of removed) {
    if (ref === undefined) continue;
    const key = `${depth} ${role}`;
    const kind = found.get(key) ?? { role, depth, went: 0 };
    kind.went += 1;
    found.set(key, kind);
  }
  const many = [...found.values()].filter(({ went }) => went >= MIN_WENT);
  // Their children were removed as often: the highest level counts.
  const depth = Math.min(...many.map((kind) => kind.depth));
  const [first, ...others] = many.filter((kind) => kind.depth === depth);
  return first && { role: first.role, depth, siblingRoles: others.map(({ role }) => role) };
}

/** `~ 11 rows left:` and their lines. */
export function showRemaining(elements: readonly ListedElement[], thinned: Thinned): string {
  const { role } = thinned;
  const parts = splitParts(elements, thinned);
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

function splitParts(elements: readonly ListedElement[], wanted: Thinned): ListedElement[][] {
  const parts: ListedElement[][] = [];
  let open: ListedElement[] | undefined;
  for (const element of elements) {
    const isLevel = element.depth === wanted.depth;
    if (isLevel && element.role === wanted.role) {
      open = [];
      parts.push(open);
    } else if (element.depth < wanted.depth) open = undefined;
    else if (isLevel && !wanted.siblingRoles.includes(element.role)) open = undefined;
    open?.push(element);
  }
  return parts.filter((part) => !part.some(({ role }) => role === HEAD_ROLE));
}
