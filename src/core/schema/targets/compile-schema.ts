// `compileSchema`: the form of one tool for one model API.

import { nearestName } from "../../../lib/nearest-name.js";
import { isToolError, ToolError, ToolInputError } from "../../errors.js";
import { readObjectShape } from "../../invoke/argument-shape.js";
import type { DescribedTool } from "../extract.js";
import { cleanSchemaForGemini } from "../gemini.js";
import { deepFreeze, isRecord, isSameJson, showPointer, showText } from "../json-value.js";
import { listSubschemas, mapSubschemas, type Schema } from "../keywords.js";
import { readRequired } from "../normalize.js";
import { inlineLocalRefs, readRef } from "../refs.js";
import { lintSchema } from "./lint.js";
import { withoutIdleDefinitions } from "./local-refs.js";
import { flattenUnions, type ReadParameters, readParameters } from "./read-parameters.js";
import {
  ANTHROPIC_DIALECT,
  type Dialect,
  MCP_DIALECT,
  OPENAI_DIALECT,
  rewriteSchema,
} from "./rewrite.js";
import { makeStrict } from "./strict.js";
import { SCHEMA_TARGETS, type SchemaTarget } from "./target.js";
import {
  GEMINI_DIALECT,
  GENERIC_DIALECT,
  type TypedDialect,
  typeOpenParts,
  typeSchema,
} from "./typed.js";

const COMPILERS: Readonly<Record<SchemaTarget, (source: Source) => Outcome>> = {
  generic: (source) => ({ schema: toTyped(source, GENERIC_DIALECT) }),
  openai: (source) => ({ schema: toDialect(source, OPENAI_DIALECT) }),
  "openai-strict": toStrict,
  anthropic: (source) => ({ schema: toDialect(source, ANTHROPIC_DIALECT) }),
  gemini: (source) => ({ schema: toTyped(source, GEMINI_DIALECT) }),
  mcp: (source) => ({ schema: toDialect(source, MCP_DIALECT) }),
};

export interface CompiledParameters {
  /** Deeply frozen. */
  readonly schema: Schema;
  /** What was dropped or changed against the tool's own schema. */
  readonly report: readonly SchemaChange[];
  /** Only for `openai-strict`; false where the tool is sent by the rules of `openai` instead. */
  readonly strict?: boolean;
}

export interface CompiledSchema extends CompiledParameters {
  readonly name: string;
  readonly description: string;
}

interface ParametersRequest {
  readonly parameters: unknown;
  readonly target: SchemaTarget;
  readonly aliases: Aliases;
}

interface Source extends ReadParameters {
  readonly aliases: Aliases;
}

interface Outcome {
  readonly schema: Schema;
  readonly strict?: boolean;
  readonly notes?: readonly SchemaChange[];
}

export interface SchemaOptions {
  /** Other spellings of parameters to publish: `{ file_path: "path" }`. */
  readonly aliases?: Aliases | undefined;
}

/** Throws a ToolInputError or a ToolError `limit` when the schema cannot be compiled. */
export function compileSchema(
  tool: DescribedTool,
  target: SchemaTarget,
  options: SchemaOptions = {},
): CompiledSchema {
  const aliases = options.aliases ?? {};
  return describe(tool, compileParameters({ parameters: tool.parameters, target, aliases }));
}

export function describe(tool: DescribedTool, compiled: CompiledParameters): CompiledSchema {
  const { name, description } = tool;
  const isDescribed = typeof description === "string" && description.trim() !== "";
  return { name, description: isDescribed ? description : name, ...compiled };
}

/** Throws a ToolInputError or a ToolError `limit` whose message names the target. */
export function compileParameters(request: ParametersRequest): CompiledParameters {
  const { parameters, target, aliases } = request;
  assertTarget(target);
  try {
    const { source, normal } = readParameters(parameters);
    const spelled = Object.keys(aliases).length === 0 ? normal : publishAliases(normal, aliases);
    const outcome = COMPILERS[target]({ source, normal: spelled, aliases });
    const report = [...listChanges(source, outcome.schema), ...(outcome.notes ?? [])];
    const { schema, strict } = outcome;
    return deepFreeze({ schema, report, ...(strict === undefined ? {} : { strict }) });
  } catch (error) {
    throw explainFailure(error, target);
  }
}

function assertTarget(target: unknown): void {
  const known: readonly unknown[] = SCHEMA_TARGETS;
  if (known.includes(target)) return;
  const asked = typeof target === "string" ? target : typeof target;
  const nearest = nearestName(asked, SCHEMA_TARGETS);
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  throw new ToolInputError(
    `Unknown schema target ${showText(asked)}; known: ${SCHEMA_TARGETS.join(", ")}.${hint}`,
    { reason: "target_unknown" },
  );
}

function toDialect({ normal }: Source, dialect: Dialect): Schema {
  return withoutIdleDefinitions(rewriteSchema(normal, dialect));
}

