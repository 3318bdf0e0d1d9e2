// Which schema the calls of a tool are held to: the tool's own wherever a call can fit it, otherwise
// the fixed form that was published. What a model saw must never be refused as a whole.

import { admitNulls } from "./admit-null.js";
import { isRecord } from "./json-value.js";
import type { Schema } from "./keywords.js";
import { assertSchemaWithinLimits } from "./limits.js";
import { readParameters } from "./targets/read-parameters.js";
import { assertWellFormedSchema } from "./well-formed.js";

/** Throws as publishing does for a schema that cannot be fixed. */
export function readCallSchema(parameters: unknown): Schema {
  assertSchemaWithinLimits(parameters);
  if (isRecord(parameters) && admitsObjects(parameters) && isWellFormed(parameters)) {
    return admitNulls(parameters);
  }
  return readParameters(parameters).normal;
}

/** A list of whole argument objects is not published, so it binds no one. */
function admitsObjects({ type, enum: values, const: value }: Schema): boolean {
  if (values !== undefined || value !== undefined) return false;
  return type === undefined || [type].flat().includes("object");
}

function isWellFormed(schema: Schema): boolean {
  try {
    assertWellFormedSchema(schema);
    return true;
  } catch {
    // What is wrong with it will be said if it cannot be fixed either.
    return false;
  }
}
