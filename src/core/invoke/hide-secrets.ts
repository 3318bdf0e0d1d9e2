// What a wrong argument said is repeated to the model, so that it can fix it; not so for fields that
// are named like a secret: the answer stays in transcripts and logs.

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
