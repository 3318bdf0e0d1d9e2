// `defineTool`: what the model sees of a tool, as frozen data.

import type { TObject } from "typebox";
import { assertAliases, assertDefinable } from "./check-definition.js";
import { ToolError, ToolInputError } from "./errors.js";
import type { Clock, RandomSource, TimeGuard } from "./ports/run-ports.js";
import type { ArgumentsOf } from "./schema/build.js";
import { deepFreeze, isRecord } from "./schema/json-value.js";
import { assertSchemaWithinLimits } from "./schema/limits.js";
import {
  isStandardSchema,
  readStandardJsonSchema,
  type StandardOutput,
  type StandardSchema,
} from "./schema/standard.js";
import {
  isToolName,
  type Tool,
  type ToolContext,
  type ToolResult,
  type ToolUpdate,
} from "./tool.js";

export type ParameterSchema = StandardSchema | object;

export type ParametersOf<P> = P extends StandardSchema ? StandardOutput<P> : ArgumentsOf<P>;

export type ContextField = keyof ToolContext;

export const ATTACHED_PORTS = ["models", "gateway", "sessions"] as const satisfies ContextField[];
export type AttachedPorts = Pick<ToolContext, (typeof ATTACHED_PORTS)[number]>;

export interface ToolLimits {
  readonly resultChars: number;
}

/** The context as a tool sees it: what it needs is there, and so are time, chance and limits. */
export type CallContext<Needs extends readonly ContextField[]> = Omit<
  ToolContext,
  Needs[number]
> & {
  readonly [Field in Needs[number]]-?: NonNullable<ToolContext[Field]>;
} & {
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Stops a pattern that would run too long. */
  readonly guard: TimeGuard;
  readonly limits: ToolLimits;
  /** The model has this other tool too, so an answer may send it there. */
  readonly offers: (toolName: string) => boolean;
};

export interface ToolCall<P = Record<string, unknown>, Needs extends readonly ContextField[] = []> {
  readonly id: string;
  readonly params: ParametersOf<P>;
  readonly ctx: CallContext<Needs>;
  /** Aborts when the caller gives up or the deadline passes. */
  readonly signal: AbortSignal;
  update(partial: ToolUpdate): void;
}

export type Execute<Call = never> = (call: Call) => Promise<ToolResult>;

/** What a call may do to the world. */
export interface ToolEffects {
  /** It may take away or overwrite what was there. */
  readonly destructive?: boolean;
  /** The same call made twice does no more than made once. */
  readonly idempotent?: boolean;
  /** It reaches beyond this machine. */
  readonly openWorld?: boolean;
}

/** `{ action: { goto: { action: "navigate" } } }`. What a call says itself goes before. */
export type Synonyms = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>
>;

export interface ToolSpec<P extends ParameterSchema, Needs extends readonly ContextField[]> {
  name: string;
  label?: string;
  /** Written for the model. */
  description: string;
  /** Frozen by `defineTool`. */
  parameters: P;
  /** Context fields without which the tool does not exist. */
  needs?: Needs;
  /** Context fields without which it exists, but every call answers `unavailable`. */
  needsToCall?: readonly ContextField[];
  /** The same for a call that has none of these. */
  needsOneOf?: readonly ContextField[];
  /** Other spellings of parameters: `{ file_path: "path" }`; they hold in nested objects too. */
  aliases?: Readonly<Record<string, string>>;
  /** Other words for values of a parameter, each with the parameters that it means. */
  synonyms?: Synonyms;
  /** Other names the tool answers to, such as `bash` for `exec`. */
  alsoKnownAs?: readonly string[];
  /**
   * Parameters that are accepted but not sent to models, because they do nothing in this context;
   * `host=node` names one value of a choice.
   */
  unsent?: (ctx: ToolContext) => readonly string[];
  /** Lines for the system prompt on how to use the tool well. */
  guidance?: readonly string[];
  ownerOnly?: boolean;
  /** It changes nothing anywhere: no journal row, and clients may call it without asking. */
  readOnly?: boolean;
  /** Effects to show a person before a call; a missing one counts as the worst case. */
  effects?: ToolEffects;
  /** How long one call may take; a tool that has a limit of its own sets this higher. */
  deadlineMs?: number;
  /** Characters of text that the arguments of one call may hold together. */
  maxArgumentChars?: number;
}

