// docs/gateway-methods.md is made from the method table: `UPDATE_DOCS=1 npx vitest run` on this file
// writes it.

import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { METHODS } from "../../src/gateway/index.js";

const FILE = new URL("../../docs/gateway-methods.md", import.meta.url);
const START = "<!-- methods -->\n";

interface Field {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
}

interface Params {
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
}

function describeMethod({ name, help, scope, idempotent, params }: (typeof METHODS)[number]) {
  // Schemas of ours are plain objects with these keywords.
  const { properties = {}, required = [] } = params as Params;
  const rows = Object.entries(properties).map(([field, schema]) => {
    const type = schema.enum?.map((word) => `\`${word}\``).join(", ") ?? schema.type ?? "anything";
    const need = required.includes(field) ? "yes" : "";
    return `| \`${field}\` | ${type} | ${need} | ${schema.description ?? ""} |`;
  });
  const needs = scope === "none" ? "any client" : scope === "node" ? "role `node`" : `\`${scope}\``;
  const key =
    idempotent === true ? " A repeat with the same `idempotencyKey` gets the first answer." : "";
  const table = ["| parameter | type | required | meaning |", "|---|---|---|---|", ...rows];
  return [
    `## ${name}`,
    "",
    `${help}${key} Needs: ${needs}.`,
    ...(rows.length > 0 ? ["", ...table] : []),
    "",
  ];
}

it("docs/gateway-methods.md lists every method with its parameters", () => {
  const sorted = [...METHODS].sort((one, other) => (one.name < other.name ? -1 : 1));
  const text = sorted.flatMap(describeMethod).join("\n");
  const page = readFileSync(FILE, "utf8");
  const head = page.slice(0, page.indexOf(START) + START.length);
  if (process.env.UPDATE_DOCS === "1") writeFileSync(FILE, `${head}\n${text}`);
  expect(readFileSync(FILE, "utf8")).toBe(`${head}\n${text}`);
});
