// `createToolkit`: the front door for programs. Puts tools, policy, drivers and the one door
// together; everything it starts ends with `close()`.

import { setMaxListeners } from "node:events";
import {
  compilePolicy,
  createBudget,
  createCallableFactory,
  createInvoke,
  createLoopGuard,
  createSchemaCompiler,
  createTaint,
  createTurnBudget,
  createUntrustedWrapper,
  type ExplainRow,
  type PolicyTool,
  type SchemaRequest,
  type Tool,
  ToolError,
  type Toolkit,
} from "../core/index.js";
import {
  createMemoryArtifacts,
  createMemoryAudit,
  createMemoryJournal,
} from "../drivers/records/index.js";
import { nearestName } from "../lib/nearest-name.js";
import { createEvents, type Events } from "./events.js";
import { loadConfigured } from "./plugin-rows.js";
import { formatPrompt } from "./prompt.js";
import { viewForProvider } from "./provider-view.js";
import { readConfig, readPolicyWarnings } from "./read-config.js";
import { readDoorSettings } from "./settings.js";
import { createSystemPorts } from "./system-ports.js";
import { createToolSet, type ToolSet } from "./tool-set.js";
import { type ToolkitOptions, toContext, toPolicyRequest } from "./toolkit-options.js";
import { createToolkitRegistry } from "./toolkit-registry.js";

/** Throws a ToolInputError that names every wrong value of the config. */
export function createToolkit(options: ToolkitOptions): Toolkit {
  const { config, warnings } = readConfig(options.config ?? {});
  const settings = readDoorSettings(config);
  const ports = createSystemPorts();
  const events = createEvents();
  const artifacts = createMemoryArtifacts(ports);
  const ctx = { ...toContext(options, config), artifacts };
  const { registry, definitions } = createToolkitRegistry(options.tools ?? [], ctx);
  registry.on("diagnostic", (diagnostic) => events.emit("diagnostic", diagnostic));
  const taint = createTaint();
  const budget = createBudget(settings.budgets);
  const callables = createCallableFactory(ports);
  const compiler = createSchemaCompiler();
  const limits = { resultChars: settings.resultChars };
  const compile = (tools: readonly PolicyTool[]) =>
    compilePolicy({ config, tools, request: toPolicyRequest(options) });
  const buildSet = () => createToolSet({ registry, definitions, ctx, limits, callables, compile });
  let set: ToolSet = buildSet();
  for (const message of [...warnings, ...readPolicyWarnings(set.policy.warnings)]) {
    registry.report({ code: "config_doubtful", severity: "warning", toolId: "", message });
  }
  let notLoaded: readonly ExplainRow[] = [];
  /** By the toolkit's own provider, for the set of now; looked up at the first call. */
  let refused: ReadonlyMap<string, string> | undefined;
  const closing = new AbortController();
  // Each call under way listens; there is no leak that Node would have to warn of.
  setMaxListeners(0, closing.signal);
  const underWay = new Set<Promise<unknown>>();

  const pass = createInvoke({
    ports,
    journal: createMemoryJournal(),
    audit: createEmittingAudit(events),
    artifacts,
    approver: options.approve,
    closing: closing.signal,
    find: (name) => (closing.signal.aborted ? closedError() : findOffered(name)),
    authorize: (name) => set.authorize(name),
    hooks: options.hooks ?? {},
    budget,
    loop: createLoopGuard(settings.loop),
    taint,
    taintMode: settings.taintMode,
    turns: createTurnBudget(settings.turnChars),
    resultChars: settings.resultChars,
    sessionKey: options.sessionKey,
    wrapUntrusted: createUntrustedWrapper(ports),
    caller: {
      agentId: options.agentId,
      sessionKey: options.sessionKey,
      owner: options.owner !== false,
      sandboxed: options.sandboxed === true,
    },
    report: ({ message, cause }) =>
      registry.report({
        code: "update_callback_threw",
        severity: "warning",
        toolId: "",
        message,
        cause,
      }),
  });

  const invoke: Toolkit["invoke"] = (request) => {
    const answer = pass(request);
    underWay.add(answer);
    const forget = () => underWay.delete(answer);
    answer.then(forget, forget);
    return answer;
  };

  const view = (request: SchemaRequest = options) =>
    viewForProvider(set, { provider: request.provider, model: request.model, compiler });

  /** A tool that the model was not told of cannot be called either. */
  function findOffered(name: string): ReturnType<ToolSet["find"]> {
    refused ??= view().refused;
    const found = set.find(name);
    const reason = found instanceof ToolError ? undefined : refused.get(found.name);
    return reason === undefined ? found : schemaRefused(name, reason);
  }

  const ready = loadConfigured({ settings, config, registry }).then((rows) => {
    notLoaded = rows;
    if (closing.signal.aborted) return;
    set = buildSet();
    refused = undefined;
  });

  function explain(): ExplainRow[];
  function explain(name: string): ExplainRow;
  function explain(name?: string): ExplainRow[] | ExplainRow {
    const rows = [...view().rows, ...notLoaded];
    return name === undefined
      ? rows
      : (rows.find(({ id }) => id === name) ?? unknownRow(name, rows));
  }

  return {
    get tools() {
      return view().tools.map((tool) => throughDoor(tool, invoke));
    },
    ready,
    explain,
    // Another provider has other models, so the toolkit's own model says nothing about it.
    schemas: (request = {}) =>
      view(request.provider === undefined ? { ...options, ...request } : request).schemas,
    prompt: () => formatPrompt(view().tools, definitions),
    invoke,
    on: events.on,
    diagnostics: () => registry.diagnostics(),
    clearTaint: taint.clear,
    reportUsage: budget.spend,
    used: budget.used,
    undo: async () => Promise.reject(notBuilt("undo")),
    diff: async () => Promise.reject(notBuilt("diff")),
    async close() {
      closing.abort(closedError());
      await Promise.allSettled([ready, ...underWay]);
      events.clear();
    },
  };
}

function createEmittingAudit(events: Events) {
  const audit = createMemoryAudit();
  return {
    append(row: Parameters<typeof audit.append>[0]) {
      audit.append(row);
      events.emit("call", row);
    },
  };
}

/** A tool for a foreign agent loop whose `execute` is no second door. */
function throughDoor(tool: Tool, invoke: Toolkit["invoke"]): Tool {
  return {
    ...tool,
    execute: async (id, params, signal, onUpdate) => {
      const answer = await invoke({ id, name: tool.name, arguments: params, signal, onUpdate });
      const { content, details, isError } = answer;
      return {
        content,
        ...(details === undefined ? {} : { details }),
        ...(isError ? { isError } : {}),
      };
    },
  };
}

function unknownRow(name: string, rows: readonly ExplainRow[]): ExplainRow {
  const nearest = nearestName(
    name,
    rows.map(({ id }) => id),
  );
  const hint = nearest ? ` Did you mean "${nearest}"?` : "";
  return { id: name, status: "absent", code: "unknown", reason: `there is no such tool.${hint}` };
}

function schemaRefused(name: string, reason: string): ToolError {
  return new ToolError("unavailable", `${name} cannot be used: ${reason}`, {
    reason: "schema_refused",
  });
}

function closedError(): ToolError {
  return new ToolError("unavailable", "The toolkit is closed; make a new one.", {
    reason: "toolkit_closed",
  });
}

function notBuilt(what: string): ToolError {
  return new ToolError("unavailable", `${what} is not built yet; it waits for the file journal.`, {
    reason: "not_built",
  });
}
