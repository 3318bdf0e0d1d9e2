// The callers of one toolkit: each has a view of its own over the shared ports.

import type { ClawtoolsConfig } from "../config/index.js";
import {
  type CallerOptions,
  type CallerToolkit,
  type ToolContext,
  ToolInputError,
} from "../core/index.js";
import { createCommandPasses } from "./audit.js";
import { type Invoker, toInvokedTool } from "./invoker.js";
import { assertCallerOptions } from "./options/check-options.js";
import { isSandboxed } from "./options/settings.js";
import {
  type CallerFields,
  readSender,
  type ToolkitOptions,
  toCallerContext,
  toPolicyRequest,
} from "./options/toolkit-options.js";
import type { LazyProcesses } from "./ports/processes.js";
import type { JoinedTools } from "./visible-tools/join-tools.js";
import type { VisibleTools } from "./visible-tools/visible-tools.js";

export interface CallerSource {
  readonly joined: Pick<JoinedTools, "ctx" | "views" | "toolList">;
  readonly processes: LazyProcesses;
  /** Asked for when the first call is made, because it is made after the toolkit's own view. */
  readonly invoker: () => Invoker;
}

export interface CallerView {
  readonly visible: VisibleTools;
  ctx(): ToolContext;
  toolkit(): CallerToolkit;
}

export function createCallerView(fields: CallerFields, source: CallerSource): CallerView {
  const { joined, processes } = source;
  const passes = createCommandPasses();
  const commands = processes.as({
    sender: readSender(fields),
    sandboxed: fields.sandboxed,
    onPass(toolCallId, pass) {
      // The call may have waited for an approval while the rules changed.
      visible.authorize("exec");
      passes.note(toolCallId, pass);
    },
  });
  const own = toCallerContext(fields);
  const ctx = () => ({ ...joined.ctx, ...own, processes: commands });
  const visible = joined.views.view({ request: toPolicyRequest(fields), ctx });
  return {
    visible,
    ctx,
    toolkit() {
      const opened = source.invoker().open({ fields, visible, passes });
      return {
        get tools() {
          return visible.tools().map((tool) => toInvokedTool(tool, opened.invoke));
        },
        explain: visible.explain,
        schemas: visible.schemas,
        prompt: visible.prompt,
        annotations: joined.toolList.annotations,
        ...opened,
      };
    },
  };
}

export interface OwnCaller {
  readonly options: ToolkitOptions;
  readonly sandboxed: boolean | undefined;
  readonly config: ClawtoolsConfig;
}

/** Throws a ToolInputError for an option that cannot be used, and for another agent. */
export function readCaller(given: CallerOptions, own: OwnCaller): CallerFields {
  assertCallerOptions(given);
  const { options, config } = own;
  const { agentId } = options;
  if (given.agentId !== undefined && given.agentId !== agentId) {
    throw otherAgent(given.agentId, agentId);
  }
  const { channel, groupId, sender, runId } = given;
  const isStranger = channel !== undefined || sender !== undefined;
  const audience =
    isStranger || groupId !== undefined ? { messageChannel: channel, groupId, sender } : {};
  const sessionKey = given.sessionKey ?? options.sessionKey;
  return {
    ...options,
    ...audience,
    sessionKey,
    runId,
    owner: given.owner ?? (isStranger ? false : options.owner),
    provider: given.provider ?? options.provider,
    model: given.model ?? (given.provider === undefined ? options.model : undefined),
    vision: given.vision ?? ((given.provider ?? given.model) ? undefined : options.vision),
    subagent: given.subagent ?? options.subagent,
    toolsAllow: given.toolsAllow ?? options.toolsAllow,
    sandboxed: given.sandboxed ?? own.sandboxed ?? isSandboxed(config, { agentId, sessionKey }),
  };
}

function otherAgent(asked: string, own: string | undefined): ToolInputError {
  const whose = own === undefined ? "no agent" : `agent "${own}"`;
  return new ToolInputError(
    `forCaller: this toolkit is for ${whose}, not for "${asked.slice(0, 80)}". Make a toolkit for that agent.`,
    { reason: "agent_unknown" },
  );
}
