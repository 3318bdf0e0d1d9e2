// What a policy is asked about: the request, and the tools by every name they have.

import { ALIASES, type BuiltIns, foldName } from "./names.js";

export interface PolicySender {
  readonly id?: string;
  readonly e164?: string;
  readonly username?: string;
  readonly name?: string;
}

export interface PolicyRequest {
  readonly agentId?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly channel?: string;
  readonly groupId?: string;
  readonly sender?: PolicySender;
  readonly sandboxed?: boolean;
  /** Default true. */
  readonly owner?: boolean;
  readonly subagent?: "leaf" | "orchestrator";
  /** The caller's own cap; an empty list leaves nothing. */
  readonly toolsAllow?: readonly string[];
}

export interface ModelNames {
  readonly provider: string;
  readonly model: string;
  readonly keys: readonly string[];
}

/** `undefined` when no provider is known. */
export function readModelNames(request: PolicyRequest): ModelNames | undefined {
  const written = foldName(request.model ?? "");
  const maker = written.slice(0, Math.max(0, written.indexOf("/")));
  const provider = foldName(request.provider ?? "") || maker;
  if (provider === "") return undefined;
  const model = provider === maker ? written.slice(maker.length + 1) : written;
  if (model === "") return { provider, model, keys: [provider] };
  const byMaker = model.includes("/") ? [model] : [];
  return { provider, model, keys: [`${provider}/${model}`, ...byMaker, provider] };
}

export interface PolicyTool {
  readonly name: string;
  readonly alsoKnownAs?: readonly string[];
  /** Default: `core` for the name of a built-in tool, else `custom`. */
  readonly origin?: "core" | "plugin" | "mcp" | "custom" | undefined;
  readonly originId?: string;
  readonly ownerOnly?: boolean;
}

export interface Subject {
  readonly name: string;
  readonly key: string;
  readonly origin: NonNullable<PolicyTool["origin"]>;
  readonly originKey: string | undefined;
  readonly ownerOnly: boolean;
}

export interface ToolIndex {
  readonly builtIns: BuiltIns;
  readonly subjects: readonly Subject[];
  readonly byName: ReadonlyMap<string, readonly Subject[]>;
  readonly byKey: ReadonlyMap<string, readonly Subject[]>;
  readonly byAlias: ReadonlyMap<string, readonly Subject[]>;
  readonly byOrigin: ReadonlyMap<string, readonly Subject[]>;
}

export function createToolIndex(tools: readonly PolicyTool[], builtIns: BuiltIns): ToolIndex {
  const subjects = tools.map((tool) => toSubject(tool, builtIns));
  const byKey = groupBy(subjects, ({ key }) => key);
  return {
    builtIns,
    subjects,
    byName: groupBy(subjects, ({ name }) => name),
    byKey,
    byAlias: listAliases({ tools, subjects, byKey, builtIns }),
    byOrigin: groupBy(subjects, ({ originKey }) => originKey),
  };
}

export function findSubjects(index: ToolIndex, name: string): readonly Subject[] {
  const exact = index.byName.get(name);
  if (exact) return exact;
  const key = foldName(name);
  return index.byKey.get(key) ?? index.byAlias.get(key) ?? [];
}

function toSubject(tool: PolicyTool, builtIns: BuiltIns): Subject {
  const { name, originId } = tool;
  const origin = tool.origin ?? (builtIns.names.has(foldName(name)) ? "core" : "custom");
  const isForeign = origin === "plugin" || origin === "mcp";
  return {
    name,
    key: foldName(name),
    origin,
    originKey: isForeign && originId !== undefined ? foldName(originId) : undefined,
    ownerOnly: tool.ownerOnly === true,
  };
}

interface AliasSource {
  readonly builtIns: BuiltIns;
  readonly tools: readonly PolicyTool[];
  readonly subjects: readonly Subject[];
  readonly byKey: ReadonlyMap<string, readonly Subject[]>;
}

/** Our own aliases win; a tool cannot claim a name that is already in use. */
function listAliases({
  tools,
  subjects,
  byKey,
  builtIns,
}: AliasSource): Map<string, readonly Subject[]> {
  const aliases = new Map<string, readonly Subject[]>();
  for (const [alias, key] of ALIASES) {
    const target = byKey.get(key);
    if (target && !byKey.has(alias)) aliases.set(alias, target);
  }
  for (const [position, tool] of tools.entries()) {
    const subject = subjects[position];
    for (const other of tool.alsoKnownAs ?? []) {
      const alias = foldName(other);
      const isTaken = byKey.has(alias) || builtIns.names.has(alias) || ALIASES.has(alias);
      if (subject && !isTaken && !aliases.has(alias)) aliases.set(alias, [subject]);
    }
  }
  return aliases;
}

function groupBy(
  subjects: readonly Subject[],
  nameOf: (subject: Subject) => string | undefined,
): Map<string, Subject[]> {
  const groups = new Map<string, Subject[]>();
  for (const subject of subjects) {
    const name = nameOf(subject);
    if (name === undefined) continue;
    const members = groups.get(name);
    if (members) members.push(subject);
    else groups.set(name, [subject]);
  }
  return groups;
}
