// What is wrong with a config, and a list of it that cannot grow without end.

type Severity = "warning" | "error";

export interface ConfigProblem {
  /** `tools.exec.timeoutSec`, `agents.list[0].id`; "" for the config as a whole. */
  readonly path: string;
  readonly severity: Severity;
  readonly message: string;
}

const MAX_PROBLEMS = 100;

export interface ProblemList {
  add(problem: ConfigProblem): void;
  /** At most 100 and one that counts the rest; errors are never counted away by warnings. */
  list(): ConfigProblem[];
  hasErrors(): boolean;
}

export function createProblemList(): ProblemList {
  const found: Record<Severity, ConfigProblem[]> = { error: [], warning: [] };
  const left: Record<Severity, number> = { error: 0, warning: 0 };
  const inOrder: ConfigProblem[] = [];
  return {
    add(problem) {
      const { severity } = problem;
      if (found[severity].length >= MAX_PROBLEMS / 2) {
        left[severity] += 1;
        return;
      }
      found[severity].push(problem);
      inOrder.push(problem);
    },
    list: () => [...inOrder, ...countLeft("error", left), ...countLeft("warning", left)],
    hasErrors: () => found.error.length > 0,
  };
}

function countLeft(severity: Severity, left: Record<Severity, number>): ConfigProblem[] {
  if (left[severity] === 0) return [];
  return [{ path: "", severity, message: `and ${left[severity]} more` }];
}
