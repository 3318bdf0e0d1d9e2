// Compiles a config and a request into a policy. One function decides about a tool; listing,
// explaining and calling all ask it, so they cannot disagree.

import { isRecord } from "../schema/json-value.js";
import type { Edit } from "./config/found.js";
import { applyEdit, type ConfigRecord, mergePatch, toPatch } from "./config/patch.js";
import { quote } from "./config/path.js";
import { readSources } from "./config/sources.js";
import { LAYER_IDS, type LayerId, type PolicyLayerSummary, type Removal } from "./layer.js";
import { buildLayers } from "./layers/build.js";
import { type CompileList, createListCompiler } from "./names/matcher.js";
import { createMeaningReader, type ReadMeaning } from "./names/meaning.js";
import {
  createToolIndex,
  findSubjects,
  type PolicyTool,
  type Subject,
  type ToolIndex,
} from "./names/tool-index.js";
import type { PolicyRequest } from "./request.js";
import { createWarningLog, type PolicyWarning } from "./warnings.js";

/** A removal with the layer that did it. */
interface Verdict extends Removal {
  readonly layer: LayerId;
}

/** The first removal, or `undefined` when the tool is left. */
type Judge = (subject: Subject) => Verdict | undefined;

interface JudgeInput {
  readonly config: Record<string, unknown>;
  readonly request: PolicyRequest;
  readonly index: ToolIndex;
  readonly read: ReadMeaning;
  readonly compileList: CompileList;
}

interface Judgement {
  readonly judge: Judge;
  readonly warnings: readonly PolicyWarning[];
  readonly layers: readonly PolicyLayerSummary[];
}

/** A layer may need fixing twice: first its shape, then its lists. */
const MAX_ROUNDS = LAYER_IDS.length * 2;

interface RestoreInput {
  readonly config: ConfigRecord;
  readonly subject: Subject;
  /** How the tool was removed. */
  readonly verdict: Verdict;
  /** Decides by another config. */
  readonly judgeWith: (config: ConfigRecord) => Judge;
}

export interface PolicyDenial {
  readonly allowed: false;
  readonly layer: LayerId;
  /** As written in the config: `tools.deny[2] "group:runtime"`. */
  readonly rule: string;
  readonly reason: string;
  /**
   * A config patch after which the tool is there; absent when no config can bring it. Objects are
   * merged, list entries by their id, the rest is replaced. Looked for when it is first read.
   */
  readonly restore?: Record<string, unknown> | undefined;
}

export type PolicyDecision = { readonly allowed: true } | PolicyDenial;

export interface ToolPolicy {
  /** By name or other name, case-blind; a name that no tool has is denied. */
  decide(name: string): PolicyDecision;
  allows(name: string): boolean;
  readonly warnings: readonly PolicyWarning[];
  /** The layers in force, in the order in which they are asked. */
  readonly layers: readonly PolicyLayerSummary[];
}

export interface PolicyInput {
  /** The shape of `clawtools.json`. */
  readonly config: Record<string, unknown>;
  readonly tools: readonly PolicyTool[];
  /** Default: nothing is known of who asks. */
  readonly request?: PolicyRequest;
}

const ALLOWED: PolicyDecision = Object.freeze({ allowed: true });

export function compilePolicy({ config, tools, request = {} }: PolicyInput): ToolPolicy {
  const index = createToolIndex(tools);
  const read = createMeaningReader(index, config);
  const fixed = { request, index, read, compileList: createListCompiler(read) };
  const { judge, warnings, layers } = compileJudge({ config, ...fixed });
  const judgeWith = (other: Record<string, unknown>) =>
    compileJudge({ config: other, ...fixed }).judge;
  const decided = new Map<string, PolicyDecision>();
  // Next to the decisions, because filtering asks for nothing else and asks often.
  const verdicts = new Map<string, boolean>();

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
    if (index.byName.has(name)) {
      decided.set(name, decision);
      verdicts.set(name, decision.allowed);
    }
    return decision;
  };

  const allows = (name: string) => verdicts.get(name) ?? decide(name).allowed;
  return Object.freeze({ decide, allows, warnings, layers });
}

/** Keeps what the policy leaves, in order, the same objects. */
export function filterToolsByPolicy<T extends { readonly name: string }>(
  tools: readonly T[],
  policy: Pick<ToolPolicy, "allows">,
): T[] {
  return tools.filter(({ name }) => policy.allows(name));
}

/** `compilePolicy` under its documented name. */
export { compilePolicy as resolveEffectiveToolPolicy };

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

/** `undefined` when no config can bring the tool back. */
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

function compileJudge(input: JudgeInput): Judgement {
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
