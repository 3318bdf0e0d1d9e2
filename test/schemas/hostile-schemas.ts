// Schemas that a good server would not send: malformed ones from a file, and ones that only a program
// can make, because they are too large for a file or no JSON at all.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SchemaTarget } from "../../src/core/schema/targets/target.js";

const FILE = join(import.meta.dirname, "../data/schemas/hostile/malformed.json");

export interface HostileTool {
  readonly name: string;
  readonly parameters: unknown;
  /** Part of the reason for which it is left out; absent when it is mended and sent. */
  readonly reason?: string;
  /** The targets that leave it out; all when absent. */
  readonly refusedBy?: readonly SchemaTarget[];
  /** Arguments that must still fit where it is sent. */
  readonly sample?: unknown;
}

export function readMalformedTools(): HostileTool[] {
  return JSON.parse(readFileSync(FILE, "utf8"));
}

type Schema = Record<string, unknown>;

export function makeHostileTools(): HostileTool[] {
  return [...makeDeepTools(), ...makeLargeTools(), ...makeUnreadableTools(), ...makeTowers()];
}

function makeDeepTools(): HostileTool[] {
  const wraps: [name: string, wrap: (inner: Schema) => Schema][] = [
    ["not", (not) => ({ not })],
    ["properties", (a) => ({ type: "object", properties: { a } })],
    ["any_of", (inner) => ({ anyOf: [inner] })],
    ["items", (items) => ({ type: "array", items })],
  ];
  return wraps.flatMap(([name, wrap]) =>
    [100, 100_000].map((levels) => ({
      name: `deep_${name}_${levels}`,
      parameters: { type: "object", properties: { a: nest(levels, wrap) } },
      reason: "nested deeper than 64 levels",
    })),
  );
}

function makeLargeTools(): HostileTool[] {
  const many = Array.from({ length: 200_000 }, (_, index) => `v${index}`);
  const tooMany = "larger than 10000 values";
  return [
    { name: "large_enum", parameters: withProperty({ enum: many }), reason: tooMany },
    {
      name: "large_properties",
      parameters: { type: "object", properties: Object.fromEntries(many.map((key) => [key, {}])) },
      reason: tooMany,
    },
    {
      name: "large_union",
      parameters: withProperty({ anyOf: new Array(200_000).fill({ type: "string" }) }),
      reason: tooMany,
    },
    {
      name: "large_text",
      parameters: withProperty({ description: "x".repeat(10_000_000) }),
      reason: "larger than 1048576 characters",
    },
    {
      name: "many_variants_of_one_property",
      parameters: {
        oneOf: Array.from({ length: 900 }, (_, index) => ({
          type: "object",
          properties: { kind: { const: `k${index}` }, [`p${index}`]: { type: "string" } },
        })),
      },
      sample: { kind: "k899", p899: "x" },
    },
  ];
}

function makeUnreadableTools(): HostileTool[] {
  const circle: Schema = { type: "object", properties: {} };
  circle.properties = { a: circle };
  const fickle = { calls: 0 };
  return [
    { name: "circle", parameters: circle, reason: "cyclic" },
    {
      name: "throwing_getter",
      parameters: {
        get properties() {
          throw new Error("no");
        },
      },
      reason: "cannot be read",
    },
    {
      name: "throwing_proxy",
      parameters: new Proxy({}, { ownKeys: () => Object(undefined).length.at }),
      reason: "cannot be read",
    },
    {
      name: "fickle_getter",
      parameters: {
        type: "object",
        get properties() {
          fickle.calls += 1;
          if (fickle.calls % 2 === 0) throw new Error("not again");
          return { a: { type: "string" } };
        },
      },
      reason: "cannot be read",
    },
    {
      name: "functions_and_symbols",
      parameters: {
        type: "object",
        properties: { a: { type: "string", check: () => true, [Symbol("x")]: 1 } },
      },
      sample: { a: "x" },
    },
    { name: "not_a_number", parameters: withProperty({ minimum: Number.NaN }), reason: "/minimum" },
  ];
}

/** References that unfold to more than any reader could hold. */
function makeTowers(): HostileTool[] {
  const all = tower({ levels: 20, width: 2, wrap: (allOf) => ({ allOf }) });
  const either = tower({ levels: 10, width: 10, wrap: (anyOf) => ({ anyOf }) });
  const chain = tower({ levels: 300, width: 1, wrap: ([ref]) => ref ?? {} });
  const unfold = "unfold to more than";
  return [
    { name: "tower_at_the_root", parameters: all, reason: unfold },
    { name: "tower_in_a_property", parameters: below(all), reason: unfold, refusedBy: FLAT },
    { name: "tower_of_unions", parameters: below(either), reason: unfold, refusedBy: TYPED },
    { name: "long_chain", parameters: below(chain), reason: unfold },
  ];
}

/** They join `allOf`, so they have to follow the references. */
const FLAT: readonly SchemaTarget[] = ["generic", "openai", "openai-strict", "gemini"];
/** They have no references at all. */
const TYPED: readonly SchemaTarget[] = ["generic", "gemini"];

function nest(levels: number, wrap: (inner: Schema) => Schema): Schema {
  let schema: Schema = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = wrap(schema);
  return schema;
}

function tower(plan: {
  levels: number;
  width: number;
  wrap: (refs: Schema[]) => Schema;
}): Schema & { $defs: Schema } {
  const $defs: Record<string, Schema> = { d0: { type: "object", properties: {} } };
  for (let level = 1; level <= plan.levels; level += 1) {
    const refs = Array.from({ length: plan.width }, () => ({ $ref: `#/$defs/d${level - 1}` }));
    $defs[`d${level}`] = plan.wrap(refs);
  }
  return { $ref: `#/$defs/d${plan.levels}`, $defs };
}

function below({ $defs, ...schema }: Schema & { $defs: Schema }): Schema {
  return { type: "object", properties: { a: schema }, $defs };
}

function withProperty(schema: Schema): Schema {
  return { type: "object", properties: { a: schema } };
}
