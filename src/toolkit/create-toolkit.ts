// `createToolkit`: the front door for programs. Puts tools, policy, drivers and the one door
// together; everything it starts ends with `close()`.

import { type ClawtoolsConfig, parseApprovals } from "../config/index.js";
import type { Browsers } from "../core/browser.js";
import type { RecordCall } from "../core/files/index.js";
import {
  compilePolicy,
  createCallableFactory,
  type Memory,
  type Net,
  type Processes,
  type SearchProvider,
  ToolInputError,
  type Toolkit,
} from "../core/index.js";
import { createCommandPasses } from "./audit/command-passes.js";
import { createToolkitAudit } from "./audit/toolkit-audit.js";
import { bindPorts, type ToolkitPorts } from "./bind-ports.js";
import { factsOfBrowser } from "./browser/describe-browser.js";
import { createLazyBrowsers } from "./browser/lazy-browsers.js";
import { createDoor, throughDoor } from "./door.js";
import { createEvents, type Events } from "./events.js";
import { createLazyMemory, createNoteMarker, findNotesFolder } from "./memory/lazy-memory.js";
import { findModels } from "./models.js";
import { createLazyNet } from "./net.js";
import { isSandboxed, readAgentId } from "./options/agent-id.js";
import { findAudienceDoubts } from "./options/audience.js";
import { assertToolkitOptions } from "./options/check-options.js";
import { type DoorSettings, readDoorSettings } from "./options/door-settings.js";
import {
  assertUsable,
  type Doubt,
  findRootDoubt,
  readConfig,
  toDiagnostic,
} from "./options/read-config.js";
import { readStateDir } from "./options/state-dir.js";
import {
  forModel,
  readSender,
  type ToolkitOptions,
  toContext,
  toPolicyRequest,
} from "./options/toolkit-options.js";
import { readUndoSettings } from "./options/undo-settings.js";
import type { PluginRequest } from "./plugins/add-plugins.js";
import { factsOfTool } from "./processes/describe-facts.js";
import { createLazyProcesses } from "./processes/lazy-processes.js";
import { addOwnTools } from "./tool-list/add-own-tools.js";
import { createToolList } from "./tool-list/tool-list.js";
import { createUndo } from "./undo/undo.js";
import { createLiveConfig, type LiveConfig } from "./visible-tools/live-config.js";
import { findUnasked, listBundledTools } from "./visible-tools/optional-tools.js";
import { setPolicy } from "./visible-tools/set-policy.js";
import { createToolSet } from "./visible-tools/tool-set.js";
import { createVisibleTools, type VisibleTools } from "./visible-tools/visible-tools.js";

const SERVER_NOT_STARTED = {
  status: "absent",
  code: "not_loaded",
  reason: "the MCP client is not built yet, so this server is not started",
} as const;

const COMMAND_PROBLEM = { code: "command_problem", severity: "warning", toolId: "exec" } as const;

const AUDIT_PROBLEM = { code: "audit_problem", severity: "warning", toolId: "" } as const;

const UPDATE_THREW = { code: "update_callback_threw", severity: "warning", toolId: "" } as const;

