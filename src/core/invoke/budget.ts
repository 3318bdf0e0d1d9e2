// Stage 6, first part: what a run may spend. It warns at 80 % and stops the call at the limit.

import { nearestName } from "../../lib/nearest-name.js";
import { ToolError, ToolInputError } from "../errors.js";
import { isRecord } from "../schema/json-value.js";

const WARN_SHARE = 0.8;
const MAX_SHOWN_CHARS = 80;

/** Every limit is for the life of one toolkit or one agent run. */
export interface BudgetLimits {
  readonly calls?: number | undefined;
  readonly wallMs?: number | undefined;
  readonly resultChars?: number | undefined;
  readonly tokens?: number | undefined;
  readonly usd?: number | undefined;
}

export type BudgetKind = keyof BudgetLimits;
export type BudgetUse = Readonly<Record<BudgetKind, number>>;

export interface Budget {
  /** Throws ToolError `limit` when something is used up; counts the call otherwise. */
  begin(): void;
  /** Throws a ToolInputError for an unknown field and for what is not a number of 0 or more. */
  spend(use: Partial<BudgetUse>): void;
  warning(): string | undefined;
  used(): BudgetUse;
}

const UNITS: Readonly<Record<BudgetKind, string>> = {
  calls: "calls",
  wallMs: "milliseconds",
  resultChars: "characters of results",
  tokens: "tokens",
  usd: "US dollars",
};
const NOTHING_USED: BudgetUse = { calls: 0, wallMs: 0, resultChars: 0, tokens: 0, usd: 0 };

export function createBudget(limits: BudgetLimits): Budget {
  const used: Record<BudgetKind, number> = { ...NOTHING_USED };
  const kinds = Object.keys(used).filter(isKind);
  const limitOf = (kind: BudgetKind) => limits[kind] ?? Number.POSITIVE_INFINITY;

  return {
    begin() {
      const spent = kinds.find((kind) => used[kind] >= limitOf(kind));
      if (spent) throw usedUp(spent, limitOf(spent));
      used.calls += 1;
    },
    spend(use) {
      assertUse(use);
      for (const kind of kinds) used[kind] += use[kind] ?? 0;
    },
    warning() {
      const near = kinds.find((kind) => used[kind] >= limitOf(kind) * WARN_SHARE);
      if (!near) return undefined;
      return `Budget: ${used[near]} of ${limitOf(near)} ${UNITS[near]} are used. Finish what matters most.`;
    },
    used: () => ({ ...used }),
  };
}

/** A sum that is not a number would never reach a limit, and the budget would be gone unseen. */
function assertUse(use: unknown): void {
  if (!isRecord(use)) throw invalidUse("what was used must be an object");
  for (const [field, value] of Object.entries(use)) {
    if (!isKind(field)) throw unknownField(field);
    const isSound = typeof value === "number" && Number.isFinite(value) && value >= 0;
    if (value !== undefined && !isSound) throw invalidUse(`${field} must be a number of 0 or more`);
  }
}

function isKind(field: string): field is BudgetKind {
  return Object.hasOwn(UNITS, field);
}

function unknownField(field: string): ToolInputError {
  const nearest = nearestName(field, Object.keys(UNITS));
  const hint = nearest === undefined ? "" : ` (did you mean "${nearest}"?)`;
  return invalidUse(`"${field.slice(0, MAX_SHOWN_CHARS)}" is nothing that is counted${hint}`);
}

function invalidUse(what: string): ToolInputError {
  return new ToolInputError(`${what}; give for example { tokens: 1200 }.`, {
    reason: "usage_invalid",
  });
}

function usedUp(kind: BudgetKind, limit: number): ToolError {
  return new ToolError(
    "limit",
    `The budget of ${limit} ${UNITS[kind]} is used up; no further call is made. Raise budgets.${kind} to go on.`,
    { reason: "budget_used_up", details: { budget: kind, limit } },
  );
}

const MAX_TURNS_KEPT = 100;

export interface TurnBudget {
  left(turn: string | number | undefined): number;
  spend(turn: string | number | undefined, chars: number): void;
}

export function createTurnBudget(turnChars: number): TurnBudget {
  const spent = new Map<string | number, number>();
  return {
    left: (turn) =>
      turn === undefined ? turnChars : Math.max(0, turnChars - (spent.get(turn) ?? 0)),
    spend(turn, chars) {
      if (turn === undefined) return;
      spent.set(turn, (spent.get(turn) ?? 0) + chars);
      const oldest = spent.keys().next();
      if (spent.size > MAX_TURNS_KEPT && !oldest.done) spent.delete(oldest.value);
    },
  };
}
