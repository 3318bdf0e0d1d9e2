// One shape for all tools: how arguments are read (stages 3 and 4) and how the tool runs (stage 7).

import {
  describeUnattached,
  type Execute,
  findUnattached,
  type ToolDefinition,
  type ToolLimits,
} from "../define-tool.js";
import { ToolError } from "../errors.js";
import {
  type BridgeLines,
  beginInTurn,
  joinLine,
  linesOf,
  type RecordCall,
  readInLine,
  withRecording,
} from "../files/call-line.js";
import type { Turn } from "../files/with-files.js";
import { defaultsOf, type RunPorts, type TimeGuard } from "../ports/run-ports.js";
import { readCallSchema } from "../schema/targets/read-parameters.js";
import type { Tool, ToolContext, ToolResult, ToolUpdate } from "../tool.js";
import { findRemote, runInGateway } from "./in-gateway.js";
import { createPrepare, type Prepare } from "./prepare.js";
import type { TextEncoding } from "./request.js";
import { createValidate, type Validate } from "./validate.js";

const PLAIN_DEADLINE_MS = 10 * 60_000;

export interface CallableRun {
  readonly toolCallId: string;
  readonly params: unknown;
  readonly signal: AbortSignal;
  readonly update: (partial: ToolUpdate) => void;
  readonly place?: Turn | undefined;
  /** Of one that changes files only: asked before its first change, which waits for it. */
  readonly begin?: (() => Promise<unknown>) | undefined;
}

export interface ArgumentReading {
  readonly signal: AbortSignal;
  readonly encoding?: TextEncoding | undefined;
}

export interface Callable {
  readonly name: string;
  readonly deadlineMs: number;
  readonly readOnly: boolean;
  readonly filesOnly?: boolean | undefined;
  /** Throws, or rejects with, a ToolError that names every wrong field. */
  readArguments(raw: unknown, reading: ArgumentReading): unknown;
  /**
   * Tools that work on files begin in the order in which they lined up, whatever is loaded, opened
   * or written down for each of them first. A call that lined up must leave.
   */
  lineUp?(): Turn | undefined;
  run(run: CallableRun): Promise<ToolResult>;
}