function toTyped({ normal }: Source, dialect: TypedDialect): Schema {
  const plain = inlineLocalRefs(rewriteSchema(normal, OPENAI_DIALECT));
  return typeSchema(cleanSchemaForGemini(typeOpenParts(flattenRefined(plain))), dialect);
}

function flattenRefined(schema: Schema): Schema {
  const inner = mapSubschemas(schema, flattenRefined);
  const isRefined = isRecord(inner.properties) && (inner.anyOf ?? inner.oneOf) !== undefined;
  return isRefined ? flattenUnions(inner) : inner;
}

function toStrict(source: Source): Outcome {
  const open = toDialect(source, OPENAI_DIALECT);
  const made = makeStrict(open, readObjectShape(source.source, source.aliases));
  const faults = made.schema === undefined ? [] : lintSchema(made.schema, "openai-strict");
  const [fault] = faults;
  if (made.schema !== undefined && fault === undefined)
    return { schema: made.schema, strict: true };
  const reason = made.obstacle ?? `${fault?.pointer} ${fault?.message}`;
  const note = { pointer: "/", keyword: "strict", change: "dropped", reason } as const;
  return { schema: open, strict: false, notes: [note] };
}

function explainFailure(error: unknown, target: SchemaTarget): ToolError {
  const prefix = `The schema cannot be compiled for ${target}:`;
  if (!isToolError(error)) {
    return new ToolInputError(`${prefix} it cannot be read; give plain JSON.`, {
      reason: "schema_unreadable",
      cause: error,
    });
  }
  const message = `${prefix} ${error.message}`;
  const options = { reason: error.reason, cause: error, details: error.details };
  return error.code === "invalid_input"
    ? new ToolInputError(message, options)
    : new ToolError(error.code, message, options);
}

export type Aliases = Readonly<Record<string, string>>;

/** Nested objects get the spellings too, because they are accepted there. */
function publishAliases(schema: Schema, aliases: Aliases): Schema {
  const inner = mapSubschemas(schema, (child) => publishAliases(child, aliases));
  const { properties } = inner;
  if (!isRecord(properties)) return inner;
  const published = Object.entries(aliases).filter(
    ([alias, target]) => Object.hasOwn(properties, target) && !Object.hasOwn(properties, alias),
  );
  if (published.length === 0) return inner;
  const spelled = published.map(([alias, target]) => [alias, spell(properties[target], target)]);
  const targets = new Set(published.map(([, target]) => target));
  const { required: _required, ...rest } = inner;
  const required = readRequired(inner).filter((name) => !targets.has(name));
  return {
    ...rest,
    properties: { ...properties, ...Object.fromEntries(spelled) },
    ...(required.length === 0 ? {} : { required }),
  };
}

function spell(property: unknown, target: string): unknown {
  return isRecord(property) ? { ...property, description: `Same as ${target}.` } : property;
}

export interface SchemaChange {
  /** JSON pointer, in the tool's own schema; of what was added, in the compiled one. */
  readonly pointer: string;
  readonly keyword: string;
  readonly change: "added" | "changed" | "dropped";
  /** Where the target's rules alone do not say it. */
  readonly reason?: string;
}

type Path = readonly (string | number)[];

interface Pair {
  readonly before: Schema;
  readonly after: Schema;
  readonly path: Path;
}

export function listChanges(source: unknown, compiled: Schema): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const add = (change: SchemaChange["change"], place: { path: Path; keyword: string }) => {
    changes.push({ pointer: showPointer(place.path), keyword: place.keyword, change });
  };
  compare({ before: isRecord(source) ? source : {}, after: compiled, path: [] });
  return changes;

  function compare(pair: Pair): void {
    const holders = compareSubschemas(pair);
    const { before, after, path } = pair;
    for (const keyword of Object.keys(before)) {
      const place = { path: [...path, keyword], keyword };
      if (!Object.hasOwn(after, keyword)) add("dropped", place);
      else if (!holders.has(keyword) && !isSameJson(before[keyword], after[keyword])) {
        add("changed", place);
      }
    }
    // What a reference stood for is not news.
    if (readRef(before) !== undefined) return;
    for (const keyword of Object.keys(after)) {
      if (!Object.hasOwn(before, keyword)) add("added", { path: [...path, keyword], keyword });
    }
  }

  function compareSubschemas({ before, after, path }: Pair): ReadonlySet<string> {
    const holders = new Set<string>();
    for (const sub of listSubschemas(before)) {
      const keyword = String(sub.path[0]);
      holders.add(keyword);
      if (!Object.hasOwn(after, keyword)) continue;
      const target = valueAt(after, sub.path);
      const inner = [...path, ...sub.path];
      if (isRecord(sub.schema) && isRecord(target)) {
        compare({ before: sub.schema, after: target, path: inner });
      } else if (target !== sub.schema) {
        add(target === undefined ? "dropped" : "changed", { path: inner, keyword });
      }
    }
    return holders;
  }
}

function valueAt(schema: Schema, path: Path): unknown {
  let place: unknown = schema;
  for (const key of path) {
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return undefined;
    place = Reflect.get(place, key);
  }
  return place;
}
