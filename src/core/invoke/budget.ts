// Stage 6 of a call, first part: what a run may spend. Checked before each call; at four fifths the
// result carries a warning, at the whole the call is stopped.

import { ToolError } from "../errors.js";

const WARN_SHARE = 0.8;

/** Every limit is for the life of one toolkit or one agent run. */
export interface BudgetLimits {
  readonly calls?: number | undefined;
  /** Milliseconds that calls have run, added up. */
  readonly wallMs?: number | undefined;
  /** Characters of results. */
  readonly resultChars?: number | undefined;
  /** As reported by the caller. */
  readonly tokens?: number | undefined;
  readonly usd?: number | undefined;
}

export type BudgetKind = keyof BudgetLimits;
export type BudgetUse = Readonly<Record<BudgetKind, number>>;

export interface Budget {
  /** Throws ToolError `limit` when something is used up; counts the call otherwise. */
  begin(): void;
  spend(use: Partial<BudgetUse>): void;
  /** One sentence when something is nearly used up. */
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
const KINDS = ["calls", "wallMs", "resultChars", "tokens", "usd"] as const satisfies BudgetKind[];

export function createBudget(limits: BudgetLimits): Budget {
  const used: Record<BudgetKind, number> = {
    calls: 0,
    wallMs: 0,
    resultChars: 0,
    tokens: 0,
    usd: 0,
  };
  const shareOf = (kind: BudgetKind) => used[kind] / (limits[kind] ?? Number.POSITIVE_INFINITY);

  return {
    begin() {
      const spent = KINDS.find(
        (kind) => limits[kind] !== undefined && used[kind] >= (limits[kind] ?? 0),
      );
      if (spent) throw usedUp(spent, limits[spent] ?? 0);
      used.calls += 1;
    },
    spend(use) {
      for (const kind of KINDS) used[kind] += Math.max(0, use[kind] ?? 0);
    },
    warning() {
      const near = KINDS.find((kind) => shareOf(kind) >= WARN_SHARE);
      if (!near) return undefined;
      return `Budget: ${used[near]} of ${limits[near]} ${UNITS[near]} are used. Finish what matters most.`;
    },
    used: () => ({ ...used }),
  };
}

function usedUp(kind: BudgetKind, limit: number): ToolError {
  return new ToolError(
    "limit",
    `The budget of ${limit} ${UNITS[kind]} is used up; no further call is made. Raise budgets.${kind} to go on.`,
    { reason: "budget_used_up", details: { budget: kind, limit } },
  );
}
