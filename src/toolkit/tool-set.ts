// The tools of one toolkit: what the context, the build and the policy leave, and a row for each
// tool that says which of them removed it.

import {
  type Callable,
  type CallableFactory,
  type ExplainRow,
  type PolicyTool,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  ToolError,
  type ToolLimits,
  type ToolPolicy,
} from "../core/index.js";
import { nearestName } from "../lib/nearest-name.js";
import type { ToolRegistry } from "./tool-registry.js";

export interface ToolSetSource {
  readonly registry: ToolRegistry;
  readonly definitions: ReadonlyMap<string, ToolDefinition>;
  readonly ctx: ToolContext;
  readonly limits: ToolLimits;
  readonly callables: CallableFactory;
  readonly compile: (tools: readonly PolicyTool[]) => ToolPolicy;
}

export interface ToolSet {
  /** Tools that policy left, as their registry gives them. */
  readonly tools: readonly Tool[];
  readonly rows: readonly ExplainRow[];
  readonly policy: ToolPolicy;
  find(name: string): Callable | ToolError;
  /** Throws when policy does not let the tool run. */
  authorize(name: string): void;
}

export function createToolSet(source: ToolSetSource): ToolSet {
  const { registry, definitions, ctx, limits, callables } = source;
  const resolved = registry.resolveAll(ctx);
  const ownerOnly = new Set(resolved.filter((tool) => tool.ownerOnly).map(({ name }) => name));
  const policy = source.compile(listPolicyTools(source, ownerOnly));
  const rows = registry.explain(ctx).map((row) => explainForSet(row, policy));
  const present = new Set(rows.filter(({ status }) => status === "present").map(({ id }) => id));
  const tools = resolved.filter(({ name }) => isPresent(name, { present, policy }));
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const otherNames = new Map(
    [...definitions.values()].flatMap(({ name, alsoKnownAs }) =>
      alsoKnownAs.map((other) => [other, name]),
    ),
  );

  return {
    tools,
    rows,
    policy,
    find(asked) {
      const name = byName.has(asked) ? asked : (otherNames.get(asked) ?? asked);
      const tool = byName.get(name);
      if (tool === undefined) return absent(asked, { name, rows, known: byName.keys() });
      const definition = definitions.get(name);
      return definition
        ? callables.fromDefinition(definition, { ctx, limits })
        : callables.fromTool(tool);
    },
    authorize(name) {
      const decision = policy.decide(name);
      if (!decision.allowed) throw denied(name, decision);
    },
  };
}

/** A factory's tools have names of their own, which have no row; policy alone decides on them. */
function isPresent(
  name: string,
  { present, policy }: { present: ReadonlySet<string>; policy: ToolPolicy },
): boolean {
  return present.has(name) && policy.allows(name);
}

function listPolicyTools(
  { registry, definitions }: ToolSetSource,
  ownerOnly: ReadonlySet<string>,
): PolicyTool[] {
  return registry.list().map((meta): PolicyTool => {
    const definition = definitions.get(meta.id);
    const { pluginId: originId } = meta;
    return {
      name: meta.id,
      alsoKnownAs: definition?.alsoKnownAs ?? [],
      origin: meta.source === "plugin" ? "plugin" : meta.sectionId === "custom" ? "custom" : "core",
      ...(originId === undefined ? {} : { originId }),
      ownerOnly: definition?.ownerOnly ?? ownerOnly.has(meta.id),
    };
  });
}

/** What is not built is not offered here; a tool's own state comes before policy. */
function explainForSet(row: ExplainRow, policy: ToolPolicy): ExplainRow {
  if (row.code === "not_built") return Object.freeze({ ...row, status: "absent" });
  if (row.status === "absent") return row;
  const decision = policy.decide(row.id);
  if (decision.allowed) return row;
  return Object.freeze({
    id: row.id,
    status: "absent",
    code: "denied",
    reason: decision.reason,
    rule: decision.rule,
    // Looking for the patch tries configurations, so only who reads it pays for it.
    get restore() {
      return decision.restore;
    },
  });
}

function denied(name: string, { reason, rule }: { reason: string; rule?: string }): ToolError {
  return new ToolError("denied", `${name} is not allowed: ${reason}`, {
    reason: "tool_denied",
    details: { rule },
  });
}

function absent(
  asked: string,
  lookup: { name: string; rows: readonly ExplainRow[]; known: Iterable<string> },
): ToolError {
  const row = lookup.rows.find(({ id }) => id === lookup.name);
  if (row?.code === "denied") return denied(asked, row);
  if (row) {
    return new ToolError("unavailable", `${asked} cannot be used: ${row.reason}`, {
      reason: row.code,
    });
  }
  const nearest = nearestName(asked, lookup.known);
  const hint = nearest ? ` Did you mean "${nearest}"?` : "";
  return new ToolError("not_found", `There is no tool "${asked.slice(0, 80)}".${hint}`, {
    reason: "tool_unknown",
  });
}
