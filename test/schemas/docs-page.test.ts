// The page docs/provider-schemas.md: its table is what the compiler does, its names and numbers are
// those of the code.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compileSchema } from "../../src/core/schema/targets/compile-schema.js";
import { compileTools } from "../../src/core/schema/targets/compiler.js";
import { SCHEMA_TARGETS, type SchemaTarget } from "../../src/core/schema/targets/target.js";

const page = readFileSync(new URL("../../docs/provider-schemas.md", import.meta.url), "utf8");
const CHANGE_ROW = /^\| `(\{.*?\})` \| `([\w-]+)` \| `(\{.*\})` \|$/gm;
const TARGET_ROW = /^\| `([\w-]+)` \| [^|]+ \| [^|`]*(?:`[^|]*)? \|$/gm;

const isTarget = (text: string): text is SchemaTarget =>
  SCHEMA_TARGETS.some((target) => target === text);

describe("docs/provider-schemas.md", () => {
  const rows = [...page.matchAll(CHANGE_ROW)].map(([, source, target, sent]) => ({
    source: JSON.parse(source ?? ""),
    target: target ?? "",
    sent: JSON.parse(sent ?? ""),
  }));

  it("has a table of changes", () => {
    expect(rows.length).toBeGreaterThanOrEqual(10);
  });

  it.each(rows)("tells the truth of $source for $target", ({ source, target, sent }) => {
    if (!isTarget(target)) throw new Error(`${target} is no target`);
    const parameters = { type: "object", properties: { a: source } };
    const { schema } = compileSchema({ name: "tool", description: "", parameters }, target);
    expect(Object(schema.properties).a).toEqual(sent);
  });

  it("names every target", () => {
    const named = [...page.matchAll(TARGET_ROW)].map(([, target]) => target);
    expect(new Set(named)).toEqual(new Set(SCHEMA_TARGETS));
  });

  it("has the limits of names right", () => {
    const isSent = (length: number, target: SchemaTarget) => {
      const tool = { name: "n".repeat(length), description: "", parameters: {} };
      return compileTools([tool], target).compiled.length === 1;
    };
    for (const target of SCHEMA_TARGETS) {
      const longest = target === "mcp" ? 128 : 64;
      expect([target, isSent(longest, target), isSent(longest + 1, target)]).toEqual([
        target,
        true,
        false,
      ]);
    }
  });
});
