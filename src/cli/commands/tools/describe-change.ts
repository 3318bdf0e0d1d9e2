// A config patch as edits that a person can make: `tools.deny: remove "write"`.

import { showKeyPath } from "../../../config/index.js";
import { toPrintable } from "../../../lib/printable.js";

const MAX_VALUE_CHARS = 1_000;

type KeyPath = readonly (string | number)[];

interface Change {
  readonly path: KeyPath;
  readonly next: unknown;
  readonly before: unknown;
}

export interface Edit {
  readonly path: KeyPath;
  readonly text: string;
}

/** List entries with an id are matched by it. */
export function listEdits(config: unknown, patch: unknown): Edit[] {
  return walk({ path: [], next: patch, before: config });
}

function walk({ path, next, before }: Change): Edit[] {
  if (isRecord(next)) {
    return Object.entries(next).flatMap(([key, value]) =>
      walk({
        path: [...path, key],
        next: value,
        before: isRecord(before) ? before[key] : undefined,
      }),
    );
  }
  if (!Array.isArray(next)) return [edit(path, `set to ${show(next)}`)];
  if (next.length > 0 && next.every(hasId)) return walkEntries({ path, next, before });
  return [edit(path, describeList(next, Array.isArray(before) ? before : []))];
}

function walkEntries({ path, next, before }: Change & { next: readonly { id: string }[] }): Edit[] {
  const list: readonly unknown[] = Array.isArray(before) ? before : [];
  return next.flatMap(({ id, ...rest }) => {
    const index = list.findIndex((item) => hasId(item) && item.id === id);
    if (index === -1) return [edit(path, `add ${show({ id, ...rest })}`)];
    return walk({ path: [...path, index], next: rest, before: list[index] });
  });
}

function describeList(next: readonly unknown[], before: readonly unknown[]): string {
  const removed = before.filter((item) => !next.includes(item));
  const added = next.filter((item) => !before.includes(item));
  const parts = [
    ...(removed.length > 0 ? [`remove ${removed.map(show).join(", ")}`] : []),
    ...(added.length > 0 ? [`add ${added.map(show).join(", ")}`] : []),
  ];
  return parts.length > 0 ? parts.join("; ") : `set to ${show(next)}`;
}

function edit(path: KeyPath, what: string): Edit {
  return { path, text: `${showKeyPath(path)}: ${what}` };
}

function show(value: unknown): string {
  return toPrintable(JSON.stringify(value) ?? "nothing", MAX_VALUE_CHARS);
}

function hasId(value: unknown): value is { id: string } {
  return isRecord(value) && typeof value.id === "string";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