type Implementation<Call> =
  | { load: () => Promise<{ execute: Execute<Call> }>; execute?: never; awaits?: never }
  | { execute: Execute<Call>; load?: never; awaits?: never }
  /** Defined, not built: what it waits for, as the end of the sentence "it waits for …". */
  | { awaits: string; execute?: never; load?: never };

export interface ToolDefinition {
  readonly kind: typeof DEFINITION_KIND;
  readonly name: string;
  readonly label: string | undefined;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
  /** The validator that came with a Standard Schema; otherwise `parameters` is compiled. */
  readonly standard: StandardSchema | undefined;
  readonly needs: readonly ContextField[];
  readonly needsToCall: readonly ContextField[];
  readonly needsOneOf?: readonly ContextField[];
  readonly aliases: Readonly<Record<string, string>>;
  readonly synonyms?: Synonyms;
  readonly alsoKnownAs: readonly string[];
  readonly unsent?: (ctx: ToolContext) => readonly string[];
  readonly guidance: readonly string[];
  readonly ownerOnly: boolean;
  readonly readOnly: boolean;
  readonly effects: ToolEffects;
  /** It changes files by its bridge, and nothing else anywhere. */
  readonly filesOnly?: boolean;
  readonly deadlineMs: number;
  readonly maxArgumentChars: number | undefined;
  readonly awaits: string | undefined;
  readonly load: () => Promise<{ execute: Execute }>;
}

export function findUnattached({ needs }: ToolDefinition, ctx: ToolContext): ContextField[] {
  // With a gateway, tools that need sessions run there.
  const isElsewhere = (port: ContextField) => port === "sessions" && ctx.gateway !== undefined;
  return ATTACHED_PORTS.filter(
    (port) => needs.includes(port) && ctx[port] === undefined && !isElsewhere(port),
  );
}

export function describeUnattached(ports: readonly ContextField[]): string {
  const given = `give ${ports.join(", ")} to toolkit.attach()`;
  return ports.every((port) => port === "models")
    ? `needs a model: set agents.defaults.model or the API key of a provider, or ${given}`
    : `needs an agent or a gateway: use it through \`clawtools gateway\`, or ${given}`;
}

/** `null` or `undefined` means: this tool does not exist in this context. */
export type ToolFactory = (
  ctx: ToolContext,
) => Tool | ToolDefinition | Array<Tool | ToolDefinition> | null | undefined;

const DEFINITION_KIND = "clawtools.tool-definition";
const DEFAULT_DEADLINE_MS = 10 * 60_000;

/** Throws a ToolInputError when the name, the schema or an alias cannot work. */
export function defineTool<
  const P extends ParameterSchema,
  const Needs extends readonly ContextField[] = [],
>(spec: ToolSpec<P, Needs> & Implementation<ToolCall<P, Needs>>): ToolDefinition {
  assertDefinable(spec);
  const standard = isStandardSchema(spec.parameters) ? spec.parameters : undefined;
  const parameters = standard
    ? readStandardJsonSchema(standard, spec.name)
    : readPlainSchema(spec.parameters, spec.name);
  assertSchemaWithinLimits(parameters);
  assertObjectSchema(parameters, spec.name);
  assertAliases(spec, parameters);
  return toDefinition(spec, { parameters, standard });
}

/** `defineTool` for the tools of this package, without its checks. */
export function defineBuiltIn<
  const P extends TObject,
  const Needs extends readonly ContextField[] = [],
