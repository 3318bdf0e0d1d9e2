// `createToolkit`: connects tools, policy and drivers. Everything it starts ends with `close()`.

import { parseApprovals } from "../config/index.js";
import { type CallerToolkit, ToolInputError, type Toolkit } from "../core/index.js";
import type { PluginRequest } from "./add-plugins.js";
import { createToolkitAudit } from "./audit.js";
import { createCallerView, readCaller } from "./callers.js";
import { createEvents, type Events } from "./events.js";
import { createInvoker } from "./invoker.js";
import { assertToolkitOptions } from "./options/check-options.js";
import {
  assertUsable,
  findAudienceDoubts,
  findRootDoubt,
  readConfig,
  toDiagnostic,
} from "./options/read-config.js";
import {
  isSandboxed,
  readAgentId,
  readStateDir,
  readToolkitSettings,
  readUndoSettings,
} from "./options/settings.js";
import { type ToolkitOptions, toPolicyRequest } from "./options/toolkit-options.js";
import { createLazyBrowsers, factsOfBrowser } from "./ports/browsers.js";
import { createLazyMemory, createNoteMarker, findNotesFolder } from "./ports/memory.js";
import { createLazyNet } from "./ports/net.js";
import { bindPorts } from "./ports/ports.js";
import { createLazyProcesses, factsOfTool } from "./ports/processes.js";
import { createUndo } from "./undo/undo.js";
import { type JoinedTools, joinTools } from "./visible-tools/join-tools.js";
import { setPolicy } from "./visible-tools/live-config.js";
import type { VisibleTools } from "./visible-tools/visible-tools.js";

const COMMAND_PROBLEM = { code: "command_problem", severity: "warning", toolId: "exec" } as const;
const AUDIT_PROBLEM = { code: "audit_problem", severity: "warning", toolId: "" } as const;
const UPDATE_THREW = { code: "update_callback_threw", severity: "warning", toolId: "" } as const;

/** Throws a ToolInputError that names the wrong option, or every wrong value of the config. */
export function createToolkit(given: ToolkitOptions): Toolkit {
  assertToolkitOptions(given);
  const { options, config, doubts } = readOptions(given);
  const settings = readToolkitSettings(config, options.agentId);
  const ports = bindPorts({ ...options, stateDir: readStateDir(options.stateDir) });
  const events = createEvents({ diagnostics: () => registry.diagnostics() });
  const undo = createUndo({
    ports,
    options,
    settings: readUndoSettings(config),
    bridge: () => joined.ctx.bridge,
    notify: (message) => events.emit("notice", { message }),
  });
  const audit = createToolkitAudit({
    ...{ ports, config },
    report: (problem) => registry.report({ ...AUDIT_PROBLEM, ...problem }),
  });
  const { root, agentId, sandboxed = false, protect, approvals, approve: approver } = options;
  const { stateDir, system, state } = ports;
  const processes = createLazyProcesses(() => ({
    ...{ root, config, agentId, sandboxed, stateDir, system, state },
    ...{ approver, protect, approvals },
    notify: (notice) => events.emit("notice", notice),
    report: (problem) => registry.report({ ...COMMAND_PROBLEM, ...problem }),
  }));
  const net = createLazyNet(() => config);
  const memory = createLazyMemory(() => ({
    ...{ config, agentId, stateDir, clock: system.clock, net },
    root: findNotesFolder(options, config),
  }));
  const { changeConfig } = options;
  const browsers = createLazyBrowsers(() => ({ root, config, stateDir, system, changeConfig }));
  const factsOf = (id: string) =>
    factsOfTool(id, processes.knownFacts) ?? factsOfBrowser(id, browsers.knownStatus);
  const joined = joinTools({
    ...{ factsOf, options, config, settings, ports, processes, net, memory, browsers },
    record: undo.record,
  });
  const { toolList, views } = joined;
  const { registry } = toolList;
  const source = { joined, processes, invoker: () => invoker };
  const own = createCallerView(options, source);
  const { visible } = own;
  // A name that looks mistyped may be a tool of a plugin: known, and reported, once they are loaded.
  const hasPlugins = settings.pluginPaths.length > 0;
  assertUsable(visible.warnings().filter(({ code }) => !hasPlugins || code !== "typo"));
  registry.on("diagnostic", (diagnostic) => events.emit("diagnostic", diagnostic));
  const report = (problem: { message: string; cause: unknown }) =>
    registry.report({ ...UPDATE_THREW, ...problem });
  const invoker = createInvoker({
    ...{ options, settings, ports, events, report, audit },
    journal: undo.journal,
    markNotes: createNoteMarker({ memory, visible, report: registry.report }),
  });
  for (const doubt of doubts) registry.report(toDiagnostic(doubt));
  const signal = invoker.closing;
  const ready = getReady({ ...joined, ctx: own.ctx(), visible, options, signal, events });

  // Not a copy: its tools are read each time.
  return Object.assign(own.toolkit(), {
    ready,
    forCaller: (caller) =>
      createCallerView(
        readCaller(caller, { options, config, sandboxed: given.sandboxed }),
        source,
      ).toolkit(),
    on: events.on,
    setPolicy: (next) => setPolicy(next, { ...joined, visible, given, options, events }),
    attach(attached) {
      Object.assign(joined.ctx, attached);
      views.renew();
      emitTools({ visible, events });
    },
    diagnostics: () => registry.diagnostics(),
    undo: undo.undo,
    diff: undo.diff,
    changes: undo.changes,
    interrupted: undo.interrupted,
    commandFacts: processes.facts,
    async close() {
      await Promise.all([invoker.close(), ready]);
      await Promise.all([processes.close(), memory.close(), browsers.close()]);
      await net.close();
      await undo.close();
      await audit.close();
      await state.close();
      events.clear();
    },
  } satisfies Omit<Toolkit, keyof CallerToolkit>);
}

function readOptions(given: ToolkitOptions) {
  const { config, doubts } = readConfig(given.config ?? {});
  const agentId = readAgentId(config, given.agentId);
  const { sandboxed = isSandboxed(config, { agentId, sessionKey: given.sessionKey }) } = given;
  const approvals = readApprovals(given.approvals);
  const options: ToolkitOptions = {
    ...given,
    sandboxed,
    ...(approvals === undefined ? {} : { approvals }),
    ...(agentId === undefined ? {} : { agentId }),
  };
  const audience = findAudienceDoubts(config, toPolicyRequest(options));
  return { options, config, doubts: [...doubts, ...audience] };
}

type ReadyRequest = JoinedTools &
  PluginRequest & { readonly visible: VisibleTools; readonly events: Pick<Events, "emit"> };

async function getReady(request: ReadyRequest & { readonly options: ToolkitOptions }) {
  const { options, ...plugins } = request;
  await addPlugins(plugins);
  const doubt = options.bridge === undefined ? await findRootDoubt(options.root) : undefined;
  if (doubt) request.toolList.registry.report(toDiagnostic(doubt));
}

/** Policy warnings are reported after all plugins are loaded, because rules may name their tools. */
async function addPlugins({ visible, views, events, ...request }: ReadyRequest): Promise<void> {
  const { toolList, settings } = request;
  if (settings.pluginPaths.length > 0) {
    const loader = await import("./add-plugins.js");
    await loader.addConfiguredPlugins(request);
    views.renew();
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
