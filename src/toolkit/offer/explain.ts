// `explain`: one row per known tool, or the row of the one that a name stands for.

import { type Explain, type ExplainRow, foldName, type SchemaRequest } from "../../core/index.js";
import { nearestName } from "../../lib/nearest-name.js";
import { type DraftRow, finishRow } from "../known/draft-row.js";
import { readSchemaRequest } from "./read-request.js";

export interface ExplainSource {
  /** For the toolkit's own provider when none is asked for. */
  readonly listRows: (request: SchemaRequest) => readonly DraftRow[];
  /** Other names to the name of the tool they stand for. */
  readonly otherNames: ReadonlyMap<string, string>;
  /** What is in force for a tool that is there. */
  readonly factsOf: (id: string) => readonly string[] | undefined;
}

export function createExplain({ listRows, otherNames, factsOf }: ExplainSource): Explain {
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
