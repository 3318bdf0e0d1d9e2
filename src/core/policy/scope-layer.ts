// The layer of one scope of the config, and the layer of the model, which decides about apply_patch.

import { type ConfigPath, type PolicyWarningCode, quote, showPath } from "./found.js";
import { closedBy, type Layer, type LayerContext, type LayerId, type Removal } from "./layer.js";
import type { EntryKind } from "./list-entries.js";
import { createListLayer } from "./list-layer.js";
import { compilePattern, foldName, isPattern } from "./names.js";
import { addName, type NameList, type PatchSetting, type Scope } from "./scope.js";
import type { ModelNames } from "./tools.js";

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
    what: "is not a tool, group, plugin or MCP server here",
  },
  unmatched: { code: "pattern_unmatched", severity: "warning", what: "fits no tool here" },
  typo: { code: "typo", severity: "error", what: "is not a known name" },
  "unknown-group": { code: "unknown_group", severity: "error", what: "is not a group" },
  blank: { code: "blank_entry", severity: "error", what: "is empty" },
} as const satisfies Record<EntryKind, Finding | undefined>;

interface Finding {
  readonly code: PolicyWarningCode;
  readonly what: string;
  readonly severity: "warning" | "error";
}

const DOUBTFUL: ReadonlySet<EntryKind> = new Set(["optional", "not-loaded", "unknown"]);

type AllowMode = "filter" | "adds" | "ignored";

export interface AllowReading {
  /** `filter` where the documents speak of no exception, and under `unknownAllow: "deny"`. */
  readonly unknown: "lenient" | "filter";
  readonly besideProfile: boolean;
}

export interface ScopeLayer {
  readonly layer?: Layer;
  /** Its allow list adds to the profile instead of filtering. */
  readonly addsToProfile: boolean;
}

interface ScopeLayerInput {
  readonly id: LayerId;
  readonly scope: Scope | undefined;
  readonly reading: AllowReading;
  readonly context: LayerContext;
}

export const STRICT: AllowReading = { unknown: "filter", besideProfile: false };

export function createScopeLayer({ id, scope, reading, context }: ScopeLayerInput): ScopeLayer {
  if (!scope) return { addsToProfile: false };
  const { path, allow, alsoAllow, deny, fault } = scope;
  const mode = readAllowMode(allow, { reading, context });
  reportNames(alsoAllow, { use: "allow", ...context });
  reportNames(deny, { use: "deny", ...context });
  if (!allow && !alsoAllow && !deny && !fault) return { addsToProfile: false };
  const layer = createListLayer(
    {
      id,
      path,
      allow,
      alsoAllow,
      denies: deny ? [deny] : [],
      // Alone, `alsoAllow` adds to everything.
      allowUse: allow && mode === "filter" ? "filter" : "open",
      faults: fault ? [fault] : [],
    },
    context,
  );
  return { layer, addsToProfile: mode === "adds" };
}

interface GuardInput {
  readonly id: "sandbox" | "subagent";
  readonly path: ConfigPath;
  readonly scopes: readonly (Scope | undefined)[];
  readonly defaults: { readonly allow?: readonly string[]; readonly deny: readonly string[] };
  readonly context: LayerContext;
}

export function createGuardLayer({ id, path, scopes, defaults, context }: GuardInput): Layer {
  const known = scopes.filter((scope) => scope !== undefined);
  const allow = known.find((scope) => scope.allow)?.allow;
  const alsoAllow = known.find((scope) => scope.alsoAllow)?.alsoAllow;
  const denies = known.flatMap(({ deny }) => deny ?? []);
  readAllowMode(allow, { reading: STRICT, context });
  reportNames(alsoAllow, { use: "allow", ...context });
  for (const deny of denies) reportNames(deny, { use: "deny", ...context });
  return createListLayer(
    {
      id,
      path,
      allow,
      alsoAllow,
      denies,
      allowUse: allow || defaults.allow ? "filter" : "open",
      defaults,
      faults: known.flatMap(({ fault }) => fault ?? []),
    },
    context,
  );
}

function readAllowMode(
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
  return `is read as ${quote(nearest)} until you fix it`;
}

const TOOL_KEY = "apply_patch";
const OPENAI_PROVIDERS: ReadonlySet<string> = new Set([
  "openai",
  "openai-codex",
  "azure-openai",
  "azure-openai-responses",
]);
const OPENAI_MAKER = "openai/";

interface ModelLayerInput {
  readonly model: ModelNames | undefined;
  readonly setting: PatchSetting;
}

export function createModelLayer({ model, setting }: ModelLayerInput): Layer | undefined {
  if (!model && !setting.fault && setting.enabled.value !== false) return undefined;
  const removal = judgeModel(model, setting);
  const isClosed = setting.fault !== undefined || setting.allowModels?.fault !== undefined;
  return {
    summary: {
      id: "model",
      source: showPath(setting.enabled.path.slice(0, -1)),
      state: isClosed ? "closed" : "filters",
      ...(removal ? { deny: [TOOL_KEY] } : {}),
    },
    judge: ({ key }) => (key === TOOL_KEY ? removal : undefined),
  };
}

function judgeModel(model: ModelNames | undefined, setting: PatchSetting): Removal | undefined {
  const { enabled, allowModels, fault } = setting;
  if (fault) return { ...closedBy(fault), ...(fault.fix ? { fix: fixBy(fault.fix) } : {}) };
  if (enabled.value === false) {
    const rule = `${showPath(enabled.path)} false`;
    const fix = fixBy({ path: enabled.path, value: true });
    return { rule, reason: `switched off by ${rule}`, fix };
  }
  if (!model) return undefined;
  if (allowModels) return judgeByList(model, allowModels);
  const isOpenAi = OPENAI_PROVIDERS.has(model.provider) || model.model.startsWith(OPENAI_MAKER);
  if (enabled.value === true || isOpenAi) return undefined;
  const rule = `${showPath(enabled.path)} (default)`;
  const reason = `offered to OpenAI models alone unless ${showPath(enabled.path)} is true`;
  return { rule, reason, fix: fixBy({ path: enabled.path, value: true }) };
}

function judgeByList(names: ModelNames, allowModels: NameList): Removal | undefined {
  const { provider, model } = names;
  const spellings = model === "" ? [`${provider}/`] : [`${provider}/${model}`, model];
  const isListed = allowModels.entries.some((entry) => {
    const wanted = foldName(entry);
    const fits = isPattern(wanted) ? compilePattern(wanted) : (name: string) => name === wanted;
    return wanted !== "" && spellings.some(fits);
  });
  const { path, fault } = allowModels;
  if (isListed && !fault) return undefined;
  const name = `${provider}/${model === "" ? "*" : model}`;
  const fix = () => [
    isListed ? { path, value: allowModels.entries } : addName(allowModels, { path, name }),
  ];
  const removal = fault
    ? closedBy(fault)
    : { rule: showPath(path), reason: `${name} is not named by ${showPath(path)}` };
  return { ...removal, fix };
}

function fixBy<T>(edit: T): () => T[] {
  return () => [edit];
}
