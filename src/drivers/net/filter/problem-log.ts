// What was refused or not reached, newest last: a browser only tells that nothing came.

import type { FilterProblem } from "../../../core/browser.js";
import type { Target } from "./target.js";

const MAX_PROBLEMS = 200;

export interface ProblemLog {
  add(target: Pick<Target, "host" | "port">, error: FilterProblem["error"]): void;
  newestOf(
    target: Pick<Target, "host" | "port">,
    options: { readonly sinceMs: number },
  ): FilterProblem | undefined;
  list(): readonly FilterProblem[];
}

export function createProblemLog(now: () => number): ProblemLog {
  const problems: FilterProblem[] = [];
  return {
    add({ host, port }, error) {
      problems.push({ host, port, atMs: now(), error });
      if (problems.length > MAX_PROBLEMS) problems.shift();
    },
    newestOf: ({ host, port }, { sinceMs }) =>
      problems.findLast(
        (problem) => problem.host === host && problem.port === port && problem.atMs >= sinceMs,
      ),
    list: () => [...problems],
  };
}
