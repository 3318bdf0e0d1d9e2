// `clawtools tools schema`: the parameters of the tools, as compiled for one provider.

import { ToolError, type Toolkit, type ToolSchema } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { type CommandCall, printJson, printLines } from "../command-call.js";
import { listParameters } from "../parameter-rows.js";
import { warnOfRefused, withToolkit } from "../with-toolkit.js";
import { formatColumns, wrapText } from "../wrap-text.js";

const MAX_DESCRIPTION_CHARS = 1_000;

export async function run(call: CommandCall): Promise<number> {
  const { output, switches, texts, words, width } = call;
  const [name] = words;
  return await withToolkit(call, async ({ toolkit }) => {
    const schemas = toolkit.schemas({ provider: texts.provider, model: texts.model });
    const one = name === undefined ? undefined : findSchema({ toolkit, schemas, name });
    if (one === undefined) warnOfRefused(toolkit, output);
    if (switches.has("json")) printJson(output, one ?? schemas);
    else printLines(output, describeSchemas(one ? [one] : schemas, width));
    return 0;
  });
}

/** Throws the reason when the tool is not there. */
function findSchema(wanted: {
  readonly toolkit: Toolkit;
  readonly schemas: readonly ToolSchema[];
  readonly name: string;
}): ToolSchema {
  const { toolkit, schemas, name } = wanted;
  const row = toolkit.explain(name);
  const schema = schemas.find((one) => one.name === row.id);
  if (schema !== undefined) return schema;
  const code =
    row.code === "unknown" ? "not_found" : row.code === "denied" ? "denied" : "unavailable";
  const shown = toPrintable(row.id, 80);
  const step = row.code === "unknown" ? "" : `. See \`clawtools tools explain ${shown}\`.`;
  throw new ToolError(code, `${shown} has no schema here: ${row.reason}${step}`, {
    reason: row.code,
  });
}

function describeSchemas(schemas: readonly ToolSchema[], width: number): string[] {
  return schemas.flatMap(({ name, description, input_schema }, index) => {
    const rows = listParameters(input_schema);
    return [
      ...(index === 0 ? [] : [""]),
      toPrintable(name),
      ...wrapText(toPrintable(description, MAX_DESCRIPTION_CHARS), width),
      ...(rows.length === 0 ? ["  (no parameters)"] : formatColumns({ rows, width })),
    ];
  });
}
