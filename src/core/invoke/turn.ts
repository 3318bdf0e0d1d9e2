// How much text the calls of one turn may bring into the context together. Calls that share a turn
// share its allowance; a call without a turn is a turn of its own.

const MAX_TURNS_KEPT = 100;

export interface TurnBudget {
  /** Characters that are left for this call. */
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
