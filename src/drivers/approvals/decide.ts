// What the list says of one request: the decision, and which entries would change it.

import { type CommandDecision, decidePlan, grantFor } from "../../core/command/index.js";
import type { CommandGrant, GateRequest } from "../../core/index.js";
import type { EffectiveRules, NamedEntry } from "./document/effective.js";

const UNREAD = { reason: "command_unreadable", message: "The command could not be read." } as const;

/** What decisions are made against, the same for every command. */
export interface DecisionGround {
  /** Absolute, links resolved. */
  readonly root: string;
  /** What `~/` in a pattern stands for. */
  readonly home?: string | undefined;
  readonly safeBins?: readonly string[] | undefined;
  readonly trustedDirs?: readonly string[] | undefined;
}

export type Rules = Pick<EffectiveRules, "security" | "ask" | "entries">;

export function decide(
  { plan, refusal = UNREAD }: Pick<GateRequest, "plan" | "refusal">,
  { rules, ground }: { readonly rules: Rules; readonly ground: DecisionGround },
): CommandDecision {
  const { root, home, safeBins, trustedDirs } = ground;
  const planned =
    plan === undefined ? ({ ok: false, refusal } as const) : ({ ok: true, plan } as const);
  return decidePlan({ planned, root, home, safeBins, trustedDirs, ...rules });
}

/** Ids of the entries that let it through. */
export function usedEntries({ steps }: CommandDecision): string[] {
  return steps.flatMap((step) => (step.covered ? (step.entry?.id ?? []) : []));
}

export interface Proposal {
  /** Empty when nothing can be saved. */
  readonly grants: readonly CommandGrant[];
  readonly onceBecause?: string;
}

/** What `allow-always` would save: only what is missing, and only if it would be enough. */
export function proposeGrants(
  request: Pick<GateRequest, "plan" | "refusal">,
  basis: { readonly rules: Rules; readonly ground: DecisionGround },
): Proposal {
  const { rules } = basis;
  const { plan, refusal = UNREAD } = request;
  if (rules.ask === "always") return once('every command is asked about (ask "always")');
  if (plan === undefined) return once(`only what can be read is saved: ${refusal.message}`);
  const { steps } = decide(request, basis);
  const missing = grantFor(plan).filter((_, index) => steps[index]?.covered !== true);
  const grants: CommandGrant[] = [];
  for (const step of missing) {
    if (!step.ok) return once(step.why);
    const { pattern, argPattern } = step.entry;
    grants.push({ pattern, argPattern, shown: step.shown });
  }
  const entries = [...rules.entries, ...grants.map(toEntry)];
  const after = decide(request, { ...basis, rules: { ...rules, entries } });
  return after.outcome === "allow" ? { grants } : once(after.message);
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
