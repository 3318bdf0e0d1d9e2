// What `createToolkit` takes, and the context and policy request that follow from it.
import { type ClawtoolsConfig, findAgent } from "../../config/index.js";
import {
  type Approver,
  type ArtifactStore,
  type FsBridge,
  foldName,
  type Hooks,
  type Models,
  type PolicyRequest,
  type PolicySender,
  readModelNames,
  type SchemaRequest,
  type StartRequest,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolFactory,
} from "../../core/index.js";
import { createNodeBridge } from "../../drivers/fs/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { toProtection } from "./check-options.js";
import { readSection, readTexts, type Section } from "./settings.js";

export interface ToolkitOptions {
  /** File root and default working folder. */
  root: string;
  /** Default `~/.clawtools`; with `false` nothing outlives the toolkit, and nothing can be undone. */
  stateDir?: string | false;
  /** The shape of `clawtools.json`. */
  config?: ClawtoolsConfig;
  /**
   * Writes one key of the file that `config` came from; `undefined` removes it. Lets `browser` delete
   * profiles of the config.
   */
  changeConfig?: (path: string, value: unknown) => Promise<void>;
  /** The shape of `exec-approvals.json`, which is the default. */
  approvals?: Record<string, unknown>;
  /** Without it no one can be asked, and calls that need an approval are refused at once. */
  approve?: Approver;
  /** Notes; default `root`. */
  agentDir?: string;
  /** Default: the agent of the config with `default: true`, else `main` where it is listed. */
  agentId?: string;
  sessionKey?: string;
  provider?: string;
  model?: string;
  messageChannel?: string;
  /** The group or room of the channel. */
  groupId?: string;
  /** Who wrote. */
  sender?: PolicySender;
  /** This is an agent that another one started. */
  subagent?: "leaf" | "orchestrator";
  /** The caller's own cap: only what it names is left. */
  toolsAllow?: readonly string[];
  /** Applies the sandbox layer of the policy. Default: as `sandbox.mode` of the agent says. */
  sandboxed?: boolean;
  /** The caller is the owner unless this is false. */
  owner?: boolean;
  /** Further tools, definitions or factories. */
  tools?: ReadonlyArray<Tool | ToolDefinition | ToolFactory>;
  hooks?: Hooks;
  /** Default: the folder `root` on this machine, contained. */
  bridge?: FsBridge;
  /** Where texts go that are too long for a result; default: in memory, until `close()`. */
  artifacts?: ArtifactStore;
  /** Language models for tools; default: those of the config and of keys in the environment. */
  models?: Models;
  /** The caller can look at images itself, so `image` may hand one over. */
  vision?: boolean;
  /**
   * Files that calls cannot change, in addition to the built-in ones: a name at any depth, or a path
   * when it has a slash. Add the file that `config` came from.
   */
  protect?: readonly string[];
}

export type CallerFields = {
  readonly [Field in keyof CallerPart]: CallerPart[Field] | undefined;
} & { readonly runId?: string | undefined };

type CallerPart = Pick<
  ToolkitOptions,
  | "agentId"
  | "sessionKey"
  | "provider"
  | "model"
  | "messageChannel"
  | "groupId"
  | "sender"
  | "subagent"
  | "toolsAllow"
  | "sandboxed"
  | "owner"
  | "vision"
>;

export function toContext(
  options: Omit<ToolkitOptions, "stateDir"> & { readonly stateDir: string | undefined },
  config: ClawtoolsConfig,
): ToolContext {
  const { root, stateDir, protect, agentDir, agentId } = options;
  return {
    config,
    root,
    workspaceDir: root,
    agentDir: agentDir ?? root,
    bridge:
      options.bridge ??
      createNodeBridge(root, toProtection({ config, agentId, stateDir, protect })),
  };
}

export function toCallerContext(caller: CallerFields): ToolContext {
  const { agentId, sessionKey, runId, messageChannel, sandboxed, owner, vision } = caller;
  return {
    ownerOnly: owner !== false,
    ...withoutUndefined({ agentId, sessionKey, runId, messageChannel, sandboxed, vision }),
  };
}

export function toPolicyRequest(options: CallerFields): PolicyRequest {
  const { agentId, provider, model, messageChannel: channel, groupId, sender } = options;
  const { sandboxed, owner, subagent, toolsAllow } = options;
  return withoutUndefined({
    ...{ agentId, provider, model, channel, groupId, sandboxed, owner, subagent },
    sender: sender && { ...sender },
    toolsAllow: toolsAllow && [...toolsAllow],
  });
}

export function forModel(
  { provider: _provider, model: _model, ...caller }: PolicyRequest,
  { provider, model }: SchemaRequest,
): PolicyRequest {
  return { ...caller, ...withoutUndefined({ provider, model }) };
}

/** An unknown author gets an id that no list can name. */
export function readSender({ messageChannel, sender }: CallerFields): StartRequest["sender"] {
  if (messageChannel === undefined) return undefined;
  return { channel: messageChannel, id: sender?.id === undefined ? "" : String(sender.id) };
}

const ALL_PLUGINS = "group:plugins";

type IsAskedFor = (names: readonly string[]) => boolean;

export function readAskedFor(config: Section, request: PolicyRequest): IsAskedFor {
  const own = readSection(findAgent(config, request.agentId) ?? {}, "tools");
  const asked = new Set(
    [readSection(config, "tools"), own]
      .flatMap((scope) => [scope, findProvider(scope, request)])
      .flatMap(({ allow, alsoAllow }) => [...readTexts(allow), ...readTexts(alsoAllow)])
      .map(foldName),
  );
  return (names) => asked.has(ALL_PLUGINS) || names.some((name) => asked.has(foldName(name)));
}

/** Of `byProvider` the most exact entry: the one for the model before the one for its provider. */
function findProvider(scope: Section, request: PolicyRequest): Section {
  const byProvider = readSection(scope, "byProvider");
  const keys = readModelNames(request)?.keys ?? [];
  const written = keys.flatMap((key) =>
    Object.keys(byProvider).filter((name) => foldName(name) === key),
  );
  return written[0] === undefined ? {} : readSection(byProvider, written[0]);
}
