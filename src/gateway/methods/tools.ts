// Methods about agents and their tools: what there is, why something is not offered, and one call.

import { findAgent } from "../../config/index.js";
import {
  type ExplainRow,
  type InvokeResult,
  TOOL_PROFILES,
  type Toolkit,
  t,
} from "../../core/index.js";
import { readText } from "../../lib/read-field.js";
import { coversScope } from "../../protocol/index.js";
import { getCoreSections, getCoreToolCatalog } from "../../toolkit/index.js";
import { findSessionKey } from "../agents.js";
import { defineMethod } from "../services.js";

const agentId = () =>
  t.optional(t.string({ description: "Default: the default agent.", minLength: 1 }));
const sessionKey = () => t.optional(t.string({ description: "Session.", minLength: 1 }));

const agentsList = defineMethod({
  name: "agents.list",
  params: t.object({}),
  scope: "operator.read",
  help: "The agents of the config.",
  run({ services }) {
    const { agents } = services;
    const config = services.config.current();
    /** Clients ask for a provider when an agent has no model. */
    const modelOf = (id: string) => {
      const model = findAgent(config, id)?.model ?? config.agents?.defaults?.model;
      if (model === undefined) return {};
      return { model: typeof model === "string" ? { primary: model } : model };
    };
    return {
      defaultId: agents.defaultId,
      mainKey: "main",
      scope: "per-sender",
      agents: agents.list().map(({ id, name, workspace }) => ({
        id,
        ...(name === undefined ? {} : { name }),
        workspace,
        ...modelOf(id),
      })),
    };
  },
});

const catalog = defineMethod({
  name: "tools.catalog",
  params: t.object({ agentId: agentId() }),
  scope: "operator.read",
  help: "All tools of this version, by section.",
  run({ services }, { agentId: id = services.agents.defaultId }) {
    const tools = getCoreToolCatalog();
    const groups = getCoreSections().map((section) => ({
      id: section.id,
      label: section.label,
      source: "core",
      tools: tools
        .filter((tool) => tool.sectionId === section.id)
        .map((tool) => ({
          id: tool.id,
          label: tool.label,
          description: tool.description,
          source: "core",
          defaultProfiles: tool.profiles,
        })),
    }));
    const profiles = TOOL_PROFILES.map((profile) => ({ id: profile, label: profile }));
    return { agentId: id, profiles, groups: groups.filter(({ tools: list }) => list.length > 0) };
  },
});

const effective = defineMethod({
  name: "tools.effective",
  params: t.object({ agentId: agentId(), sessionKey: sessionKey() }),
  scope: "operator.read",
  help: "The tools that an agent has, and why it does not have the others.",
  async run({ services }, { agentId: id = services.agents.defaultId }) {
    const toolkit = services.agents.toolkit(id);
    await toolkit.ready;
    const descriptions = new Map(toolkit.tools.map((tool) => [tool.name, tool.description]));
    const rows = toolkit.explain();
    const present = rows.filter(({ id: name }) => descriptions.has(name));
    const { profile = "full" } = services.config.current().tools ?? {};
    return {
      agentId: id,
      profile,
      groups: [
        {
          id: "core",
          label: "Tools",
          source: "core",
          tools: present.map((row) => toEntry(row, descriptions.get(row.id) ?? "")),
        },
      ],
      notices: rows.filter(({ status }) => status === "absent").map(toNotice),
    };
  },
});

const invoke = defineMethod({
  name: "tools.invoke",
  params: t.object({
    name: t.string({ description: "Tool.", minLength: 1, maxLength: 200 }),
    args: t.optional(t.record(t.unknown(), { description: "Its arguments." })),
    agentId: agentId(),
    sessionKey: sessionKey(),
    idempotencyKey: t.optional(
      t.string({ description: "A repeat gets the first answer.", minLength: 1 }),
    ),
  }),
  scope: "operator.write",
  idempotent: true,
  help: "Calls a tool, under the agent's policy.",
  async run({ services, principal, signal }, params) {
    const toolkit = services.agents.toolkit(params.agentId);
    await toolkit.ready;
    // One caller per session, or per connection: a client's loop stops no other client.
    const key = findSessionKey(services.agents, params);
    // Tools for owners do what only admins may do over the wire.
    const owner = coversScope(principal.scopes, "operator.admin");
    const runId = `gateway:${principal.connId}`;
    const caller = toolkit.forCaller({ sessionKey: key, runId, owner });
    const answer = await caller.invoke({
      id: `gw_${services.random.hex(8)}`,
      name: params.name,
      arguments: params.args ?? {},
      signal,
      entryPoint: principal.connId === "http" ? "gateway-http" : "gateway-ws",
    });
    return toInvokeResult(answer, toolkit);
  },
});

export const TOOL_METHODS = [agentsList, catalog, effective, invoke] as const;

function toEntry({ id }: ExplainRow, description: string) {
  return { id, label: id, description, rawDescription: description, source: "core" };
}

function toNotice({ id, code, reason }: ExplainRow) {
  return { id, severity: "info", message: `${code}: ${reason}` };
}

function toInvokeResult(answer: InvokeResult, toolkit: Toolkit) {
  const { content, details, isError, toolName } = answer;
  const shown = { ok: !isError, toolName, source: sourceOf(toolkit, toolName) };
  if (!isError) return { ...shown, output: { content, details } };
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  const code = readText(details, "reason") ?? readText(details, "code") ?? "failed";
  return { ...shown, error: { code, message: text === "" ? code : text, details } };
}

function sourceOf(toolkit: Toolkit, name: string): string {
  return toolkit.explain(name).code === "unknown" ? "plugin" : "core";
}
