// Finds every problem of a config's policy, for everybody it has rules for.

import { listAgents, type PolicyRequest, type PolicyWarning } from "../core/index.js";
import { compilePolicy } from "./catalog.js";
import { readSection, type Section } from "./options/settings.js";
import { createToolList } from "./tool-list.js";

const MAX_REQUESTS = 1_000;
const SENDER_KEY = /^(id|e164|username|name):(.*)$/is;
const CHANNEL_KEY = /^channel:([^:]*):(.*)$/is;
/** Any channel will do where a rule holds for anyone who writes. */
const SOME_CHANNEL = "slack";
/** What plugins and servers bring may have these names. */
const OPEN_CODES: ReadonlySet<PolicyWarning["code"]> = new Set([
  "unknown_name",
  "allow_ignored",
  "pattern_unmatched",
]);

/** Never throws, also for a config with wrong values. Each problem is reported once. */
export function findPolicyProblems(config: Section): PolicyWarning[] {
  const tools = createToolList().listForPolicy();
  const isOpen = bringsTools(config);
  const found = new Map<string, PolicyWarning>();
  for (const request of listRequests(config).slice(0, MAX_REQUESTS)) {
    for (const warning of compilePolicy({ config, tools, request }).warnings) {
      if (isOpen && OPEN_CODES.has(warning.code)) continue;
      found.set(`${warning.path} ${warning.message}`, warning);
    }
  }
  return [...found.values()];
}

function bringsTools(config: Section): boolean {
  const { paths } = readSection(readSection(config, "plugins"), "load");
  const servers = readSection(readSection(config, "mcp"), "servers");
  return (Array.isArray(paths) && paths.length > 0) || Object.keys(servers).length > 0;
}

function listRequests(config: Section): PolicyRequest[] {
  const ids = listAgents(config).flatMap(({ id, value }) =>
    id === undefined ? [] : [{ agentId: id, tools: readSection(Object(value), "tools") }],
  );
  return [
    ...requestsOf(readSection(config, "tools"), {}),
    { subagent: "leaf" },
    ...ids.flatMap(({ agentId, tools }) => requestsOf(tools, { agentId })),
    ...groupRequests(readSection(config, "channels")),
  ];
}

function requestsOf(tools: Section, base: PolicyRequest): PolicyRequest[] {
  return [
    base,
    { ...base, sandboxed: true },
    ...Object.keys(readSection(tools, "byProvider")).map((key) => ({ ...base, ...toModel(key) })),
    ...Object.keys(readSection(tools, "toolsBySender")).map((key) => ({
      ...base,
      ...toSender(key),
    })),
  ];
}

function groupRequests(channels: Section): PolicyRequest[] {
  return Object.keys(channels).flatMap((channel) => {
    const groups = readSection(readSection(channels, channel), "groups");
    return Object.keys(groups).flatMap((groupId) => {
      const senders = Object.keys(readSection(readSection(groups, groupId), "toolsBySender"));
      const here = { channel, groupId };
      return [here, ...senders.map((key) => ({ ...toSender(key), ...here }))];
    });
  });
}

function toModel(key: string): PolicyRequest {
  const slash = key.indexOf("/");
  return slash === -1
    ? { provider: key }
    : { provider: key.slice(0, slash), model: key.slice(slash + 1) };
}

function toSender(key: string): PolicyRequest {
  const [, channel, member = ""] = CHANNEL_KEY.exec(key) ?? [];
  if (channel !== undefined) return { channel, sender: { id: member } };
  const [, kind, value = ""] = SENDER_KEY.exec(key) ?? [];
  if (kind !== undefined) return { channel: SOME_CHANNEL, sender: { [kind.toLowerCase()]: value } };
  return key === "*" ? { channel: SOME_CHANNEL } : { channel: SOME_CHANNEL, sender: { id: key } };
}
