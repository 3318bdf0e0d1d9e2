// For whom `schemas`, `prompt` and `explain` are asked, as plain JavaScript may say it.

import { type SchemaRequest, ToolInputError } from "../../core/index.js";

/** Throws a ToolInputError that names the field. */
export function readSchemaRequest(
  given: unknown,
  member: "schemas" | "prompt" | "explain",
): SchemaRequest {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw wrong(`${member} takes an object with provider and model, or nothing.`);
  }
  const provider: unknown = Reflect.get(given, "provider");
  const model: unknown = Reflect.get(given, "model");
  if (!isOptionalText(provider)) throw wrong(`${member}: provider must be a text.`);
  if (!isOptionalText(model)) throw wrong(`${member}: model must be a text.`);
  return { provider, model };
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function wrong(message: string): ToolInputError {
  return new ToolInputError(message, { reason: "options_invalid" });
}
