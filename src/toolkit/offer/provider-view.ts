// The tools of a set as one provider takes them: compiled schemas, and a row for each tool whose
// schema that provider would refuse.

import {
  chooseSchemaTarget,
  type SchemaCompiler,
  type SchemaRequest,
  type Tool,
  type ToolSchema,
} from "../../core/index.js";
import type { DraftRow } from "../known/draft-row.js";
import type { ToolSet } from "./tool-set.js";

/** How the compiler begins its own sentence; said once is enough. */
const COMPILER_WORDS = /^The schema cannot be compiled for \S+: /;

export interface ProviderView {
  readonly tools: readonly Tool[];
  readonly schemas: ToolSchema[];
  readonly rows: readonly DraftRow[];
  /** Tool name to the reason for which it is left out. */
  readonly refused: ReadonlyMap<string, string>;
}

export function viewForProvider(
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