/** Throws a ToolInputError that names the wrong option, or every wrong value of the config. */
export function createToolkit(given: ToolkitOptions): Toolkit {
  assertToolkitOptions(given);
  const { options, config, doubts } = readOptions(given);
  const settings = readDoorSettings(config, options.agentId);
  const ports = bindPorts({ ...options, stateDir: readStateDir(options.stateDir) });
  const events = createEvents({ diagnostics: () => registry.diagnostics() });
  const undo = createUndo({
    ports,
    options,
    settings: readUndoSettings(config),
    bridge: () => joined.ctx.bridge,
    notify: (message) => events.emit("notice", { message }),
  });
  const passes = createCommandPasses();
  const audit = createToolkitAudit({
    ...{ ports, config },
    report: (problem) => registry.report({ ...AUDIT_PROBLEM, ...problem }),
  });
  const { root, agentId, sandboxed = false, protect, approvals, approve: approver } = options;
  const { stateDir, system, state } = ports;
  const processes = createLazyProcesses({
    sender: readSender(options),
    readSource: () => ({
      ...{ root, config, agentId, sandboxed, stateDir, system, state },
      ...{ approver, protect, approvals },
      notePass(toolCallId, pass) {
        // The call may have waited for an approval while the rules changed.
        joined.visible.authorize("exec");
        passes.note(toolCallId, pass);
      },
      notify: (notice) => events.emit("notice", notice),
      report: (problem) => registry.report({ ...COMMAND_PROBLEM, ...problem }),
    }),
  });
  const net = createLazyNet(() => config);
  const memory = createLazyMemory(() => ({
    ...{ config, agentId, stateDir, clock: system.clock, net },
    root: findNotesFolder(options, config),
  }));
  const browsers = createLazyBrowsers(() => ({ root, config, stateDir, system }));
  const factsOf = (id: string) =>
    factsOfTool(id, processes.knownFacts) ?? factsOfBrowser(id, browsers.knownStatus);
  const joined = joinTools({
    ...{ factsOf, options, config, settings, ports, processes, net, memory, browsers },
    record: undo.record,
  });
  const { toolList, visible } = joined;
  const { registry } = toolList;
  registry.on("diagnostic", (diagnostic) => events.emit("diagnostic", diagnostic));
  const report = (problem: { message: string; cause: unknown }) =>
    registry.report({ ...UPDATE_THREW, ...problem });
  const door = createDoor({
    ...{ options, settings, ports, visible, events, report, audit, passes },
    journal: undo.journal,
    markNotes: createNoteMarker({ memory, visible, report: registry.report }),
  });
  for (const doubt of doubts) registry.report(toDiagnostic(doubt));
  const ready = getReady({ ...joined, options, signal: door.closing, events });

  return {
    get tools() {
      return visible.tools().map((tool) => throughDoor(tool, door.invoke));
    },
    ready,
    explain: visible.explain,
    schemas: visible.schemas,
    prompt: visible.prompt,
    annotations: toolList.annotations,
    invoke: door.invoke,
    on: events.on,
    setPolicy: (next) => setPolicy(next, { ...joined, given, options, events }),
    attach(attached) {
      Object.assign(joined.ctx, attached);
      visible.renew();
      emitTools({ visible, events });
    },
    diagnostics: () => registry.diagnostics(),
    clearTaint: door.clearTaint,
    reportUsage: door.budget.spend,
    used: door.budget.used,
    undo: undo.undo,
    diff: undo.diff,
    changes: undo.changes,
    interrupted: undo.interrupted,
    commandFacts: processes.facts,
    async close() {
      await Promise.all([door.close(), ready]);
      await Promise.all([processes.close(), memory.close(), browsers.close()]);
      await net.close();
      await undo.close();
      await audit.close();
      await state.close();
      events.clear();
    },
  };
}

interface ReadOptions {
  /** With the agent that is meant when none is named. */
  readonly options: ToolkitOptions;
  readonly config: ClawtoolsConfig;
  readonly doubts: readonly Doubt[];
}

/** Throws when the config or the agent cannot be meant so. */
function readOptions(given: ToolkitOptions): ReadOptions {
  const { config, doubts } = readConfig(given.config ?? {});
  const agentId = readAgentId(config, given.agentId);
  const { sandboxed = isSandboxed(config, { agentId, sessionKey: given.sessionKey }) } = given;
  const approvals = readApprovals(given.approvals);
  const options = {
    ...given,
    sandboxed,
    ...(approvals === undefined ? {} : { approvals }),
    ...(agentId === undefined ? {} : { agentId }),
  };
  const audience = findAudienceDoubts(config, toPolicyRequest(options));
  return { options, config, doubts: [...doubts, ...audience] };
}

