// Standard Schema (zod, valibot, arktype …) through its `~standard` property.

import { ToolInputError } from "../errors.js";
import { showPath } from "./json-value.js";
import type { CompileOptions, Problem, Validator } from "./validator.js";

export async function needsTimeGuard(schema: unknown): Promise<boolean> {
  const validator = await import("./validator.js");
  return validator.isRisky(schema);
}

/** Rejects as `compileValidator` of `validator.ts` does. */
export async function compileValidator(
  schema: unknown,
  options: CompileOptions = {},
): Promise<Validator> {
  const validator = await import("./validator.js");
  return validator.compileValidator(schema, options);
}

const JSON_SCHEMA_TARGET = "draft-2020-12";
const MAX_PROBLEMS = 20;

interface StandardIssue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

type StandardOutcome<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> };

export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (
      value: unknown,
    ) => StandardOutcome<Output> | Promise<StandardOutcome<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?:
      | { readonly input: (options: { target: string }) => Record<string, unknown> }
      | undefined;
  };
}

export type StandardOutput<S extends StandardSchema> = NonNullable<
  S["~standard"]["types"]
>["output"];

export function isStandardSchema(value: unknown): value is StandardSchema {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
  const standard: unknown = Reflect.get(value, "~standard");
  return typeof standard === "object" && standard !== null && "validate" in standard;
}

/** Throws when the schema cannot say itself as JSON Schema: no model could be given it. */
export function readStandardJsonSchema(
  schema: StandardSchema,
  toolName: string,
): Record<string, unknown> {
  const standard = schema["~standard"];
  const converter = standard.jsonSchema;
  if (!converter) {
    throw new ToolInputError(
      `${toolName}: the ${standard.vendor} schema cannot give JSON Schema. Use zod 4.2 or newer, ` +
        "wrap a valibot schema in toStandardJsonSchema() of @valibot/to-json-schema, or give plain JSON Schema.",
      { reason: "schema_not_convertible" },
    );
  }
  try {
    const { $schema: _dialect, ...json } = converter.input({ target: JSON_SCHEMA_TARGET });
    return json;
  } catch (error) {
    throw new ToolInputError(
      `${toolName}: the ${standard.vendor} schema has no JSON Schema form (${String(error)}). ` +
        "Leave out what JSON cannot carry, such as dates, maps and functions.",
      { reason: "schema_not_convertible", cause: error },
    );
  }
}

export function toProblems(issues: ReadonlyArray<StandardIssue>): Problem[] {
  const shown = issues.slice(0, MAX_PROBLEMS).map((issue) => ({
    path: toPath(issue.path ?? []),
    message: issue.message,
  }));
  if (shown.length === 0) return [{ path: "", message: "does not fit the schema" }];
  const left = issues.length - shown.length;
  return left === 0 ? shown : [...shown, { path: "", message: `and ${left} more` }];
}

function toPath(segments: NonNullable<StandardIssue["path"]>): string {
  const keys = segments.map((segment) => (typeof segment === "object" ? segment.key : segment));
  return showPath(keys.map((key) => (typeof key === "number" ? key : String(key))));
}
