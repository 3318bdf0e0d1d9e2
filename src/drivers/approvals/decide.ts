// What the list says of one request: the decision, and which entries would change it.

import {
  type CommandDecision,
  decidePlan,
  findTurningVariable,
  grantFor,
  isExactPattern,
  showInput,
  showWord,
} from "../../core/command/index.js";
import type { CommandGrant, GateRequest } from "../../core/index.js";
import { bindVariables } from "./bind.js";
import type { EffectiveRules, NamedEntry } from "./document/effective.js";

const UNREAD = { reason: "command_unreadable", message: "The command could not be read." } as const;

/** One word without a path, and nothing that a shell would take apart. */
const PLAIN_VALUE = /^[\w.,:+@%=-]*$/;

/** What decisions are made against, the same for every command. */
export interface DecisionGround {
  /** Absolute, links resolved. */
  readonly root: string;
  /** What `~/` in a pattern means. */
  readonly home?: string | undefined;
  readonly safeBins?: readonly string[] | undefined;
  readonly trustedDirs?: readonly string[] | undefined;
}

export type Rules = Pick<EffectiveRules, "security" | "ask" | "entries">;

/** What of a request a decision is about. */
export type Judged = Pick<GateRequest, "plan" | "refusal" | "env">;

export function decide(
  { refusal = UNREAD, ...request }: Judged,
  { rules, ground }: { readonly rules: Rules; readonly ground: DecisionGround },
): CommandDecision {
  const { root, home, safeBins, trustedDirs } = ground;
  const plan = request.plan && bindVariables(request.plan, request.env);
  const planned =
    plan === undefined ? ({ ok: false, refusal } as const) : ({ ok: true, plan } as const);
  const { env } = request;
  return decidePlan({ planned, env, root, home, safeBins, trustedDirs, ...rules });
}

/** Ids of the entries that let it through. */
export function usedEntries({ steps }: CommandDecision): string[] {
  return steps.flatMap((step) => (step.covered ? (step.entry?.id ?? []) : []));
}

/** Whether an entry that let it through holds only for files as they are. */
export function bindsContent({ steps }: CommandDecision): boolean {
  return steps.some((step) => step.covered && isExactPattern(step.entry?.argPattern ?? ""));
}

export interface Proposal {
  /** Empty when nothing can be saved. */
  readonly grants: readonly CommandGrant[];
  readonly onceBecause?: string;
}

/** What `allow-always` would save: only what is missing, and only if it would be enough. */
export function proposeGrants(
  request: Judged,
  basis: { readonly rules: Rules; readonly ground: DecisionGround },
): Proposal {
  const { rules } = basis;
  const { plan, env, refusal = UNREAD } = request;
  if (rules.ask === "always") return once('every command is asked about (ask "always")');
  if (plan === undefined) return once(`only what can be read is saved: ${refusal.message}`);
  const variable = findReachingVariable(env);
  if (variable !== undefined) {
    return once(`the variable ${showWord(variable)} may name files or programs`);
  }
  const { steps } = decide(request, basis);
  const names = Object.keys(env).sort().map(showWord);
  const variables = names.length === 0 ? "" : ` with the variables ${names.join(" ")}`;
  const added = variables + showInput(plan.input);
  const missing = grantFor(bindVariables(plan, env)).filter(
    (_, index) => steps[index]?.covered !== true,
  );
  const grants: CommandGrant[] = [];
  for (const step of missing) {
    if (!step.ok) return once(step.why);
    const { pattern, argPattern } = step.entry;
    grants.push({ pattern, argPattern, shown: step.shown + added });
  }
  const entries = [...rules.entries, ...grants.map(toEntry)];
  const after = decide(request, { ...basis, rules: { ...rules, entries } });
  return after.outcome === "allow" ? { grants } : once(after.message);
}

/** The content of what it names would be bound by no one. */
function findReachingVariable(env: GateRequest["env"]): string | undefined {
  const found = Object.entries(env).find(
    ([name, value]) => !PLAIN_VALUE.test(value) && findTurningVariable({ [name]: value }),
  );
  return found?.[0];
}

function toEntry({ pattern, argPattern }: CommandGrant, index: number): NamedEntry {
  return {
    id: `proposed ${index}`,
    pattern,
    ...(argPattern === undefined ? {} : { argPattern }),
    source: "allow-always",
  };
}

function once(onceBecause: string): Proposal {
  return { grants: [], onceBecause };
}
