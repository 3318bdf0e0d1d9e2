// The tools of callers with the same rights, and a row for each removed tool.
import type { RecordCall } from "../../core/files/index.js";
import {
  type ExplainRow,
  type PolicyDenial,
  type PolicyTool,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  ToolError,
  type ToolLimits,
  type ToolPolicy,
} from "../../core/index.js";
import type { Callable, CallableFactory } from "../../core/stages.js";
import { nearestName } from "../../lib/nearest-name.js";
import type { DraftRow, ToolList } from "../tool-list.js";
import { findSwitchedOff, type SwitchedOff } from "./switches.js";

/** A bare registry resolves such tools, as documented; a toolkit does not offer them. */
const UNUSABLE: ReadonlySet<ExplainRow["code"]> = new Set(["not_built", "not_attached"]);

interface ToolSetSource {
  readonly toolList: ToolList;
  readonly ctx: ToolContext;
  /** Whose rules and switches must all let a tool through, the newest first. */
  readonly configs: readonly NonNullable<ToolContext["config"]>[];
  readonly unasked: ReadonlyMap<string, Removal>;
  readonly limits: ToolLimits;
  readonly callables: CallableFactory;
  readonly record: RecordCall;
  readonly compile: (
    config: NonNullable<ToolContext["config"]>,
    tools: readonly PolicyTool[],
  ) => ToolPolicy;
}

type SentTool = Pick<Tool, "name" | "description" | "parameters">;

export interface ToolSet {
  readonly tools: readonly Tool[];
  readonly sent: readonly SentTool[];
  readonly rows: readonly DraftRow[];
  readonly warnings: ToolPolicy["warnings"];
  find(name: string): Tool | ToolError;
  bind(tool: Tool, ctx: ToolContext): Callable;
  authorize(name: string): void;
}

export type Removal = PolicyDenial | SwitchedOff;

export function createToolSet(source: ToolSetSource): ToolSet {
  const { toolList, ctx, limits, callables, record } = source;
  const { registry, definitions } = toolList;
  const listed = toolList.listForPolicy();
  const [newest, ...before] = source.configs.map((config) => {
    const policy = source.compile(config, listed);
    return { policy, switchedOff: findSwitchedOff({ ...ctx, config }) };
  });
  const findRemoval = (name: string): Removal | undefined =>
    removalBy(newest, name) ?? source.unasked.get(name) ?? asBefore(removalBy(before[0], name));
  const explained = registry.explain(ctx).map((row) => toDraft(row, findRemoval(row.id)));
  const rows = [...explained, ...toolList.absent];
  const present = new Set(rows.filter(({ status }) => status === "present").map(({ id }) => id));
  const tools = registry.resolveAll(ctx).filter(({ name }) => present.has(name));
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const offers = (name: string) => byName.has(name);

  const sent = tools.map((tool): SentTool => {
    const { name, description, parameters } = tool;
    const unsent = definitions.get(name)?.unsent?.(ctx) ?? [];
    return { name, description, parameters: withoutParameters(parameters, unsent) };
  });

  return {
    tools,
    sent,
    rows,
    warnings: newest?.policy.warnings ?? [],
    find(asked) {
      const name = toolList.findName(asked) ?? asked;
      const tool = byName.get(name);
      return tool ?? absent(asked, { name, rows, present });
    },
    bind(tool, own) {
      const definition = definitions.get(tool.name);
      return definition
        ? callables.fromDefinition(definition, { ctx: own, limits, record, offers })
        : callables.fromTool(tool);
    },
    authorize(name) {
      const removal = findRemoval(name);
      if (removal === undefined) return;
      throw isUnattached(removal)
        ? unusable(name, { ...removal, code: "not_attached" })
        : denied(name, removal);
    },
  };
}

