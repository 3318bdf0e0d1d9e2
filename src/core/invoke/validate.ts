// Stage 4: checks arguments. The error names every wrong field, but no value of a secret field.

import type { ToolDefinition } from "../define-tool.js";
import { ToolError, ToolInputError } from "../errors.js";
import type { TimeGuard } from "../ports/run-ports.js";
import { isRecord } from "../schema/json-value.js";
import { compileValidator, needsTimeGuard, toProblems } from "../schema/standard.js";
import type { Problem } from "../schema/validator.js";

const SECRET_NAME =
  /(?:pass(?:word|wd|phrase|code)?|secret|token|credentials?|cookies?|key|authorization)$/i;
const RECEIVED = /, received (?!an array of \d+ items?$)[\s\S]*$/;

export function hideSecret(problem: Problem, words: "ours" | "foreign"): Problem {
  const { path, message } = problem;
  if (!isSecret(path)) return problem;
  return {
    path,
    message:
      words === "ours"
        ? message.replace(RECEIVED, ", received something else")
        : "does not fit the schema",
  };
}

function isSecret(path: string): boolean {
  return path.split(/[.[\]"]+/).some(isSecretName);
}

/** A parameter or variable with such a name holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

const GUARD_MS = 50;

export type Validate = (params: Record<string, unknown>) => unknown;

export async function createValidate(
  definition: Pick<ToolDefinition, "parameters" | "standard">,
  guard: TimeGuard,
): Promise<Validate> {
  const { standard } = definition;
  if (standard) {
    const check = (params: unknown) => standard["~standard"].validate(params);
    const isRisky = await needsTimeGuard(definition.parameters);
    return async (params) => {
      const outcome = await (isRisky ? guard.run(() => check(params), GUARD_MS) : check(params));
      // Types promise an answer; a schema from elsewhere may give none.
      if (!isRecord(outcome)) throw noAnswer(standard["~standard"].vendor);
      if (outcome.issues) {
        const problems = toProblems(outcome.issues);
        throw invalidArguments(problems.map((problem) => hideSecret(problem, "foreign")));
      }
      if (!Object.hasOwn(outcome, "value")) throw noAnswer(standard["~standard"].vendor);
      return outcome.value;
    };
  }
  const validator = await compileValidator(definition.parameters, { guard });
  return (params) => {
    const outcome = validator.check(params);
    if (outcome.ok) return params;
    throw invalidArguments(outcome.problems.map((problem) => hideSecret(problem, "ours")));
  };
}

function noAnswer(vendor: string): ToolError {
  return new ToolError("internal", `The ${vendor} schema gave neither a value nor an issue.`, {
    reason: "schema_silent",
  });
}

function invalidArguments(problems: readonly Problem[]): ToolInputError {
  const lines = problems.map(({ path, message }) =>
    path === "" ? message : `${path}: ${message}`,
  );
  return new ToolInputError(
    `Invalid arguments: ${lines.join("; ")}. Correct them and call again.`,
    {
      reason: "arguments_invalid",
      details: { problems },
    },
  );
}
