// What a toolkit offers at this moment, in every form: tools, schemas, text, rows, and what a name of
// a call leads to. For one provider they all come from one set, so they cannot disagree.

import {
  type Callable,
  chooseSchemaTarget,
  createSchemaCompiler,
  type Explain,
  type ExplainRow,
  foldName,
  type PolicyWarning,
  type SchemaCompiler,
  type SchemaRequest,
  type Tool,
  type ToolDefinition,
  ToolError,
  ToolInputError,
  type ToolSchema,
} from "../../core/index.js";
import { nearestName } from "../../lib/nearest-name.js";
import { type DraftRow, finishRow } from "../tool-list/draft-row.js";
import type { ToolList } from "../tool-list/tool-list.js";
import type { ToolSet } from "./tool-set.js";

/** How the compiler begins its own sentence; said once is enough. */
const COMPILER_WORDS = /^The schema cannot be compiled for \S+: /;

/** Of other providers than the toolkit's own; a program asks for a few. */
const MAX_OTHER_SETS = 16;

export interface VisibleToolsSource {
  readonly toolList: ToolList;
  /** What the policy leaves for one provider and model. */
  readonly buildSet: (request: SchemaRequest) => ToolSet;
  /** For whom the toolkit was made. */
  readonly own: SchemaRequest;
  readonly factsOf: (id: string) => readonly string[] | undefined;
}

export interface VisibleTools {
  tools(): readonly Tool[];
  schemas(request?: SchemaRequest): ToolSchema[];
  prompt(request?: SchemaRequest): string;
  readonly explain: Explain;
  /** A tool that the model was not told of cannot be called either. */
  find(name: string): Callable | ToolError;
  /** Throws when policy does not let the tool run. */
  authorize(name: string): void;
  warnings(): readonly PolicyWarning[];
  /** Looks again at what is known. */
  renew(): void;
}

export function createVisibleTools({
  toolList,
  buildSet,
  own,
  factsOf,
}: VisibleToolsSource): VisibleTools {
  const compiler = createSchemaCompiler();
  let set = buildSet(own);
  /** By the toolkit's own provider, for the set of now; looked up at the first call. */
  let refused: ReadonlyMap<string, string> | undefined;
  const otherSets = new Map<string, ToolSet>();

  const setFor = (request: SchemaRequest): ToolSet => {
    const key = keyOf(request);
    if (key === keyOf(own)) return set;
    const found = otherSets.get(key) ?? buildSet(request);
    const [oldest] = otherSets.keys();
    if (otherSets.size >= MAX_OTHER_SETS && oldest !== undefined) otherSets.delete(oldest);
    otherSets.set(key, found);
    return found;
  };

  // Another provider has other models, so the toolkit's own model says nothing about it.
  const view = ({ provider, model }: SchemaRequest = {}): ProviderView => {
    const isOwn = provider === undefined;
    const meant = isOwn
      ? { provider: own.provider, model: model ?? own.model }
      : { provider, model };
    return viewForProvider(setFor(meant), { ...meant, compiler });
  };

  return {
    tools: () => view().tools,
    schemas: (request) => view(readSchemaRequest(request, "schemas")).schemas,
    prompt: (request) =>
      formatPrompt(view(readSchemaRequest(request, "prompt")).tools, toolList.definitions),
    explain: createExplain({
      listRows: (request) => view(request).rows,
      otherNames: toolList.otherNames,
      factsOf,
    }),
    find(name) {
      refused ??= view().refused;
      const found = set.find(name);
      const reason = found instanceof ToolError ? undefined : refused.get(found.name);
      return reason === undefined ? found : schemaRefused(name, reason);
    },
    authorize: (name) => set.authorize(name),
    warnings: () => set.warnings,
    renew() {
      set = buildSet(own);
      refused = undefined;
      otherSets.clear();
    },
  };
}

function keyOf({ provider = "", model = "" }: SchemaRequest): string {
  return JSON.stringify([foldName(provider), foldName(model)]);
}

function schemaRefused(name: string, reason: string): ToolError {
  return new ToolError("unavailable", `${name} cannot be used: ${reason}`, {
    reason: "schema_refused",
  });
}

interface ExplainSource {
  /** For the toolkit's own provider when none is asked for. */
  readonly listRows: (request: SchemaRequest) => readonly DraftRow[];
  /** Other names to the name of the tool they stand for. */
  readonly otherNames: ReadonlyMap<string, string>;
  /** What is in force for a tool that is there. */
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
  const reason = `there is no such tool.${hint}`;
  return Object.freeze({ id: asked, status: "absent", code: "unknown", reason });
}

function formatPrompt(
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

/** A tool is named in backticks, or by a name that is no word: `browser`, web_fetch. */
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

interface ProviderView {
  readonly tools: readonly Tool[];
  readonly schemas: ToolSchema[];
  readonly rows: readonly DraftRow[];
  /** Tool name to the reason for which it is left out. */
  readonly refused: ReadonlyMap<string, string>;
}

function viewForProvider(
  set: Pick<ToolSet, "tools" | "rows">,
  request: SchemaRequest & { readonly compiler: SchemaCompiler },
): ProviderView {
  const { provider, model, compiler } = request;
  const target = chooseSchemaTarget({
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
  });
  const { compiled, quarantined } = compiler.compileTools(set.tools, target);
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

/** Throws a ToolInputError that names the field. */
function readSchemaRequest(
  given: unknown,
  member: "schemas" | "prompt" | "explain",
): SchemaRequest {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw wrong(`${member} takes an object with provider and model, or nothing.`);
  }
  const provider: unknown = Reflect.get(given, "provider");
  const model: unknown = Reflect.get(given, "model");
  if (!isOptionalText(provider)) throw wrong(`${member}: provider must be a text.`);
  if (!isOptionalText(model)) throw wrong(`${member}: model must be a text.`);
  return { provider, model };
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function wrong(message: string): ToolInputError {
  return new ToolInputError(message, { reason: "options_invalid" });
}