>(
  spec: ToolSpec<P, Needs> & Implementation<ToolCall<P, Needs>> & Pick<ToolDefinition, "filesOnly">,
): ToolDefinition {
  const parameters = readPlainSchema(spec.parameters, spec.name);
  return toDefinition(spec, { parameters, standard: undefined });
}

/** By its shape, so that a definition made by another copy of this package counts, and a forgery not. */
export function isToolDefinition(value: unknown): value is ToolDefinition {
  return (
    isRecord(value) &&
    value.kind === DEFINITION_KIND &&
    isToolName(value.name) &&
    typeof value.description === "string" &&
    isRecord(value.parameters) &&
    isRecord(value.aliases) &&
    typeof value.load === "function" &&
    typeof value.deadlineMs === "number" &&
    [value.needs, value.needsToCall, value.alsoKnownAs, value.guidance].every(Array.isArray)
  );
}

function toDefinition<Needs extends readonly ContextField[]>(
  spec: ToolSpec<ParameterSchema, Needs> &
    Implementation<never> &
    Pick<ToolDefinition, "filesOnly">,
  { parameters, standard }: Pick<ToolDefinition, "parameters" | "standard">,
): ToolDefinition {
  // Schemas are remembered by identity, so a definition's must never change.
  deepFreeze(parameters);
  return Object.freeze({
    kind: DEFINITION_KIND,
    name: spec.name,
    label: spec.label,
    description: spec.description,
    parameters,
    standard,
    needs: Object.freeze([...(spec.needs ?? [])]),
    needsToCall: Object.freeze([...(spec.needsToCall ?? [])]),
    ...(spec.needsOneOf ? { needsOneOf: Object.freeze([...spec.needsOneOf]) } : {}),
    aliases: Object.freeze({ ...spec.aliases }),
    ...(spec.synonyms ? { synonyms: deepFreeze({ ...spec.synonyms }) } : {}),
    alsoKnownAs: Object.freeze([...(spec.alsoKnownAs ?? [])]),
    ...(spec.unsent ? { unsent: spec.unsent } : {}),
    guidance: Object.freeze([...(spec.guidance ?? [])]),
    ownerOnly: spec.ownerOnly ?? false,
    readOnly: spec.readOnly ?? false,
    effects: Object.freeze({ ...spec.effects }),
    ...(spec.filesOnly ? { filesOnly: true } : {}),
    deadlineMs: spec.deadlineMs ?? DEFAULT_DEADLINE_MS,
    maxArgumentChars: spec.maxArgumentChars,
    awaits: spec.awaits,
    load: readImplementation(spec),
  });
}

function readPlainSchema(schema: unknown, toolName: string): Record<string, unknown> {
  if (isRecord(schema)) return schema;
  throw new ToolInputError(
    `${toolName}: parameters must be a schema object, such as t.object({ … }).`,
    { reason: "schema_invalid" },
  );
}

function assertObjectSchema(schema: Record<string, unknown>, toolName: string): void {
  if (schema.type === "object") return;
  throw new ToolInputError(
    `${toolName}: parameters must be a schema of type "object"; the model sends named arguments. ` +
      "Write alternatives as one object with optional fields.",
    { reason: "schema_invalid" },
  );
}

function readImplementation(spec: {
  name: string;
  needsToCall?: readonly string[];
  load?: () => Promise<{ execute: Execute }>;
  execute?: Execute;
  awaits?: string;
}): () => Promise<{ execute: Execute }> {
  const { load, execute, awaits, needsToCall = [] } = spec;
  if (load) return load;
  if (execute) return () => Promise.resolve({ execute });
  const needs =
    needsToCall.length === 0 ? "" : ` It will need ${needsToCall.join(", ")} in the context.`;
  return () =>
    Promise.reject(
      new ToolError(
        "unavailable",
        `${spec.name} is defined but not built in this version of clawtools: it waits for ${awaits}.${needs}`,
        { reason: "not_built" },
      ),
    );
}
