// Checks a plain object against the schema. What comes out is safe to read key by key.

import { nearestName } from "../lib/nearest-name.js";
import { checkValue, isObject } from "./check/check-value.js";
import { copyPlain } from "./check/copy-plain.js";
import { holdsRules } from "./check/restriction.js";
import { checkRules } from "./check/rules.js";
import { listNames, wordsForReceived } from "./check/words.js";
import { type ConfigProblem, createProblemList, type ProblemList } from "./problem.js";
import { type ClawtoolsConfig, configSchemaNode, type SchemaNode } from "./schema.js";

export interface ParsedConfig {
  /** False when a problem is an error; then `config` removes every tool and plugin. */
  readonly ok: boolean;
  readonly config: ClawtoolsConfig;
  readonly problems: ConfigProblem[];
}

export interface ParseOptions {
  /** Paths of values that no message may show. */
  readonly hiddenPaths?: ReadonlySet<string>;
  /** The file of another program: sections that mean nothing here are named once, all together. */
  readonly origin?: "own" | "foreign";
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Never throws. Unknown keys are warnings and are kept, unless they restrict; those and wrong values are errors. Nothing may run
 * under a config that is wrong, so with an error `config` is one that offers nothing.
 */
export function parseConfig(value: unknown): ParsedConfig {
  return parseConfigFrom(value, {});
}

export function parseConfigFrom(value: unknown, options: ParseOptions): ParsedConfig {
  const problems = createProblemList();
  const config = check(value, { ...options, problems });
  if (config === undefined)
    return { ok: false, config: nothingOffered(), problems: problems.list() };
  return { ok: true, config, problems: problems.list() };
}

function check(
  value: unknown,
  options: ParseOptions & { readonly problems: ProblemList },
): ClawtoolsConfig | undefined {
  const { problems, hiddenPaths = NONE } = options;
  const copy = copyPlain(value, { problems, path: [] });
  if (problems.hasErrors()) return undefined;
  if (!isObject(copy)) {
    const received = wordsForReceived(copy, { hidden: true });
    problems.add({
      path: "",
      severity: "error",
      message: `expected an object, received ${received}`,
    });
    return undefined;
  }
  const node = configSchemaNode();
  const known = options.origin === "foreign" ? withoutForeign(copy, { node, problems }) : copy;
  checkValue(known, { node, path: [], problems, hiddenPaths });
  for (const problem of checkRules(copy)) problems.add(problem);
  // The border: the schema has just found nothing wrong with it.
  return problems.hasErrors() ? undefined : (copy as ClawtoolsConfig);
}

/** A mistyped name of ours is no foreign section. */
function withoutForeign(
  value: Record<string, unknown>,
  context: { readonly node: SchemaNode; readonly problems: ProblemList },
): Record<string, unknown> {
  const known = Object.keys(context.node.properties ?? {});
  const isForeign = (name: string) =>
    !known.includes(name) && nearestName(name, known) === undefined && !holdsRules(value[name]);
  const foreign = Object.keys(value).filter(isForeign);
  if (foreign.length > 0) {
    const message = `not used here: ${listNames(foreign)}`;
    context.problems.add({ path: "", severity: "warning", message });
  }
  return Object.fromEntries(Object.entries(value).filter(([name]) => !isForeign(name)));
}

function nothingOffered(): ClawtoolsConfig {
  return { tools: { deny: ["*"] }, plugins: { enabled: false } };
}
