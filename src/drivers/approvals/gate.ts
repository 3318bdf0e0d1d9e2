// The gate in front of every command: decides by the grants, asks where it must, and gives a pass.

import type { ApprovalsDocument } from "../../config/index.js";
import {
  type CommandDecision,
  findProfile,
  namesOf,
  type PlanStep,
  plainArguments,
  scanCommand,
} from "../../core/command/index.js";
import {
  type Approver,
  abortError,
  type Clock,
  type CommandGate,
  type CommandGrant,
  type GatePass,
  type GateRequest,
  isToolError,
  type RandomSource,
  type Store,
} from "../../core/index.js";
import type { ProcessOwners } from "../../lib/system/rename-lock.js";
import { createAsking } from "./asking.js";
import {
  bindsContent,
  createPass,
  type DecisionGround,
  decide,
  type Judged,
  proposeGrants,
  type Rules,
  toEntry,
  usedEntries,
} from "./decide.js";
import {
  type AnswerPlace,
  allowForGood,
  denied,
  type NextStep,
  programMissing,
  securityDeny,
} from "./errors.js";
import { type EffectiveRules, type EntryUse, markUsed, readEffective } from "./grants/document.js";
import type { GrantsFile } from "./grants/grants-file.js";
import { EMPTY_APPROVALS } from "./grants/read-file.js";

