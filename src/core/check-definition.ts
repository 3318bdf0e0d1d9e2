// The checks of `defineTool`: it refuses tools that could never be called or read by a model.

import { ToolInputError } from "./errors.js";
import { isRecord } from "./schema/json-value.js";
import { assertToolName, type ToolContext } from "./tool.js";

const MAX_DEADLINE_MS = 2 ** 31 - 1;
const IMPLEMENTATIONS = ["execute", "load", "awaits"] as const;

const CONTEXT_FIELDS = {
  config: true,
  workspaceDir: true,
  agentDir: true,
  agentId: true,
  sessionKey: true,
  runId: true,
  messageChannel: true,
  agentAccountId: true,
  sandboxed: true,
  root: true,
  bridge: true,
  ownerOnly: true,
  artifacts: true,
  images: true,
  processes: true,
  net: true,
  memory: true,
  browsers: true,
  models: true,
  sessions: true,
  gateway: true,
  environment: true,
  vision: true,
  searchProviders: true,
} as const satisfies Record<keyof ToolContext, true>;

export interface CheckedSpec {
  readonly name: string;
  readonly description: string;
  readonly needs?: readonly string[] | undefined;
  readonly needsToCall?: readonly string[] | undefined;
  readonly alsoKnownAs?: readonly string[] | undefined;
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  readonly synonyms?: Readonly<Record<string, object>> | undefined;
  readonly guidance?: readonly string[] | undefined;
  readonly deadlineMs?: number | undefined;
  readonly maxArgumentChars?: number | undefined;
}

export function assertDefinable(spec: CheckedSpec): void {
  if (!isRecord(spec)) {
    throw new ToolInputError("defineTool takes an object with name, description and parameters.", {
      reason: "definition_invalid",
    });
  }
  assertToolName(spec.name);
  assertLists(spec);
  for (const other of spec.alsoKnownAs ?? []) assertToolName(other);
  if (typeof spec.description !== "string" || spec.description.trim() === "") {
    throw invalid(spec, "a description is required; the model chooses by it.");
  }
  assertImplementation(spec);
  assertFields(spec);
  assertDeadline(spec);
}

function assertLists(spec: CheckedSpec): void {
  for (const key of ["needs", "needsToCall", "alsoKnownAs", "guidance"] as const) {
    if (spec[key] !== undefined && !Array.isArray(spec[key])) {
      throw invalid(spec, `${key} must be a list.`);
    }
  }
}

function assertImplementation(spec: CheckedSpec): void {
  const given = IMPLEMENTATIONS.filter((key) => Reflect.get(spec, key) !== undefined);
  if (given.length !== 1) {
    throw invalid(
      spec,
      "give execute or load (or, for a tool to come, awaits), and only one of them.",
    );
  }
  const [key] = given;
  const wanted = key === "awaits" ? "string" : "function";
  if (key !== undefined && typeof Reflect.get(spec, key) !== wanted) {
    throw invalid(spec, `${key} must be a ${wanted}.`);
  }
}

function assertFields(spec: CheckedSpec): void {
  const fields = [...(spec.needs ?? []), ...(spec.needsToCall ?? [])];
  const strange = fields.find((field) => !Object.hasOwn(CONTEXT_FIELDS, field));
  if (strange === undefined) return;
  const known = Object.keys(CONTEXT_FIELDS).join(", ");
  throw invalid(spec, `needs "${strange}", which is not a context field; known: ${known}.`);
}

function assertDeadline(spec: CheckedSpec): void {
  const { deadlineMs } = spec;
  if (spec.maxArgumentChars !== undefined && !(Number(spec.maxArgumentChars) > 0)) {
    throw invalid(spec, "maxArgumentChars must be a number above 0.");
  }
  const isSound = typeof deadlineMs === "number" && deadlineMs > 0 && deadlineMs <= MAX_DEADLINE_MS;
  if (deadlineMs === undefined || isSound) return;
  throw invalid(
    spec,
    `deadlineMs must be above 0 and at most ${MAX_DEADLINE_MS}; received ${deadlineMs}.`,
  );
}

export function assertAliases(spec: CheckedSpec, parameters: Record<string, unknown>): void {
  const known = collectPropertyNames(parameters);
  for (const [alias, target] of Object.entries(spec.aliases ?? {})) {
    if (!known.has(target)) {
      throw invalid(spec, `alias "${alias}" points to "${target}", which is not a parameter.`);
    }
  }
  assertSynonyms(spec, known);
}

function assertSynonyms(spec: CheckedSpec, known: ReadonlySet<string>): void {
  const words = Object.values(spec.synonyms ?? {}).flatMap((meanings) => Object.values(meanings));
  const named = [...Object.keys(spec.synonyms ?? {}), ...words.flatMap((one) => Object.keys(one))];
  const strange = named.find((name) => !known.has(name));
  if (strange === undefined) return;
  throw invalid(spec, `synonyms name "${strange}", which is not a parameter.`);
}

function collectPropertyNames(schema: Record<string, unknown>): Set<string> {
  const names = new Set<string>();
  const pending: unknown[] = [schema];
  while (pending.length > 0) {
    const node = pending.pop();
    if (!isRecord(node)) continue;
    if (isRecord(node.properties)) {
      for (const [name, child] of Object.entries(node.properties)) {
        names.add(name);
        pending.push(child);
      }
    }
    pending.push(node.items);
  }
  return names;
}

function invalid({ name }: CheckedSpec, what: string): ToolInputError {
  return new ToolInputError(`${name}: ${what}`, { reason: "definition_invalid" });
}
