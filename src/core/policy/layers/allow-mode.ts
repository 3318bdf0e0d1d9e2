// How an allow list is read. It is a filter, but for two documented cases: beside a profile a list
// that names optional tools alone adds them to the profile; without one, a list that names nothing
// at hand is left out of account. A slip is never such a case.

import { quote } from "../config/path.js";
import type { NameList } from "../config/scope.js";
import type { MeaningKind } from "../names/meaning.js";
import type { LayerContext } from "./context.js";
import { reportNames } from "./report-names.js";

export type AllowMode = "filter" | "adds" | "ignored";

/** Kinds of entries that leave room for doubt; with any other the list is a filter. */
const DOUBTFUL: ReadonlySet<MeaningKind> = new Set(["optional", "not-loaded", "unknown"]);

export interface AllowReading {
  /** `filter` where the documents speak of no exception, and under `unknownAllow: "deny"`. */
  readonly unknown: "lenient" | "filter";
  /** The lists stand beside a profile that restricts. */
  readonly besideProfile: boolean;
}

export function readAllowMode(
  list: NameList | undefined,
  { reading, context }: { reading: AllowReading; context: LayerContext },
): AllowMode {
  if (!list) return "filter";
  const mode = chooseMode(list, { reading, context });
  if (mode === "ignored") reportIgnored(list, context);
  else reportNames(list, { use: "allow", ...context });
  if (list.entries.length === 0 && !list.fault) reportEmpty(list, context);
  return mode;
}

function chooseMode(
  list: NameList,
  { reading, context }: { reading: AllowReading; context: LayerContext },
): AllowMode {
  const kinds = list.entries.map((entry) => context.read(entry).kind);
  const isPlain = list.fault !== undefined || kinds.length === 0 || reading.unknown === "filter";
  if (isPlain || kinds.some((kind) => !DOUBTFUL.has(kind))) return "filter";
  if (reading.besideProfile) return "adds";
  return kinds.includes("optional") ? "filter" : "ignored";
}

function reportIgnored(list: NameList, { log }: LayerContext): void {
  const names = list.entries.map(quote).join(", ");
  log.add({
    severity: "warning",
    code: "allow_ignored",
    path: list.path,
    message: `No tool here is called ${names}, so this list is left out of account. Set tools.unknownAllow to "deny" to let nothing pass instead.`,
  });
}

function reportEmpty(list: NameList, { log }: LayerContext): void {
  log.add({
    severity: "warning",
    code: "empty_allow",
    path: list.path,
    message: "An empty list allows nothing. Leave the key out to allow everything.",
  });
}