export interface CallableContext {
  readonly ctx: ToolContext;
  readonly limits: ToolLimits;
  readonly record?: RecordCall | undefined;
  readonly offers?: ((toolName: string) => boolean) | undefined;
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

export function createCallableFactory(ports: RunPorts): CallableFactory {
  const load = memoize((definition: ToolDefinition) =>
    loading(ports, () => loadDefinition(definition, ports.guard)),
  );
  const readTool = memoize(({ parameters }: Tool) =>
    loading(ports, () => createReader({ parameters }, ports.guard)),
  );

  return {
    fromDefinition: (definition, { ctx, limits, record, offers = () => false }) => {
      const { clock, random } = ports;
      // One for all calls: to make an object the prototype of another costs more than a call's checks.
      const defaults = defaultsOf(ports, { ctx, offers });
      const withDefaults = (own: ToolContext): object =>
        Object.setPrototypeOf({ ...own, clock, random, limits }, defaults);
      return {
        name: definition.name,
        deadlineMs: definition.deadlineMs,
        readOnly: definition.readOnly,
        filesOnly: definition.filesOnly,
        readArguments(raw, { signal, encoding }) {
          assertCallable(definition, ctx);
          const loaded = load(definition, signal);
          const use = (reader: Reader) => read(reader, { raw, encoding });
          const line = findLines(definition, ctx)?.reading;
          return line ? readInLine({ line, loaded, use, signal }) : withLoaded(loaded, use);
        },
        lineUp() {
          const line = findLines(definition, ctx)?.beginning;
          return line && joinLine(line);
        },
        async run({ toolCallId: id, params, signal, update, place, begin }) {
          const loaded = load(definition, signal);
          const { execute } = loaded instanceof Promise ? await loaded : loaded;
          const { sessionKey, agentId } = ctx;
          const remote = findRemote(definition, ctx);
          if (remote) return await runInGateway(remote, { definition, params, ctx, signal });
          const call = { toolCallId: id, toolName: definition.name, begin, sessionKey, agentId };
          return withRecording(definition.readOnly ? undefined : record, { call, ctx }, (own) =>
            beginInTurn({
              place,
              signal,
              begin: () =>
                // The arguments have passed the schema and the context its needs: the call is what
                // the definition promised its implementation, which no type can show here.
                execute({ id, params, ctx: withDefaults(own), signal, update } as never),
            }),
          );
        },
      };
    },
    fromTool: (tool) => ({
      name: tool.name,
      deadlineMs: PLAIN_DEADLINE_MS,
      readOnly: false,
      readArguments: (raw, { signal, encoding }) =>
        withLoaded(readTool(tool, signal), (reader) => read(reader, { raw, encoding })),
      run: ({ toolCallId, params, signal, update }) =>
        // `prepare` gives an object and a schema check does not change that.
        tool.execute(toolCallId, params as Record<string, unknown>, signal, update),
    }),
  };
}

export function findInAnyCase(
  find: (name: string) => Callable | ToolError,
  name: string,
): Callable | ToolError {
  const found = find(name);
  const folded = name.toLowerCase();
  if (folded === name || !isUnknown(found)) return found;
  const again = find(folded);
  return isUnknown(again) ? found : again;
}

function isUnknown(found: Callable | ToolError): boolean {
  return found instanceof ToolError && found.reason === "tool_unknown";
}

function read(
  { prepare, validate }: Reader,
  { raw, encoding }: { readonly raw: unknown; readonly encoding: TextEncoding | undefined },
): unknown {
  return validate(prepare(raw, encoding));
}

function withLoaded<Value>(
  loaded: Value | Promise<Value>,
  use: (value: Value) => unknown,
): unknown {
  return loaded instanceof Promise ? loaded.then(use) : use(loaded);
}

function findLines(
  { needs, needsToCall }: ToolDefinition,
  { bridge }: ToolContext,
): BridgeLines | undefined {
  const usesFiles = needs.includes("bridge") || needsToCall.includes("bridge");
  return usesFiles && bridge ? linesOf(bridge) : undefined;
}

function memoize<Key extends object, Value>(make: (key: Key) => Promise<Value>) {
  const making = new WeakMap<Key, Promise<Value>>();
  const made = new WeakMap<Key, { readonly value: Value }>();

  async function wait(key: Key, signal: AbortSignal): Promise<Value> {
    const pending = making.get(key) ?? make(key);
    making.set(key, pending);
    const forget = () => {
      if (making.get(key) === pending) making.delete(key);
    };
    signal.addEventListener("abort", forget, { once: true });
    try {
      const value = await pending;
      made.set(key, { value });
      return value;
    } catch (error) {
      forget();
      throw error;
    } finally {
      signal.removeEventListener("abort", forget);
    }
  }

  return (key: Key, signal: AbortSignal): Value | Promise<Value> => {
    const known = made.get(key);
    return known ? known.value : wait(key, signal);
  };
}

function loading<T>({ load }: RunPorts, work: () => Promise<T>): Promise<T> {
  return load ? load(work) : work();
}

async function loadDefinition(definition: ToolDefinition, guard: TimeGuard): Promise<Loaded> {
  const [reader, { execute }] = await Promise.all([
    createReader(definition, guard),
    definition.load(),
  ]);
  return { ...reader, execute };
}

type ReadableDefinition = Pick<ToolDefinition, "parameters"> &
  Partial<Pick<ToolDefinition, "standard" | "aliases" | "synonyms" | "maxArgumentChars">>;

async function createReader(definition: ReadableDefinition, guard: TimeGuard): Promise<Reader> {
  const { standard, aliases = {}, synonyms, maxArgumentChars } = definition;
  const parameters = standard ? definition.parameters : readCallSchema(definition.parameters);
  const validate = await createValidate({ parameters, standard }, guard);
  return { prepare: createPrepare({ parameters, aliases, synonyms, maxArgumentChars }), validate };
}

function assertCallable(definition: ToolDefinition, ctx: ToolContext): void {
  // What is not built says so first, and names what it will need.
  if (definition.awaits !== undefined) return;
  const unattached = findUnattached(definition, ctx);
  if (unattached.length > 0) {
    throw new ToolError("unavailable", `${definition.name} ${describeUnattached(unattached)}.`, {
      reason: "not_attached",
      details: { missing: unattached },
    });
  }
  if (findRemote(definition, ctx)) return;
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
