// The tools of one toolkit: what the policy, the context and the build leave, and a row for each
// tool that says what removed it.

import type { RecordCall } from "../../core/files/index.js";
import {
  type Callable,
  type CallableFactory,
  type ExplainRow,
  type PolicyDenial,
  type PolicyTool,
  type Tool,
  type ToolContext,
  ToolError,
  type ToolLimits,
  type ToolPolicy,
} from "../../core/index.js";
import { nearestName } from "../../lib/nearest-name.js";
import type { DraftRow } from "../known/draft-row.js";
import type { KnownTools } from "../known/known-tools.js";
import { findSwitchedOff, type SwitchedOff } from "./switches.js";

export interface ToolSetSource {
  readonly known: KnownTools;
  readonly ctx: ToolContext;
  /** Where switches of tools are read; that of `ctx` or a newer one. */
  readonly config: NonNullable<ToolContext["config"]>;
  readonly limits: ToolLimits;
  readonly callables: CallableFactory;
  readonly record: RecordCall;
  readonly compile: (tools: readonly PolicyTool[]) => ToolPolicy;
}

export interface ToolSet {
  /** Tools that are left, as their registry gives them. */
  readonly tools: readonly Tool[];
  readonly rows: readonly DraftRow[];
  readonly policy: ToolPolicy;
  find(name: string): Callable | ToolError;
  /** Throws when policy does not let the tool run. */
  authorize(name: string): void;
}

/** By the policy, or by a switch of the tool itself. */
type Removal = PolicyDenial | SwitchedOff;

export function createToolSet(source: ToolSetSource): ToolSet {
  const { known, ctx, limits, callables, record } = source;
  const { registry, definitions } = known;
  const policy = source.compile(known.listForPolicy());
  const switchedOff = findSwitchedOff({ ...ctx, config: source.config });
  const findRemoval = (name: string): Removal | undefined => {
    const decision = policy.decide(name);
    return decision.allowed ? switchedOff.get(name) : decision;
  };
  const explained = registry.explain(ctx).map((row) => toDraft(row, findRemoval(row.id)));
  const rows = [...explained, ...known.absent];
  const present = new Set(rows.filter(({ status }) => status === "present").map(({ id }) => id));
  const tools = registry.resolveAll(ctx).filter(({ name }) => present.has(name));
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const offers = (name: string) => byName.has(name);

  return {
    tools,
    rows,
    policy,
    find(asked) {
      const name = known.findName(asked) ?? asked;
      const tool = byName.get(name);
      if (tool === undefined) return absent(asked, { name, rows, present });
      const definition = definitions.get(name);
      return definition
        ? callables.fromDefinition(definition, { ctx, limits, record, offers })
        : callables.fromTool(tool);
    },
    authorize(name) {
      const removal = findRemoval(name);
      if (removal) throw denied(name, removal);
    },
  };
}

/**
 * The policy speaks first: what it removes is `denied`, by its rule, and what keeps the tool away
 * besides stands behind that in the reason. What is not built is not offered.
 */
function toDraft(row: ExplainRow, removal: Removal | undefined): DraftRow {
  const isAbsent = row.status === "absent" || row.code === "not_built";
  const own: DraftRow = isAbsent ? { ...row, status: "absent" } : row;
  if (removal === undefined) return own;
  const { rule, reason } = removal;
  return {
    ...own,
    status: "absent",
    code: "denied",
    reason: isAbsent ? `${reason}; and ${own.reason}` : reason,
    rule,
    findRestore: () => removal.restore,
  };
}

function denied(name: string, { reason, rule }: { reason: string; rule?: string }): ToolError {
  return new ToolError("denied", `${name} is not allowed: ${reason}`, {
    reason: "tool_denied",
    details: { rule },
  });
}

function absent(
  asked: string,
  lookup: { name: string; rows: readonly DraftRow[]; present: Iterable<string> },
): ToolError {
  const row = lookup.rows.find(({ id }) => id === lookup.name);
  if (row?.code === "denied") return denied(asked, row);
  if (row) {
    return new ToolError("unavailable", `${asked} cannot be used: ${row.reason}`, {
      reason: row.code,
    });
  }
  const nearest = nearestName(asked, lookup.present);
  const hint = nearest ? ` Did you mean "${nearest}"?` : "";
  return new ToolError("not_found", `There is no tool "${asked.slice(0, 80)}".${hint}`, {
    reason: "tool_unknown",
  });
}