interface JoinSource {
  readonly options: ToolkitOptions;
  readonly config: ClawtoolsConfig;
  readonly settings: DoorSettings;
  readonly ports: ToolkitPorts;
  readonly processes: Processes;
  readonly net: Net;
  readonly memory: Memory;
  readonly browsers: Browsers;
  readonly record: RecordCall;
  /** What is in force for a tool that is there. */
  readonly factsOf: (id: string) => readonly string[] | undefined;
}

interface JoinedTools extends Omit<PluginRequest, "signal"> {
  readonly visible: VisibleTools;
  readonly live: LiveConfig;
}

/** Every tool that is known before plugins are loaded, and what of them is offered. May throw. */
function joinTools(source: JoinSource): JoinedTools {
  const { options, config, settings, ports, record, factsOf } = source;
  const { processes, net, memory, browsers } = source;
  const request = toPolicyRequest(options);
  const { artifacts, stateDir } = ports;
  const searchProviders: SearchProvider[] = [];
  const ctx = {
    ...toContext({ ...options, stateDir }, config),
    ...{ artifacts, processes, net, memory, browsers, searchProviders },
    ...findModels({ options, config, net, environment: ports.system.environment }),
  };
  const toolList = createToolList();
  addOwnTools(toolList, { tools: options.tools ?? [], ctx });
  for (const id of settings.mcpServers) {
    // A server may be called like a tool, and each has a row of its own.
    const row = toolList.findName(id) === undefined ? id : `mcp/${id}`;
    toolList.noteAbsent({ id: row, ...SERVER_NOT_STARTED });
  }
  const callables = createCallableFactory(ports.system);
  const live = createLiveConfig(config, { hasPlugins: settings.pluginPaths.length > 0 });
  const optionalTools = listBundledTools();
  const visible = createVisibleTools({
    toolList,
    factsOf,
    own: { provider: options.provider, model: options.model },
    buildSet: ({ provider, model }) =>
      createToolSet({
        toolList,
        ctx,
        limits: { resultChars: settings.resultChars },
        callables,
        record,
        configs: live.rules(),
        unasked: findUnasked(optionalTools, { config: live.rules()[0] ?? config, request }),
        compile: (rules, tools) =>
          compilePolicy({
            config: rules,
            tools,
            request: forModel(request, { provider, model }),
          }),
      }),
  });
  assertUsable(visible.warnings());
  return {
    toolList,
    settings,
    config,
    request,
    ctx,
    searchProviders,
    optionalTools,
    visible,
    live,
  };
}

type ReadyRequest = JoinedTools & PluginRequest & { readonly events: Pick<Events, "emit"> };

async function getReady(request: ReadyRequest & Pick<JoinSource, "options">) {
  const { options, ...plugins } = request;
  await addPlugins(plugins);
  const doubt = options.bridge === undefined ? await findRootDoubt(options.root) : undefined;
  if (doubt) request.toolList.registry.report(toDiagnostic(doubt));
}

/** What policy doubts is told when all tools that it may speak of have been tried. */
async function addPlugins({ visible, events, ...request }: ReadyRequest): Promise<void> {
  const { toolList, settings } = request;
  if (settings.pluginPaths.length > 0) {
    const loader = await import("./plugins/add-plugins.js");
    await loader.addConfiguredPlugins(request);
    visible.renew();
    emitTools({ visible, events });
  }
  for (const doubt of visible.warnings()) toolList.registry.report(toDiagnostic(doubt));
}

function emitTools({ visible, events }: Pick<ReadyRequest, "visible" | "events">): void {
  events.emit("tools", { names: visible.tools().map(({ name }) => name) });
}

/** A copy: what the caller does with the object later changes nothing. */
function readApprovals(given: ToolkitOptions["approvals"]): ToolkitOptions["approvals"] {
  if (given === undefined) return undefined;
  const parsed = parseApprovals(given);
  if (parsed.ok) return parsed.document;
  const problems = parsed.problems.map((problem) => `approvals.${problem}`).join("; ");
  throw new ToolInputError(`createToolkit: ${problems}`, { reason: "options_invalid" });
}