/** `name=value` takes one value out of a choice. */
function withoutParameters(parameters: Tool["parameters"], unsent: readonly string[]) {
  const properties = Object.entries(Object(parameters.properties)).filter(
    ([name]) => !unsent.includes(name),
  );
  if (unsent.length === 0) return parameters;
  const kept = properties.map(([name, schema]) => {
    const words: unknown = Reflect.get(Object(schema), "enum");
    if (!Array.isArray(words)) return [name, schema];
    return [
      name,
      { ...Object(schema), enum: words.filter((word) => !unsent.includes(`${name}=${word}`)) },
    ];
  });
  return { ...parameters, properties: Object.fromEntries(kept) };
}

interface Rules {
  readonly policy: ToolPolicy;
  readonly switchedOff: ReadonlyMap<string, SwitchedOff>;
}

function removalBy(rules: Rules | undefined, name: string): Removal | undefined {
  const decision = rules?.policy.decide(name);
  return decision?.allowed === false ? decision : rules?.switchedOff.get(name);
}

/** The config allows it now, but what it says besides is not in force. */
function asBefore(removal: Removal | undefined): Removal | undefined {
  if (removal === undefined) return undefined;
  const { rule, reason } = removal;
  return {
    rule,
    reason: `${reason}, in the config of the start: the config of now has other settings too, and opens it when they are in force`,
    restore: {},
  };
}

/**
 * Policy comes first: a tool that it removes is `denied` by its rule, and other obstacles follow in the
 * reason. A tool that is not built or not attached is not offered.
 */
function toDraft(row: ExplainRow, removal: Removal | undefined): DraftRow {
  const isAbsent = row.status === "absent" || UNUSABLE.has(row.code);
  const own: DraftRow = isAbsent ? { ...row, status: "absent" } : row;
  if (removal === undefined) return own;
  const { rule, reason } = removal;
  if (isUnattached(removal)) return { ...own, status: "absent", code: "not_attached", reason };
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

function isUnattached(removal: Removal): boolean {
  return "isUnattached" in removal;
}

function unusable(name: string, { reason, code }: Pick<DraftRow, "reason" | "code">): ToolError {
  return new ToolError("unavailable", `${name} cannot be used: ${reason}`, { reason: code });
}

function absent(
  asked: string,
  lookup: { name: string; rows: readonly DraftRow[]; present: Iterable<string> },
): ToolError {
  const row = lookup.rows.find(({ id }) => id === lookup.name);
  if (row?.code === "denied") return denied(asked, row);
  if (row) return unusable(asked, row);
  const nearest = nearestName(asked, lookup.present);
  const hint = nearest ? ` Did you mean "${nearest}"?` : "";
  return new ToolError("not_found", `Unknown tool "${asked.slice(0, 80)}".${hint}`, {
    reason: "tool_unknown",
  });
}

export function formatPrompt(
  tools: readonly Tool[],
  definitions: ReadonlyMap<string, ToolDefinition>,
): string {
  if (tools.length === 0) return "## Tools\n\nNo tools are available.";
  const lines = tools.map(({ name, description }) => `- ${name}: ${firstSentence(description)}`);
  const offered = new Set(tools.map(({ name }) => name));
  const absent = [...definitions.keys()].filter((name) => !offered.has(name));
  const guidance = tools
    .flatMap(({ name }) => definitions.get(name)?.guidance ?? [])
    .map(toOneLine)
    .filter((line, index, all) => all.indexOf(line) === index && !namesOne(line, absent));
  return [
    "## Tools",
    "",
    "Only these tools exist; names are case-sensitive.",
    "",
    ...lines,
    ...(guidance.length > 0
      ? ["", "## How to use them", "", ...guidance.map((line) => `- ${line}`)]
      : []),
  ].join("\n");
}

/** A line names a tool in backticks (`browser`), or bare when the name is not a word (web_fetch). */
function namesOne(line: string, names: readonly string[]): boolean {
  return names.some((name) =>
    /[_-]/.test(name)
      ? new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(line)
      : line.includes(`\`${name}\``),
  );
}

function firstSentence(description: string): string {
  const line = toOneLine(description);
  const end = line.search(/[.!?](?:\s|$)/);
  return end === -1 ? line : line.slice(0, end + 1);
}

/** The text of one tool must not be able to list another that does not exist. */
function toOneLine(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
