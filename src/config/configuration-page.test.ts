// docs/configuration.md lists every key of the schema, and shows configs that are right.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import json5 from "json5";
import { describe, expect, it } from "vitest";
import { wordsForNode } from "./check/words.js";
import { parseConfig } from "./index.js";
import { configSchemaNode, type SchemaNode } from "./schema.js";

const HEAD = "| key | value | default | meaning |\n|---|---|---|---|";
const page = readFileSync(join(import.meta.dirname, "../../docs/configuration.md"), "utf8");

/** Where keys were described first: what comes again is named by that place. */
type Described = Map<object, string>;

function listRows(path: string, node: SchemaNode, described: Described): string[] {
  const keys = hasKeys(node) ? (node.properties ?? node.anyOf) : undefined;
  const before = keys && described.get(keys);
  const meaning = [node.description, before && `Keys as in \`${before}\`.`].filter(Boolean);
  const row = `| \`${path}\` | ${showValue(node)} | ${showDefault(node)} | ${meaning.join(" ")} |`;
  if (before !== undefined) return [row];
  if (keys !== undefined) described.set(keys, path);
  const inner = listChildren(node).flatMap(([name, child]) =>
    listInner(path + name, child, described),
  );
  return [row, ...inner];
}

/** What an entry without keys of its own holds is said by the row above it. */
function listInner(path: string, node: SchemaNode, described: Described): string[] {
  const isEntry = /(?:\[\]|<name>)$/.test(path);
  return isEntry && !hasKeys(node) ? [] : listRows(path, node, described);
}

function hasKeys(node: SchemaNode): boolean {
  return node.properties !== undefined || listChildren(node).some(([, inner]) => hasKeys(inner));
}

function listChildren(node: SchemaNode): [name: string, node: SchemaNode][] {
  const { properties = {}, items, additionalProperties, anyOf = [] } = node;
  return [
    ...Object.entries(properties).map(([name, inner]): [string, SchemaNode] => [`.${name}`, inner]),
    ...(items ? [["[]", items] satisfies [string, SchemaNode]] : []),
    ...(typeof additionalProperties === "object"
      ? [[".<name>", additionalProperties] satisfies [string, SchemaNode]]
      : []),
    ...anyOf.flatMap(listChildren),
  ];
}

function showValue(node: SchemaNode): string {
  if (node.deprecated) return "no effect";
  if (node.enum) return node.enum.map((word) => `\`${word}\``).join(", ");
  return wordsForNode(node);
}

function showDefault(node: SchemaNode): string {
  return node.default === undefined ? "" : `\`${JSON.stringify(node.default)}\``;
}

const described: Described = new Map();
const tables = Object.entries(configSchemaNode().properties ?? {})
  .filter(([name]) => !name.startsWith("$"))
  .map(([name, node]): [string, string[]] => [name, listRows(name, node, described)]);

describe("docs/configuration.md", () => {
  it.each(tables)("has a section for %s with every key", (name, rows) => {
    const text = `### \`${name}\`\n\n${HEAD}\n${rows.join("\n")}\n`;
    expect(page).toContain(text);
  });

  it("has no key that the schema does not have", () => {
    const rows = tables.flatMap(([, list]) => list);
    const keyRows = page.split("\n").filter((line) => /^\| `[a-z]\w*[.`[]/i.test(line));
    expect(keyRows).toEqual(rows);
  });

  it("shows only configs without a problem", () => {
    const examples = [...page.matchAll(/```json5\n([^`]*)```/g)].map(([, text]) => text ?? "");
    expect(examples.length).toBeGreaterThan(2);
    for (const text of examples) {
      if (/\$include|source:/.test(text)) continue;
      expect(parseConfig(json5.parse(text)).problems, text).toEqual([]);
    }
  });
});
