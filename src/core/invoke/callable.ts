// One shape for everything that can be called, whether defined or plain: how its arguments are read
// (stages 3 and 4 of a call) and how it runs (the inside of stage 7).

import type { Execute, ToolDefinition, ToolLimits } from "../define-tool.js";
import { ToolError } from "../errors.js";
import type { Clock, RandomSource } from "../ports/clock.js";
import type { TimeGuard } from "../ports/time-guard.js";
import type { Tool, ToolContext, ToolResult, ToolUpdate } from "../tool.js";
import { createPrepare, type Prepare } from "./prepare.js";
import { createValidate, type Validate } from "./validate.js";

/** Plain tools say nothing of their own time. */
const PLAIN_DEADLINE_MS = 10 * 60_000;

export interface RunPorts {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly guard: TimeGuard;
}

export interface CallableRun {
  readonly toolCallId: string;
  readonly params: unknown;
  readonly signal: AbortSignal;
  readonly update: (partial: ToolUpdate) => void;
}

export interface Callable {
  readonly name: string;
  readonly deadlineMs: number;
  /** Calls that change nothing need no journal. */
  readonly readOnly: boolean;
  /** Rejects with a ToolError that names every wrong field. */
  readArguments(raw: unknown, signal: AbortSignal): Promise<unknown>;
  /** `params` have come from `readArguments`. */
  run(run: CallableRun): Promise<ToolResult>;
}

export interface CallableContext {
  readonly ctx: ToolContext;
  readonly limits: ToolLimits;
}

export interface CallableFactory {
  fromDefinition(definition: ToolDefinition, context: CallableContext): Callable;
  fromTool(tool: Tool): Callable;
}

interface Reader {
  readonly prepare: Prepare;
  readonly validate: Validate;
}

type Loaded = Reader & { readonly execute: Execute };

/** Schemas are compiled and implementations loaded at the first call, once per factory. */
export function createCallableFactory(ports: RunPorts): CallableFactory {
  const load = memoize((definition: ToolDefinition) => loadDefinition(definition, ports.guard));
  const readTool = memoize((tool: Tool) => createToolReader(tool, ports.guard));

  return {
    fromDefinition: (definition, { ctx, limits }) => ({
      name: definition.name,
      deadlineMs: definition.deadlineMs,
      readOnly: definition.readOnly,
      async readArguments(raw, signal) {
        assertCallable(definition, ctx);
        const { prepare, validate } = await load(definition, signal);
        return validate(prepare(raw));
      },
      async run({ toolCallId, params, signal, update }) {
        const { execute } = await load(definition, signal);
        const { clock, random } = ports;
        // The arguments have passed the schema and the context its needs: the call is what the
        // definition promised its implementation, which no type can show here.
        return execute({
          id: toolCallId,
          params,
          ctx: { ...ctx, clock, random, limits },
          signal,
          update,
        } as never);
      },
    }),
    fromTool: (tool) => ({
      name: tool.name,
      deadlineMs: PLAIN_DEADLINE_MS,
      readOnly: false,
      async readArguments(raw, signal) {
        const { prepare, validate } = await readTool(tool, signal);
        return validate(prepare(raw));
      },
      run: ({ toolCallId, params, signal, update }) =>
        // `prepare` gives an object and a schema check does not change that.
        tool.execute(toolCallId, params as Record<string, unknown>, signal, update),
    }),
  };
}

/**
 * A load that failed (a missing optional package, say), or that had not ended when its caller gave
 * up, is tried again at the next call.
 */
function memoize<Key extends object, Value>(make: (key: Key) => Promise<Value>) {
  const made = new WeakMap<Key, Promise<Value>>();

  function start(key: Key): Promise<Value> {
    const fresh = make(key);
    made.set(key, fresh);
    return fresh;
  }

  return async (key: Key, signal: AbortSignal): Promise<Value> => {
    const pending = made.get(key) ?? start(key);
    const forget = () => {
      if (made.get(key) === pending) made.delete(key);
    };
    signal.addEventListener("abort", forget, { once: true });
    try {
      return await pending;
    } catch (error) {
      forget();
      throw error;
    } finally {
      signal.removeEventListener("abort", forget);
    }
  };
}

async function loadDefinition(definition: ToolDefinition, guard: TimeGuard): Promise<Loaded> {
  const [validate, { execute }] = await Promise.all([
    createValidate(definition, guard),
    definition.load(),
  ]);
  return { prepare: createPrepare(definition), validate, execute };
}

async function createToolReader({ parameters }: Tool, guard: TimeGuard): Promise<Reader> {
  const validate = await createValidate({ parameters, standard: undefined }, guard);
  return {
    prepare: createPrepare({ parameters, aliases: {}, maxArgumentChars: undefined }),
    validate,
  };
}

function assertCallable(definition: ToolDefinition, ctx: ToolContext): void {
  // What is not built says so first, and names what it will need.
  if (definition.awaits !== undefined) return;
  const missing = definition.needsToCall.filter(
    (field) => ctx[field] === undefined || ctx[field] === null,
  );
  if (missing.length === 0) return;
  throw new ToolError(
    "unavailable",
    `${definition.name} needs ${missing.join(", ")} in the context; pass it when you resolve the tool.`,
    { reason: "missing_context", details: { missing } },
  );
}
