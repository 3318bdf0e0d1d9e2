// Compiles a config and a request into a policy. One function decides, lists and explains.

import { isRecord } from "../schema/json-value.js";
import { buildLayers } from "./build.js";
import {
  type ConfigPath,
  createWarningLog,
  type Edit,
  type PolicyWarning,
  quote,
} from "./found.js";
import { LAYER_IDS, type LayerId, type PolicyLayerSummary, type Removal } from "./layer.js";
import {
  type CompileList,
  createEntryReader,
  createListCompiler,
  type ReadEntry,
} from "./list-entries.js";
import type { BuiltIns } from "./names.js";
import { readSources } from "./sources.js";
import {
  createToolIndex,
  findSubjects,
  type PolicyRequest,
  type PolicyTool,
  type Subject,
  type ToolIndex,
} from "./tools.js";

interface Verdict extends Removal {
  readonly layer: LayerId;
}

type Judge = (subject: Subject) => Verdict | undefined;

interface JudgeInput {
  readonly config: Record<string, unknown>;
  readonly request: PolicyRequest;
  readonly index: ToolIndex;
  readonly read: ReadEntry;
  readonly compileList: CompileList;
}

const MAX_ROUNDS = LAYER_IDS.length * 2;

interface RestoreInput {
  readonly config: ConfigRecord;
  readonly subject: Subject;
  readonly verdict: Verdict;
  readonly judgeWith: (config: ConfigRecord) => Judge;
}

export interface PolicyDenial {
  readonly allowed: false;
  readonly layer: LayerId;
  /** As written in the config: `tools.deny[2] "group:runtime"`. */
  readonly rule: string;
  readonly reason: string;
  /** A config patch after which the tool is there. */
  readonly restore?: Record<string, unknown> | undefined;
}

export type PolicyDecision = { readonly allowed: true } | PolicyDenial;

export interface ToolPolicy {
  /** By name or other name, case-blind; a name that no tool has is denied. */
  decide(name: string): PolicyDecision;
  allows(name: string): boolean;
  readonly warnings: readonly PolicyWarning[];
  readonly layers: readonly PolicyLayerSummary[];
}

export interface PolicyInput {
  readonly config: Record<string, unknown>;
  readonly tools: readonly PolicyTool[];
  readonly request?: PolicyRequest;
}

const ALLOWED: PolicyDecision = Object.freeze({ allowed: true });

export function compilePolicyFor(
  builtIns: BuiltIns,
  { config, tools, request = {} }: PolicyInput,
): ToolPolicy {
  const index = createToolIndex(tools, builtIns);
  const read = createEntryReader(index, config);
  const fixed = { request, index, read, compileList: createListCompiler(read) };
  const { judge, warnings, layers } = compileJudge({ config, ...fixed });
  const judgeWith = (other: Record<string, unknown>) =>
    compileJudge({ config: other, ...fixed }).judge;
  const decided = new Map<string, PolicyDecision>();

  const decideSubject = (subject: Subject): PolicyDecision => {
    const verdict = judge(subject);
    if (!verdict) return ALLOWED;
    return deny(verdict, () => findRestoringPatch({ config, subject, verdict, judgeWith }));
  };

  const decide = (name: string): PolicyDecision => {
    const known = decided.get(name);
    if (known) return known;
    const decisions = findSubjects(index, name).map(decideSubject);
    if (decisions.length === 0) return denyUnknown(name);
    const decision = decisions.find(({ allowed }) => !allowed) ?? ALLOWED;
    // Only the tools' own names are kept: callers can invent spellings without end.
    if (index.byName.has(name)) decided.set(name, decision);
    return decision;
  };

  const allows = (name: string) => decide(name).allowed;
  return Object.freeze({ decide, allows, warnings, layers });
}

export function filterToolsByPolicy<T extends { readonly name: string }>(
  tools: readonly T[],
  policy: Pick<ToolPolicy, "allows">,
): T[] {
  return tools.filter(({ name }) => policy.allows(name));
}

function deny(
  { layer, rule, reason, fix }: Verdict,
  findRestore: () => Record<string, unknown> | undefined,
): PolicyDenial {
  if (!fix) return Object.freeze({ allowed: false, layer, rule, reason });
  let found: { readonly restore: Record<string, unknown> | undefined } | undefined;
  return Object.freeze({
    allowed: false,
    layer,
    rule,
    reason,
    get restore() {
      found ??= { restore: findRestore() };
      return found.restore;
    },
  });
}

