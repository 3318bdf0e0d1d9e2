// `clawtools tools schema`: the parameters of the tools, as compiled for one provider.

import { ToolError, type Toolkit, type ToolSchema } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { type Command, show } from "../../command.js";
import { AUDIENCE_FLAGS } from "../../flags.js";
import { formatColumns, wrapText } from "../../terminal/wrap-text.js";
import { warnOfRefused, withToolkit } from "../../with-toolkit.js";

const MAX_DEPTH = 6;
const MAX_TEXT_CHARS = 1_000;

export const command: Command = {
  usage: "[TOOL]",
  notes: ["With --json: the list of schemas, or one object when TOOL is given."],
  flags: AUDIENCE_FLAGS,
  required: ["provider"],
  async run(call) {
    const { texts, words } = call;
    const [name] = words;
    return await withToolkit(call, async ({ toolkit }) => {
      const schemas = toolkit.schemas({ provider: texts.provider, model: texts.model });
      const one = name === undefined ? undefined : findSchema({ toolkit, schemas, name });
      if (one === undefined) warnOfRefused(toolkit, call.output);
      return show(call, one ?? schemas, () => describeSchemas(one ? [one] : schemas, call.width));
    });
  },
};

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
      ...wrapText(toPrintable(description, MAX_TEXT_CHARS), width),
      ...(rows.length === 0 ? ["  (no parameters)"] : formatColumns({ rows, width })),
    ];
  });
}

type Node = Readonly<Record<string, unknown>>;

/** Nested fields have their whole path as name: `edits[].oldText`. */
function listParameters(schema: Node): Array<[name: string, text: string]> {
  return listFields({ node: schema, prefix: "", depth: 0 });
}

function listFields(place: {
  readonly node: Node;
  readonly prefix: string;
  readonly depth: number;
}): Array<[string, string]> {
  const { node, prefix, depth } = place;
  if (depth === MAX_DEPTH) return [];
  const required: readonly unknown[] = Array.isArray(node.required) ? node.required : [];
  return Object.entries(toNode(node.properties)).flatMap(([name, value]) => {
    const field = toNode(value);
    const path = `${prefix}${toPrintable(name, 80)}`;
    const must = required.includes(name) ? "required" : "optional";
    const meaning = typeof field.description === "string" ? `: ${field.description}` : "";
    const text = toPrintable(`${nameKind(field)}, ${must}${meaning}`, MAX_TEXT_CHARS);
    const inner = [
      { node: field, prefix: `${path}.`, depth: depth + 1 },
      { node: toNode(field.items), prefix: `${path}[].`, depth: depth + 1 },
    ];
    return [[path, text] satisfies [string, string], ...inner.flatMap(listFields)];
  });
}

function nameKind(node: Node): string {
  if (Array.isArray(node.enum)) return node.enum.map((word) => JSON.stringify(word)).join(" | ");
  if (node.const !== undefined) return JSON.stringify(node.const);
  const choices = node.anyOf ?? node.oneOf;
  if (Array.isArray(choices)) return choices.map((choice) => nameKind(toNode(choice))).join(" | ");
  if (node.type === "array") return `list of ${nameKind(toNode(node.items))}`;
  if (Array.isArray(node.type)) return node.type.join(" | ");
  return typeof node.type === "string" ? node.type : "value";
}

function toNode(value: unknown): Node {
  // A parse border: a JSON object, read key by key as unknown.
  return typeof value === "object" && value !== null ? (value as Node) : {};
}
