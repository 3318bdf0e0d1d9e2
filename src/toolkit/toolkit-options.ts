// What `createToolkit` takes, and the context and settings that follow from it.

import type {
  Approver,
  FsBridge,
  Hooks,
  PolicyRequest,
  Tool,
  ToolContext,
  ToolDefinition,
  ToolFactory,
} from "../core/index.js";
import { createNodeBridge } from "../drivers/fs/index.js";

export interface ToolkitOptions {
  /** File root and default working folder. */
  root: string;
  /** Default `~/.clawtools`. */
  stateDir?: string;
  /** The shape of `clawtools.json`. */
  config?: Record<string, unknown>;
  /** The shape of `exec-approvals.json`, which is the default. */
  approvals?: Record<string, unknown>;
  /** Without it there is nobody to ask, and what needs an approval is refused at once. */
  approve?: Approver;
  /** Notes; default `root`. */
  agentDir?: string;
  agentId?: string;
  sessionKey?: string;
  provider?: string;
  model?: string;
  messageChannel?: string;
  /** Applies the sandbox layer of the policy. */
  sandboxed?: boolean;
  /** The caller is the owner unless this is false. */
  owner?: boolean;
  /** Further tools, definitions or factories. */
  tools?: ReadonlyArray<Tool | ToolDefinition | ToolFactory>;
  hooks?: Hooks;
  /** Default: the folder `root` on this machine, contained. */
  bridge?: FsBridge;
}

export function toContext(options: ToolkitOptions, config: Record<string, unknown>): ToolContext {
  const { root, agentDir, agentId, sessionKey, messageChannel, sandboxed, owner } = options;
  return {
    config,
    root,
    workspaceDir: root,
    agentDir: agentDir ?? root,
    bridge: options.bridge ?? createNodeBridge(root),
    ownerOnly: owner !== false,
    ...(agentId === undefined ? {} : { agentId }),
    ...(sessionKey === undefined ? {} : { sessionKey }),
    ...(messageChannel === undefined ? {} : { messageChannel }),
    ...(sandboxed === undefined ? {} : { sandboxed }),
  };
}

export function toPolicyRequest(options: ToolkitOptions): PolicyRequest {
  const { agentId, provider, model, messageChannel, sandboxed, owner } = options;
  return {
    ...(agentId === undefined ? {} : { agentId }),
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(messageChannel === undefined ? {} : { channel: messageChannel }),
    ...(sandboxed === undefined ? {} : { sandboxed }),
    ...(owner === undefined ? {} : { owner }),
  };
}
