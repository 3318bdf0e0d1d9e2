// Every tool that a toolkit knows, and the views of them that its callers have.

import type { ClawtoolsConfig } from "../../config/index.js";
import type { Browsers } from "../../core/browser.js";
import type { RecordCall } from "../../core/files/index.js";
import type { Memory, Net, Processes, SearchProvider } from "../../core/index.js";
import { createCallableFactory } from "../../core/stages.js";
import type { PluginRequest } from "../add-plugins.js";
import { compilePolicy } from "../catalog.js";
import type { ToolkitSettings } from "../options/settings.js";
import {
  type ToolkitOptions,
  toCallerContext,
  toContext,
  toPolicyRequest,
} from "../options/toolkit-options.js";
import { findModels } from "../ports/models.js";
import { findGateway, type ToolkitPorts } from "../ports/ports.js";
import { addOwnTools, createToolList } from "../tool-list.js";
import { createLiveConfig, type LiveConfig } from "./live-config.js";
import { findUnasked, listBundledTools } from "./switches.js";
import { createToolSet } from "./tool-set.js";
import { createToolViews, type ToolViews } from "./visible-tools.js";

const SERVER_NOT_STARTED = {
  status: "absent",
  code: "not_loaded",
  reason: "the MCP client is not built yet, so this server is not started",
} as const;

const SENDER_RULES = '"toolsBySender"';

export interface JoinSource {
  readonly options: ToolkitOptions;
  readonly config: ClawtoolsConfig;
  readonly settings: ToolkitSettings;
  readonly ports: ToolkitPorts;
  readonly processes: Processes;
  readonly net: Net;
  readonly memory: Memory;
  readonly browsers: Browsers;
  readonly record: RecordCall;
  readonly factsOf: (id: string) => readonly string[] | undefined;
}

export interface JoinedTools extends Omit<PluginRequest, "signal"> {
  readonly views: ToolViews;
  readonly live: LiveConfig;
}

export function joinTools(source: JoinSource): JoinedTools {
  const { options, config, settings, ports, record, factsOf } = source;
  const { processes, net, memory, browsers } = source;
  const request = toPolicyRequest(options);
  const { artifacts, stateDir } = ports;
  const searchProviders: SearchProvider[] = [];
  const ctx = {
    ...toContext({ ...options, stateDir }, config),
    ...{ artifacts, net, memory, browsers, searchProviders },
    ...findGateway(ports, { config, net }),
    ...findModels({ options, config, net, environment: ports.system.environment }),
  };
  const toolList = createToolList();
  const own = { ...ctx, ...toCallerContext(options), processes };
  addOwnTools(toolList, { tools: options.tools ?? [], ctx: own });
  for (const id of settings.mcpServers) {
    // A server may be called like a tool, and each has a row of its own.
    const row = toolList.findName(id) === undefined ? id : `mcp/${id}`;
    toolList.noteAbsent({ id: row, ...SERVER_NOT_STARTED });
  }
  const limits = { resultChars: settings.resultChars };
  const callables = createCallableFactory(ports.system);
  const live = createLiveConfig(config, { hasPlugins: settings.pluginPaths.length > 0 });
  const optionalTools = listBundledTools();
  const views = createToolViews({
    toolList,
    factsOf,
    hasSenderRules: () =>
      live.rules().some((rules) => JSON.stringify(rules).includes(SENDER_RULES)),
    buildSet: (caller, callerCtx) =>
      createToolSet({
        toolList,
        ctx: callerCtx,
        limits,
        callables,
        record,
        configs: live.rules(),
        unasked: findUnasked(optionalTools, { config: live.rules()[0] ?? config, request: caller }),
        compile: (rules, tools) => compilePolicy({ config: rules, tools, request: caller }),
      }),
  });
  return {
    toolList,
    settings,
    config,
    request,
    ctx,
    searchProviders,
    optionalTools,
    views,
    live,
  };
}
