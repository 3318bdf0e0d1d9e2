// A model descriptor as a stored record with snake_case keys, and back.
// A record comes from outside, so reading one checks every field.

import type { ModelCost, ModelDescriptor } from "../core/connector.js";
import { ToolInputError } from "../core/index.js";
import { withoutUndefined } from "../lib/without-undefined.js";

const INPUT_KINDS = ["text", "image"] as const;

export interface SerializedModel {
  id: string;
  name?: string;
  api: string;
  provider: string;
  base_url?: string;
  reasoning?: boolean;
  input?: ("text" | "image")[];
  cost?: { input: number; output: number; cache_read: number; cache_write: number };
  context_window?: number;
  max_tokens?: number;
  headers?: Record<string, string>;
  compat?: Record<string, unknown>;
}

/** Fields that the descriptor does not have are left out. */
export function serializeModel(model: ModelDescriptor): SerializedModel {
  const { id, name, api, provider, baseUrl, reasoning, input, cost } = model;
  const { contextWindow, maxTokens, headers, compat } = model;
  return {
    id,
    api,
    provider,
    ...withoutUndefined({
      name,
      base_url: baseUrl,
      reasoning,
      input: input && [...input],
      cost: cost && serializeCost(cost),
      context_window: contextWindow,
      max_tokens: maxTokens,
      headers: headers && { ...headers },
      compat: compat && { ...compat },
    }),
  };
}

/** Throws a ToolInputError that names the wrong field. Unknown keys are left out. */
export function deserializeModel(record: unknown): ModelDescriptor {
  const fields = readObject(record, "model");
  const optional = <T>(key: keyof SerializedModel, read: FieldReader<T>): T | undefined =>
    fields[key] === undefined ? undefined : read(fields[key], `model.${key}`);
  return {
    id: readText(fields.id, "model.id"),
    api: readText(fields.api, "model.api"),
    provider: readText(fields.provider, "model.provider"),
    ...withoutUndefined({
      name: optional("name", readText),
      baseUrl: optional("base_url", readText),
      reasoning: optional("reasoning", readFlag),
      input: optional("input", readInput),
      cost: optional("cost", readCost),
      contextWindow: optional("context_window", readAmount),
      maxTokens: optional("max_tokens", readAmount),
      headers: optional("headers", readHeaders),
      compat: optional("compat", readObject),
    }),
  };
}

function serializeCost(cost: ModelCost): NonNullable<SerializedModel["cost"]> {
  const { input, output, cacheRead, cacheWrite } = cost;
  return { input, output, cache_read: cacheRead, cache_write: cacheWrite };
}

type FieldReader<T> = (value: unknown, path: string) => T;

function readText(value: unknown, path: string): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw wrongField(path, "a text that is not blank");
}

function readFlag(value: unknown, path: string): boolean {
  if (typeof value === "boolean") return value;
  throw wrongField(path, "true or false");
}

function readAmount(value: unknown, path: string): number {
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  throw wrongField(path, "a number of 0 or more");
}

function readInput(value: unknown, path: string): ("text" | "image")[] {
  if (!Array.isArray(value)) throw wrongField(path, "a list");
  return value.map((entry: unknown, index) => {
    const kind = INPUT_KINDS.find((known) => known === entry);
    if (kind === undefined) throw wrongField(`${path}[${index}]`, '"text" or "image"');
    return kind;
  });
}

function readCost(value: unknown, path: string): ModelCost {
  const cost = readObject(value, path);
  return {
    input: readAmount(cost.input, `${path}.input`),
    output: readAmount(cost.output, `${path}.output`),
    cacheRead: readAmount(cost.cache_read, `${path}.cache_read`),
    cacheWrite: readAmount(cost.cache_write, `${path}.cache_write`),
  };
}

function readHeaders(value: unknown, path: string): Record<string, string> {
  const entries = Object.entries(readObject(value, path));
  return Object.fromEntries(
    entries.map(([name, text]): [string, string] => {
      if (typeof text !== "string") throw wrongField(`${path}.${name}`, "a text");
      return [name, text];
    }),
  );
}

/** A copy with own keys only, so that nothing is read from a prototype. */
function readObject(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrongField(path, "an object");
  }
  return { ...value };
}

/** Names the field and never its value: headers may hold a key. */
function wrongField(path: string, expected: string): ToolInputError {
  return new ToolInputError(`${path} must be ${expected}.`, { reason: "model_invalid" });
}