function denyUnknown(name: string): PolicyDenial {
  const rule = quote(name);
  return Object.freeze({
    allowed: false,
    layer: "catalog",
    rule,
    reason: `no tool is called ${rule}`,
  });
}

function findRestoringPatch(input: RestoreInput): ConfigRecord | undefined {
  const { config, subject, judgeWith } = input;
  let verdict: Verdict | undefined = input.verdict;
  let fixed = config;
  const done: Edit[] = [];
  for (let round = 0; verdict && round < MAX_ROUNDS; round++) {
    if (!verdict.fix) return undefined;
    const edits = verdict.fix();
    fixed = edits.reduce(applyEdit, fixed);
    done.push(...edits);
    verdict = judgeWith(fixed)(subject);
  }
  const patch = toPatch(
    fixed,
    done.map(({ path }) => path),
  );
  if (!patch) return undefined;
  const tried = mergePatch(isRecord(config) ? config : {}, patch);
  return judgeWith(tried)(subject) ? undefined : patch;
}

function compileJudge(input: JudgeInput) {
  const { config, request, index, read, compileList } = input;
  const log = createWarningLog();
  const sources = readSources({ config, request, log });
  const layers = buildLayers({ sources, request, context: { index, read, compileList, log } });
  const judge: Judge = (subject) => {
    for (const { summary, judge: judgeLayer } of layers) {
      const removal = judgeLayer(subject);
      if (removal) return { layer: summary.id, ...removal };
    }
    return undefined;
  };
  return {
    judge,
    warnings: log.list(),
    layers: Object.freeze(layers.map(({ summary }) => summary)),
  };
}

export type ConfigRecord = Record<string, unknown>;

export function applyEdit(config: ConfigRecord, edit: Edit): ConfigRecord {
  const changed = setAt(config, edit);
  return isRecord(changed) ? changed : config;
}

export function toPatch(
  config: ConfigRecord,
  paths: readonly ConfigPath[],
): ConfigRecord | undefined {
  let patch: ConfigRecord = {};
  for (const path of paths) {
    const part = pickAt(config, path);
    if (!isRecord(part)) return undefined;
    patch = mergePatch(patch, part);
  }
  return patch;
}

export function mergePatch(config: ConfigRecord, patch: ConfigRecord): ConfigRecord {
  const changed = Object.entries(patch).map(([key, value]): [string, unknown] => {
    const before = Object.hasOwn(config, key) ? config[key] : undefined;
    return [key, mergeValue(before, value)];
  });
  return { ...config, ...Object.fromEntries(changed) };
}

function mergeValue(before: unknown, value: unknown): unknown {
  if (isRecord(value)) return mergePatch(isRecord(before) ? before : {}, value);
  if (Array.isArray(before) && isListOfEntries(value)) return value.reduce(mergeEntry, before);
  return value;
}

interface Entry extends ConfigRecord {
  readonly id: string;
}

function mergeEntry(list: readonly unknown[], entry: Entry): readonly unknown[] {
  const position = list.findIndex((item) => isEntry(item) && item.id === entry.id);
  return position === -1
    ? [...list, entry]
    : list.map((item, index) => (index === position ? mergeValue(item, entry) : item));
}

function isEntry(value: unknown): value is Entry {
  return isRecord(value) && Object.hasOwn(value, "id") && typeof value.id === "string";
}

function isListOfEntries(value: unknown): value is readonly Entry[] {
  return Array.isArray(value) && value.length > 0 && value.every(isEntry);
}

function pickAt(value: unknown, path: ConfigPath): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) return value;
  if (typeof segment === "string") {
    const inner = isRecord(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
    const picked = pickAt(inner, rest);
    return picked === undefined ? undefined : { [segment]: picked };
  }
  const entry: unknown = Array.isArray(value) ? value[segment] : undefined;
  const picked = pickAt(entry, rest);
  return isEntry(entry) && isRecord(picked) ? [{ id: entry.id, ...picked }] : undefined;
}

function setAt(target: unknown, { path, value }: Edit): unknown {
  const [segment, ...rest] = path;
  if (segment === undefined) return value;
  if (typeof segment === "number") {
    const items: unknown[] = Array.isArray(target) ? [...target] : [];
    items[segment] = setAt(items[segment], { path: rest, value });
    return items;
  }
  const record = isRecord(target) ? target : {};
  const before = Object.hasOwn(record, segment) ? record[segment] : undefined;
  return { ...record, [segment]: setAt(before, { path: rest, value }) };
}
