// What a toolkit offers a caller now: tools, schemas, text and rows, all from one set.

import {
  chooseSchemaTarget,
  createSchemaCompiler,
  type Explain,
  type ExplainRow,
  foldName,
  type PolicyRequest,
  type PolicyWarning,
  type SchemaCompiler,
  type SchemaRequest,
  type Tool,
  type ToolContext,
  ToolError,
  type ToolSchema,
} from "../../core/index.js";
import type { Callable } from "../../core/stages.js";
import { nearestName } from "../../lib/nearest-name.js";
import { readSchemaRequest } from "../options/check-options.js";
import { forModel } from "../options/toolkit-options.js";
import { type DraftRow, finishRow, type ToolList } from "../tool-list.js";
import { formatPrompt, type ToolSet } from "./tool-set.js";

/** How the compiler begins its own sentence; said once is enough. */
const COMPILER_WORDS = /^The schema cannot be compiled for \S+: /;

const MAX_SETS = 256;

export interface ToolViewsSource {
  readonly toolList: ToolList;
  readonly buildSet: (request: PolicyRequest, ctx: ToolContext) => ToolSet;
  readonly hasSenderRules: () => boolean;
  readonly factsOf: (id: string) => readonly string[] | undefined;
}

export interface ToolViews {
  view(caller: ViewCaller): VisibleTools;
  renew(): void;
}

export interface ViewCaller {
  readonly request: PolicyRequest;
  /** Asked again after `renew`. */
  readonly ctx: () => ToolContext;
}

export interface VisibleTools {
  tools(): readonly Tool[];
  schemas(request?: SchemaRequest): ToolSchema[];
  prompt(request?: SchemaRequest): string;
  readonly explain: Explain;
  /** A tool that is hidden from the model cannot be called either. */
  find(name: string): Callable | ToolError;
  authorize(name: string): void;
  warnings(): readonly PolicyWarning[];
}

interface SharedSet {
  readonly set: ToolSet;
  refused: ReadonlyMap<string, string> | undefined;
}

export function createToolViews(source: ToolViewsSource): ToolViews {
  const { toolList, buildSet, factsOf } = source;
  const compiler = createSchemaCompiler();
  const sets = new Map<string, SharedSet>();
  let hasSenderRules = source.hasSenderRules();
  let version = 0;

  function setFor(request: PolicyRequest, ctx: ToolContext): SharedSet {
    const { provider = "", model = "", sender, ...rest } = request;
    const { sessionKey, runId } = ctx;
    const key = JSON.stringify([
      ...[foldName(provider), foldName(model), rest, hasSenderRules ? sender : null],
      // A tool may need them.
      ...[sessionKey === undefined, runId === undefined],
    ]);
    const found = sets.get(key);
    if (found) return found;
    const [oldest] = sets.keys();
    if (sets.size >= MAX_SETS && oldest !== undefined) sets.delete(oldest);
    const made = { set: buildSet(request, ctx), refused: undefined };
    sets.set(key, made);
    return made;
  }

  function view({ request: own, ctx: readContext }: ViewCaller): VisibleTools {
    let current: CallerSet | undefined;
    const now = (): CallerSet => {
      if (current?.version === version) return current;
      const ctx = readContext();
      current = { version, ctx, shared: setFor(own, ctx), made: new Map() };
      return current;
    };

    // Another provider has other models, so the caller's own model says nothing about it.
    const see = ({ provider, model, aliases }: SchemaRequest = {}): ProviderView => {
      const { shared, ctx } = now();
      const meant =
        provider === undefined
          ? { provider: own.provider, model: model ?? own.model }
          : { provider, model };
      const isOwn = provider === undefined && model === undefined;
      const { set } = isOwn ? shared : setFor(forModel(own, meant), ctx);
      const aliasesOf = ({ name }: Pick<Tool, "name">) => toolList.definitions.get(name)?.aliases;
      const spelling = aliases ? { aliasesOf } : {};
      return viewForProvider(set, { ...meant, compiler, spelling });
    };

    return {
      tools: () => see().tools,
      schemas: (request) => see(readSchemaRequest(request, "schemas")).schemas,
      prompt: (request) =>
        formatPrompt(see(readSchemaRequest(request, "prompt")).tools, toolList.definitions),
      explain: createExplain({
        listRows: (request) => see(request).rows,
        otherNames: toolList.otherNames,
        factsOf,
      }),
      find(name) {
        const { shared, ctx, made } = now();
        shared.refused ??= see().refused;
        const found = shared.set.find(name);
        if (found instanceof ToolError) return found;
        const reason = shared.refused.get(found.name);
        if (reason !== undefined) return schemaRefused(name, reason);
        const callable = made.get(found.name) ?? shared.set.bind(found, ctx);
        made.set(found.name, callable);
        return callable;
      },
      authorize: (name) => now().shared.set.authorize(name),
      warnings: () => now().shared.set.warnings,
    };
  }

  return {
    view,
    renew() {
      sets.clear();
      hasSenderRules = source.hasSenderRules();
      version++;
    },
  };
}

