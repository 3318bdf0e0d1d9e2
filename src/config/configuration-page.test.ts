// The docs/configuration-*.md pages list every key of the schema: `UPDATE_DOCS=1 npx vitest run` on
// this file writes their tables. docs/configuration.md shows configs that are right.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import json5 from "json5";
import { describe, expect, it } from "vitest";
import { parseConfig } from "./index.js";
import { configSchemaNode, type SchemaNode } from "./schema.js";

const DOCS = join(import.meta.dirname, "../../docs");
const START = "<!-- keys -->\n";
const HEAD = "| key | type | default | meaning |\n|---|---|---|---|";
const PAGES = {
  "configuration-tools.md": ["tools"],
  "configuration-agents.md": ["agents", "memory", "session"],
  "configuration-models.md": ["models"],
  "configuration-gateway.md": ["gateway", "cron", "hooks", "commands", "update"],
  "configuration-runtime.md": ["limits", "budgets", "undo", "audit", "approvals"],
  "configuration-extensions.md": ["browser", "plugins", "mcp", "secrets"],
  "configuration-channels.md": ["messages", "channels", "canvasHost"],
};

/** Where keys were described first: a repeated group of keys is a reference to that place. */
type Described = Map<object, string>;

function listRows(path: string, node: SchemaNode, described: Described): string[] {
  const keys = findKeys(node);
  const before = keys && described.get(keys);
  const meaning = [node.description, before && `Keys as in \`${before}\`.`].filter(Boolean);
  const row = `| \`${path}\` | ${showType(node)} | ${showDefault(node)} | ${meaning.join(" ")} |`;
  if (before !== undefined) return [row];
  if (keys !== undefined) described.set(keys, path);
  const inner = listChildren(node).flatMap(([name, child]) =>
    listInner(path + name, child, described),
  );
  return node.properties === undefined ? [row, ...inner] : inner;
}

/** The row above an entry without keys of its own describes it. */
function listInner(path: string, node: SchemaNode, described: Described): string[] {
  const isEntry = /(?:\[\]|<name>)$/.test(path);
  return isEntry && !hasKeys(node) ? [] : listRows(path, node, described);
}

function findKeys(node: SchemaNode): object | undefined {
  return node.properties ?? node.anyOf?.find(hasKeys)?.properties;
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

function showType(node: SchemaNode): string {
  if (node.deprecated) return "no effect";
  if (node.enum) return node.enum.map((word) => `\`${word}\``).join(", ");
  if (node.anyOf) return node.anyOf.map(showType).join(" or ");
  if (node.type === "array") return `array of ${showType(node.items ?? {})}`;
  return `${node.type ?? "any"}${showRange(node)}`;
}

function showRange({ minimum, maximum, maxLength }: SchemaNode): string {
  if (maxLength !== undefined) return `, ≤ ${maxLength} characters`;
  if (maximum !== undefined) return ` ${minimum ?? ""}–${maximum}`;
  return minimum === undefined ? "" : ` ≥ ${minimum}`;
}

function showDefault(node: SchemaNode): string {
  return node.default === undefined ? "" : `\`${JSON.stringify(node.default)}\``;
}

const sections = configSchemaNode().properties ?? {};
const described: Described = new Map();
const pages = Object.entries(PAGES).map(([name, keys]): [string, string] => {
  const tables = keys.map((key) => {
    const node = sections[key] ?? {};
    const rows = listRows(key, node, described).join("\n");
    return `## \`${key}\`\n\n${node.description}\n\n${HEAD}\n${rows}\n`;
  });
  return [name, `\n${tables.join("\n")}`];
});

it.each(pages)("docs/%s lists every key of its sections", (name, tables) => {
  const file = join(DOCS, name);
  const [head = ""] = readFileSync(file, "utf8").split(START);
  const text = `${head}${START}${tables}`;
  if (process.env.UPDATE_DOCS === "1") writeFileSync(file, text);
  expect(readFileSync(file, "utf8")).toBe(text);
});

describe("docs/configuration.md", () => {
  const page = readFileSync(join(DOCS, "configuration.md"), "utf8");

  it("has a page for every section", () => {
    const documented = Object.entries(PAGES).flatMap(([name, keys]) =>
      keys.map((key) => `[\`${key}\`](${name}#${key.toLowerCase()})`),
    );
    const names = Object.keys(sections).filter((name) => !name.startsWith("$"));
    expect(Object.values(PAGES).flat().sort()).toEqual(names.sort());
    expect(documented.filter((link) => !page.includes(link))).toEqual([]);
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