/** Later uses are written together. */
const WRITE_EVERY_MS = 30_000;
const MAX_ARGUMENT_CHARS = 120;
const UNSEEN = /[\p{C}\p{M}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const SPECIAL = /[\\^$.*+?()[\]{}|]/g;
const DEFAULT_TIMEOUT_MS = 300_000;
const USUAL_PLACE: AnswerPlace = { list: "file", isShared: true };

export interface CommandGateOptions extends DecisionGround {
  readonly grantsFile: GrantsFile;
  /** Other processes are asked through the store. */
  readonly approver?: Approver | undefined;
  /** Default 5 minutes. */
  readonly timeoutMs?: number | undefined;
  /** undefined: only `approver` can be asked. */
  readonly store: () => Promise<Store | undefined>;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly owners: ProcessOwners;
  /** Default: the usual state folder. */
  readonly place?: AnswerPlace | undefined;
  /** For problems that do not stop a command. */
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

export interface ClosableGate extends CommandGate {
  /** The store stays open. */
  close(): Promise<void>;
}

type Unread = Omit<GateRequest, "plan" | "refusal">;

export function createCommandGate(options: CommandGateOptions): ClosableGate {
  const { grantsFile, clock, place = USUAL_PLACE, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const usage = createGrantUsage(options);
  const asking = createAsking({ ...options, timeoutMs, place });

  function allow(
    request: GateRequest,
    { by, decision }: Pick<GatePass, "by"> & { readonly decision: CommandDecision },
  ) {
    usage.note(usedEntries(decision), request);
    const holdsFor = by === "allowlist" && !bindsContent(decision) ? "words" : "content";
    return createPass({ by, rule: decision.message, request, clock, holdsFor });
  }

  /** Readable grants first, else an exact one. */
  function findNextStep(request: GateRequest, rules: EffectiveRules): NextStep {
    const { agentId } = request;
    if (rules.ask === "always") return allowForGood([], { place, agentId });
    const basis = { rules, ground: options };
    const readable = proposeReadable(request, basis);
    const grants = readable.length > 0 ? readable : proposeGrants(request, basis).grants;
    return allowForGood(grants, { place, agentId });
  }

  function fallBack(
    request: GateRequest,
    { rules, refusal }: { readonly rules: EffectiveRules; readonly refusal: unknown },
  ): GatePass {
    if (rules.askFallback === "full") {
      return createPass({ by: "full", rule: 'askFallback "full"', request, clock });
    }
    if (rules.askFallback === "deny") throw refusal;
    const strict = { ...rules, security: "allowlist", ask: "off" } as const;
    const decision = decide(request, { rules: strict, ground: options });
    if (decision.outcome !== "allow") throw refusal;
    return allow(request, { by: "allowlist", decision });
  }

  async function readRules(request: Unread): Promise<EffectiveRules> {
    const document = await readDocument(grantsFile, request);
    return readEffective(document, { ...request, nowMs: clock.now() });
  }

  return {
    async passesAll(request) {
      if (request.security !== "full" || request.ask !== "off") return false;
      const { security, ask } = await readRules(request);
      return security === "full" && ask === "off";
    },
    async authorise(request) {
      if (request.signal.aborted) throw abortError(request.signal);
      const rules = await readRules(request);
      if (rules.security === "deny") throw securityDeny(request, grantsFile.place);
      const decision = decide(request, { rules, ground: options });
      const next = () => findNextStep(request, rules);
      if (decision.outcome !== "allow") assertFound(request);
      if (decision.outcome === "deny") throw denied(request, { decision, next: next() });
      if (decision.outcome === "allow") {
        return allow(request, { by: rules.security === "full" ? "full" : "allowlist", decision });
      }
      const proposal = proposeGrants(request, { rules, ground: options });
      const outcome = await asking.ask({ request, proposal, why: decision.message, next });
      return outcome.isAnswered
        ? outcome.pass
        : fallBack(request, { rules, refusal: outcome.refusal });
    },
    async close() {
      await asking.settle();
      await usage.close();
    },
  };
}

/** Approval would not help. In a longer line an earlier step may create the program. */
function assertFound(request: GateRequest): void {
  const { command, refusal } = request;
  if (refusal?.reason !== "unknown_program") return;
  const scanned = scanCommand(command);
  if (scanned.ok && scanned.steps.length === 1) throw programMissing(request, refusal.message);
}

/** Unreadable grants stop every command except contained ones that may do anything. */
async function readDocument(grantsFile: GrantsFile, request: Unread): Promise<ApprovalsDocument> {
  try {
    return await grantsFile.read();
  } catch (error) {
    const isBroken = isToolError(error) && error.reason === "approvals_broken";
    const { host, security, ask } = request;
    const isContained = host === "sandbox" && security === "full" && ask === "off";
    if (isBroken && isContained) return EMPTY_APPROVALS;
    throw error;
  }
}

/** One for each uncovered step; empty when they would not be enough. */
function proposeReadable(
  request: Judged,
  { rules, ground }: { readonly rules: Rules; readonly ground: DecisionGround },
): readonly CommandGrant[] {
  const strict = { ...rules, security: "allowlist", ask: "off" } as const;
  const decideWith = (grants: readonly CommandGrant[]) => {
    const entries = [...rules.entries, ...grants.map(toEntry)];
    return decide(request, { rules: { ...strict, entries }, ground });
  };
  const missing = decideWith([]).steps.flatMap(({ covered }, index) => (covered ? [] : [index]));
  const grants = missing.flatMap((index) => {
    const step = request.plan?.steps[index];
    const isEnough = (grant: CommandGrant) => decideWith([grant]).steps[index]?.covered === true;
    return (step && listEntries(step).find(isEnough)) ?? [];
  });
  const isWhole = grants.length > 0 && decideWith(grants).outcome === "allow";
  return isWhole ? grants.filter((grant, index) => !isRepeated(grant, grants.slice(0, index))) : [];
}

/** Shortest first. Only a profile makes a bare name safe to grant. */
function listEntries(step: PlanStep): CommandGrant[] {
  const { argv, facts } = step;
  const text = plainArguments(step).join(" ");
  const names = facts.lookup === "search" ? [argv[0] ?? facts.file, facts.file] : [facts.file];
  const bare = findProfile(namesOf(step)) ? names : [];
  const isShowable = text.length <= MAX_ARGUMENT_CHARS && !UNSEEN.test(text);
  const argPattern = `^${text.replace(SPECIAL, "\\$&")}$`;
  return [
    ...bare.map((pattern) => ({ pattern })),
    ...(isShowable ? names.map((pattern) => ({ pattern, argPattern })) : []),
  ];
}

function isRepeated(grant: CommandGrant, before: readonly CommandGrant[]): boolean {
  return before.some(
    ({ pattern, argPattern }) => pattern === grant.pattern && argPattern === grant.argPattern,
  );
}

interface GrantUsageDeps {
  readonly grantsFile: GrantsFile;
  readonly clock: Clock;
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

function createGrantUsage({ grantsFile, clock, report }: GrantUsageDeps) {
  let uses = new Map<string, EntryUse>();
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    if (uses.size === 0) return;
    const noted = uses;
    uses = new Map();
    try {
      await grantsFile.change((document) => markUsed(document, noted));
    } catch (cause) {
      report({
        message: `When entries of ${grantsFile.place} were used could not be written.`,
        cause,
      });
    }
  }

  function writeInTurn(): Promise<void> {
    writtenAtMs = clock.now();
    writing = writing.then(write);
    return writing;
  }

  return {
    note(entryIds: readonly string[], { command, plan }: GateRequest) {
      if (entryIds.length === 0) return;
      const use = { atMs: clock.now(), command, resolvedPath: plan?.steps[0]?.program.path };
      for (const id of entryIds) uses.set(id, use);
      if (clock.now() - writtenAtMs >= WRITE_EVERY_MS) void writeInTurn();
    },
    close: writeInTurn,
  };
}
