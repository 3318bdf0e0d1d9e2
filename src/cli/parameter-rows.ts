// The fields of a JSON Schema as rows for people: name, kind, whether it must be given, meaning.

import { toPrintable } from "../lib/printable.js";

const MAX_DEPTH = 6;
const MAX_TEXT_CHARS = 1_000;

type Node = Readonly<Record<string, unknown>>;

/** Fields inside of fields have their whole place as name: `edits[].oldText`. */
export function listParameters(schema: Node): Array<[name: string, text: string]> {
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
