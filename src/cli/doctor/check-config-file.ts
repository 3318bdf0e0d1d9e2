// The config: every problem of it, as `config validate` finds them.

import type { LoadedConfig } from "../../config/index.js";
import { toPrintable } from "../../lib/printable.js";
import { shellQuote } from "../../lib/system/shell-quote.js";
import { checkConfig, describeProblem } from "../config-change/check-config.js";
import type { Finding } from "./finding.js";

const MAX_PROBLEM_CHARS = 1_000;

export function checkConfigFile(loaded: LoadedConfig): Finding[] {
  const { path = "", exists } = loaded;
  const { problems } = checkConfig(loaded);
  const file = toPrintable(path, 4_096);
  if (problems.length > 0) {
    return problems.map((problem) => ({
      area: "config",
      level: problem.severity === "error" ? "broken" : "warning",
      what: toSentence(toPrintable(describeProblem(problem), MAX_PROBLEM_CHARS)),
      why:
        problem.severity === "error"
          ? "Nothing runs under a config with an error."
          : "What it says there has no effect.",
      mend: `clawtools config validate ${shellQuote(path)}`,
    }));
  }
  if (exists) return [{ area: "config", level: "ok", what: `${file} has no problems.` }];
  return [
    {
      area: "config",
      level: "note",
      what: `${file} is not there, so every setting has its default.`,
      mend: "clawtools configure",
    },
  ];
}

function toSentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`;
}
