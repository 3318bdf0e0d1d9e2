// Tells which entries of a list mean nothing here, and what was probably meant.

import { quote } from "../config/path.js";
import type { NameList } from "../config/scope.js";
import type { MeaningKind } from "../names/meaning.js";
import type { PolicyWarningCode } from "../warnings.js";
import type { LayerContext } from "./context.js";

interface Finding {
  readonly code: PolicyWarningCode;
  readonly what: string;
  /** The same in every list: a slip in a deny list opens what one in an allow list closes. */
  readonly severity: "warning" | "error";
}

const FINDINGS = {
  every: undefined,
  "built-in": undefined,
  optional: undefined,
  "not-loaded": {
    code: "not_loaded",
    severity: "warning",
    what: "has brought no tool yet",
  },
  unknown: {
    code: "unknown_name",
    severity: "warning",
    what: "is no tool, group, plugin or MCP server here",
  },
  unmatched: { code: "pattern_unmatched", severity: "warning", what: "fits no tool here" },
  typo: { code: "typo", severity: "error", what: "is no known name" },
  "unknown-group": { code: "unknown_group", severity: "error", what: "is no group" },
  blank: { code: "blank_entry", severity: "error", what: "is empty" },
} as const satisfies Record<MeaningKind, Finding | undefined>;

export function reportNames(
  list: NameList | undefined,
  { use, read, log }: Pick<LayerContext, "read" | "log"> & { use: "allow" | "deny" },
): void {
  for (const [position, entry] of (list?.entries ?? []).entries()) {
    const { kind, nearest } = read(entry);
    const finding = FINDINGS[kind];
    if (!finding || !list) continue;
    log.add({
      severity: finding.severity,
      code: finding.code,
      path: [...list.path, position],
      message: `${quote(entry)} ${finding.what} and ${describeEffect(use, nearest)}.`,
      ...(nearest ? { nearest } : {}),
    });
  }
}

function describeEffect(use: "allow" | "deny", nearest: string | undefined): string {
  if (nearest === undefined) return "matches nothing";
  if (use === "allow") return `matches nothing; perhaps ${quote(nearest)} is meant`;
  return `is read as ${quote(nearest)} until you mend it`;
}
