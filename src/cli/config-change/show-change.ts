// What a change of the config says, without secrets: a reference to a variable is none.

import type { ConfigEdit, ConfigPlan, KeyPath } from "../../config/edit/index.js";
import { readConfigValue } from "../../config/index.js";
import { toPrintable } from "../../lib/printable.js";
import { HIDDEN, hideSecrets } from "../hide-secrets.js";

const MAX_SHOWN_CHARS = 300;
const REFERENCE = /^\$\{[A-Z_][A-Z0-9_]*\}$/;

export interface ShownChange {
  readonly path: string;
  /** Left out when nothing is there. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Those that change nothing are left out. */
export function listChanges(
  { values, under }: Pick<ConfigPlan, "values" | "under">,
  edits: readonly ConfigEdit[],
): ShownChange[] {
  const [before, after] = [nest(under, values.before), nest(under, values.after)];
  return edits.flatMap(({ path, value }) => {
    // Of a list the next entry stands in the place of one that was taken out.
    const isKept = value !== undefined;
    if (isKept && isSame(readConfigValue(before, path), readConfigValue(after, path))) return [];
    const old = readShown(before, path);
    const now = isKept ? readShown(after, path) : undefined;
    return [
      {
        path,
        ...(old === undefined ? {} : { before: old }),
        ...(now === undefined ? {} : { after: now }),
      },
    ];
  });
}

/** Compared as they are: two secrets are shown alike. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function showValue(value: unknown): string {
  if (value === undefined) return "(not set)";
  if (value === HIDDEN) return "(hidden)";
  return toPrintable(JSON.stringify(value), MAX_SHOWN_CHARS);
}

function readShown(config: unknown, path: string): unknown {
  const value = readConfigValue(config, path);
  if (typeof value === "string" && REFERENCE.test(value)) return value;
  return readConfigValue(hideSecrets(config), path);
}

function nest(under: KeyPath, value: unknown): unknown {
  let whole = value;
  for (const step of under.toReversed()) {
    if (typeof step === "number") {
      const list: unknown[] = [];
      list[step] = whole;
      whole = list;
    } else whole = { [step]: whole };
  }
  return whole;
}