interface CallerSet {
  readonly version: number;
  readonly ctx: ToolContext;
  readonly shared: SharedSet;
  readonly made: Map<string, Callable>;
}

function schemaRefused(name: string, reason: string): ToolError {
  return new ToolError("unavailable", `${name} cannot be used: ${reason}`, {
    reason: "schema_refused",
  });
}

interface ExplainSource {
  /** For the toolkit's own provider when none is asked for. */
  readonly listRows: (request: SchemaRequest) => readonly DraftRow[];
  readonly otherNames: ReadonlyMap<string, string>;
  readonly factsOf: (id: string) => readonly string[] | undefined;
}

function createExplain({ listRows, otherNames, factsOf }: ExplainSource): Explain {
  const finish = (row: DraftRow): ExplainRow => {
    const facts = row.status === "present" ? factsOf(row.id) : undefined;
    return finishRow(facts === undefined ? row : { ...row, facts });
  };

  function explain(request?: SchemaRequest): ExplainRow[];
  function explain(name: string, request?: SchemaRequest): ExplainRow;
  function explain(
    asked?: string | SchemaRequest,
    request?: SchemaRequest,
  ): ExplainRow[] | ExplainRow {
    if (typeof asked !== "string") {
      return listRows(readSchemaRequest(asked, "explain")).map(finish);
    }
    const rows = listRows(readSchemaRequest(request, "explain"));
    const row = findRow(asked, { rows, otherNames });
    return row
      ? finish(row)
      : unknownRow(asked, [...rows.map(({ id }) => id), ...otherNames.keys()]);
  }
  return explain;
}

interface Names {
  readonly rows: readonly DraftRow[];
  readonly otherNames: ReadonlyMap<string, string>;
}

/** Spelled exactly so, then without regard to case; a tool's own name before another one. */
function findRow(asked: string, { rows, otherNames }: Names): DraftRow | undefined {
  const ofId = (id: string | undefined) => rows.find((row) => row.id === id);
  const key = foldName(asked);
  const alike = (name: string) => foldName(name) === key;
  return (
    ofId(asked) ??
    ofId(otherNames.get(asked)) ??
    rows.find(({ id }) => alike(id)) ??
    ofId([...otherNames].find(([other]) => alike(other))?.[1])
  );
}

function unknownRow(asked: string, known: readonly string[]): ExplainRow {
  const nearest = nearestName(asked, known);
  const hint = nearest ? ` Did you mean "${nearest}"?` : "";
  const reason = `no such tool exists.${hint}`;
  return Object.freeze({ id: asked, status: "absent", code: "unknown", reason });
}

interface ProviderView {
  readonly tools: readonly Tool[];
  readonly schemas: ToolSchema[];
  readonly rows: readonly DraftRow[];
  readonly refused: ReadonlyMap<string, string>;
}

function viewForProvider(
  set: Pick<ToolSet, "tools" | "sent" | "rows">,
  request: SchemaRequest & {
    readonly compiler: SchemaCompiler;
    readonly spelling: Parameters<SchemaCompiler["compileTools"]>[2];
  },
): ProviderView {
  const { provider, model, compiler, spelling } = request;
  const target = chooseSchemaTarget({ provider, model });
  const { compiled, quarantined } = compiler.compileTools(set.sent, target, spelling);
  const refused = new Map(
    quarantined.map(({ tool, reason }) => [
      tool.name,
      `schema cannot be compiled for ${target}: ${reason.replace(COMPILER_WORDS, "")}`,
    ]),
  );
  return {
    tools: set.tools.filter(({ name }) => !refused.has(name)),
    schemas: compiled.map(({ name, description, schema }) => ({
      name,
      description,
      input_schema: schema,
    })),
    rows: set.rows.map((row) => quarantine(row, refused.get(row.id))),
    refused,
  };
}

function quarantine(row: DraftRow, reason: string | undefined): DraftRow {
  if (reason === undefined || row.status === "absent") return row;
  return { id: row.id, status: "absent", code: "schema_refused", reason };
}
