// The agents of the gateway: one toolkit each, made at its first use.

import { resolve } from "node:path";
import { type ClawtoolsConfig, defaultAgentId, findAgent, readAgents } from "../config/index.js";
import {
  type Approver,
  foldName,
  type ToolContext,
  ToolError,
  ToolInputError,
  type Toolkit,
} from "../core/index.js";
import { toPrintable } from "../lib/printable.js";
import { parseSessionKey } from "../sessions/index.js";
import { createToolkit, type ToolkitOptions } from "../toolkit/index.js";

const MAIN_AGENT = "main";

export interface AgentFacts {
  readonly id: string;
  readonly name?: string | undefined;
  readonly isDefault: boolean;
  readonly workspace: string;
}

export type Agents = ReturnType<typeof createAgents>;

export interface AgentsOptions {
  readonly root: string;
  readonly stateDir: string;
  readonly config: () => ClawtoolsConfig;
  /** Files that no call may change. */
  readonly protect: readonly string[];
  readonly approve: Approver;
  readonly changeConfig: NonNullable<ToolkitOptions["changeConfig"]> | undefined;
  /** For tools of this agent that call the gateway. */
  readonly gateway: (agentId: string) => NonNullable<ToolContext["gateway"]>;
  /** undefined until the agent runs, which attaches them itself. */
  readonly sessions: () => ToolContext["sessions"];
}

export function createAgents(options: AgentsOptions) {
  const { root, stateDir, config, protect, approve, changeConfig } = options;
  const toolkits = new Map<string, Toolkit>();

  function describe(id: string): AgentFacts {
    const agent = findAgent(config(), id);
    const workspace = agent?.workspace ?? config().agents?.defaults?.workspace;
    return {
      id,
      ...(agent?.name === undefined ? {} : { name: agent.name }),
      isDefault: foldName(id) === foldName(defaultAgentId(config())),
      workspace: workspace === undefined ? root : resolve(root, workspace),
    };
  }

  return {
    get defaultId(): string {
      return defaultAgentId(config());
    },
    /** The default agent first. */
    list(): readonly AgentFacts[] {
      const ids = readAgents(config()).map(({ id }) => id);
      const all = ids.length === 0 ? [MAIN_AGENT] : ids;
      return all
        .map(describe)
        .sort((one, other) => Number(other.isDefault) - Number(one.isDefault));
    },
    /** Throws `not_found` for an agent that the config does not have. */
    toolkit(agentId = defaultAgentId(config())): Toolkit {
      const id = foldName(agentId);
      const known = toolkits.get(id);
      if (known) return known;
      const isListed = findAgent(config(), agentId) !== undefined;
      if (!isListed && id !== MAIN_AGENT) throw unknownAgent(agentId);
      const toolkit = createToolkit({
        root: describe(agentId).workspace,
        stateDir,
        config: forToolkits(config()),
        protect,
        approve,
        ...(changeConfig ? { changeConfig } : {}),
        ...(isListed ? { agentId } : {}),
      });
      const sessions = options.sessions();
      toolkit.attach({ gateway: options.gateway(id), ...(sessions && { sessions }) });
      toolkits.set(id, toolkit);
      return toolkit;
    },
    /** Toolkits that exist: a config change applies its policy to them. */
    open: (): readonly Toolkit[] => [...toolkits.values()],
    async close(): Promise<void> {
      await Promise.all([...toolkits.values()].map((toolkit) => toolkit.close()));
    },
  };
}

/** Without what gateway and agent read at each use: a change of it needs no new toolkit. */
export function forToolkits(config: ClawtoolsConfig): ClawtoolsConfig {
  const { hooks, update, cron, messages, session, gateway, agents, ...rest } = config;
  const { controlUi, http, nodes, reload, tools, trustedProxies, ...fixed } = gateway ?? {};
  const { agentToAgent, ...fixedSession } = session ?? {};
  const { subagents, ...defaults } = agents?.defaults ?? {};
  const { maxConcurrent } = subagents ?? {};
  const fixedDefaults = maxConcurrent ? { ...defaults, subagents: { maxConcurrent } } : defaults;
  return {
    ...rest,
    ...(Object.keys(fixedSession).length > 0 && { session: fixedSession }),
    ...(Object.keys(fixed).length > 0 && { gateway: fixed }),
    ...(agents && { agents: { ...agents, defaults: fixedDefaults } }),
  };
}

/** The whole key of a session that a client names; `agentId` and the key must not disagree. */
export function findSessionKey(
  { defaultId }: Pick<Agents, "defaultId">,
  {
    sessionKey = "main",
    agentId,
  }: { readonly sessionKey?: string | undefined; readonly agentId?: string | undefined },
): string {
  const wanted = agentId?.toLowerCase();
  const parsed = parseSessionKey(sessionKey, { agentId: wanted ?? defaultId });
  if (wanted === undefined || parsed.agentId === wanted) return parsed.key;
  throw new ToolInputError(
    `sessionKey names the agent "${parsed.agentId}", but agentId is "${toPrintable(wanted, 80)}". Send only one of them.`,
    { reason: "invalid_params" },
  );
}

function unknownAgent(id: string): ToolError {
  return new ToolError("not_found", `unknown agent id "${toPrintable(id, 80)}"`, {
    reason: "agent_unknown",
  });
}
