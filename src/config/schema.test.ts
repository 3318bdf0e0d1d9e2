// The schema says of itself what the check takes from it, and both give the same verdict.

import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { checkValue } from "./check-value.js";
import { type ClawtoolsConfig, configJsonSchema, parseConfig } from "./index.js";
import { createProblemList } from "./problem.js";
import { configSchemaNode, type SchemaNode } from "./schema.js";

interface Described {
  readonly path: string;
  readonly node: SchemaNode;
}

const KEYWORDS = new Set([
  "type",
  "description",
  "default",
  "deprecated",
  "enum",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "pattern",
  "items",
  "maxItems",
  "properties",
  "required",
  "additionalProperties",
  "propertyNames",
  "anyOf",
  "not",
]);

function listNodes(node: SchemaNode, path: string): Described[] {
  const { properties = {}, items, additionalProperties, anyOf = [] } = node;
  return [
    { path, node },
    ...Object.entries(properties).flatMap(([name, inner]) => listNodes(inner, `${path}.${name}`)),
    ...(items ? listNodes(items, `${path}[]`) : []),
    ...(typeof additionalProperties === "object"
      ? listNodes(additionalProperties, `${path}.*`)
      : []),
    ...anyOf.flatMap((inner) => listNodes(inner, `${path}|`)),
  ];
}

const nodes = listNodes(configSchemaNode(), "");

function fits(value: unknown, node: SchemaNode): boolean {
  const problems = createProblemList();
  checkValue(value, { node, path: [], problems, hiddenPaths: new Set() });
  return !problems.hasErrors();
}

const validate = new Ajv2020({ strict: true, strictTypes: true, allErrors: true }).compile(
  configJsonSchema(),
);

describe("the schema", () => {
  it("uses no keyword that the check does not know", () => {
    const strange = nodes.flatMap(({ path, node }) =>
      Object.keys(node)
        .filter((keyword) => !KEYWORDS.has(keyword))
        .map((keyword) => `${path} ${keyword}`),
    );
    expect(nodes.length).toBeGreaterThan(300);
    expect(strange).toEqual([]);
  });

  it("has a description for every key", () => {
    const silent = nodes.flatMap(({ path, node }) =>
      Object.entries(node.properties ?? {})
        .filter(([, inner]) => !/^.{3,}\.$/.test(inner.description ?? ""))
        .map(([name]) => `${path}.${name}`),
    );
    expect(silent).toEqual([]);
  });

  it("has only defaults that it would take itself", () => {
    const withDefault = nodes.filter(({ node }) => node.default !== undefined);
    expect(withDefault.length).toBeGreaterThan(50);
    expect(withDefault.filter(({ node }) => !fits(node.default, node))).toEqual([]);
  });

  it("asks for no key but the id of an agent and the place of a question", () => {
    const required = nodes.flatMap(({ path, node }) =>
      (node.required ?? []).map((name) => `${path}.${name}`),
    );
    expect(required).toEqual([
      ".agents.list[].id",
      ".approvals.exec.targets[].channel",
      ".approvals.exec.targets[].to",
    ]);
  });

  it("keeps unknown keys, so that a config of a later version is no error", () => {
    const closed = nodes.filter(
      ({ node }) => JSON.stringify(node.additionalProperties) === "false",
    );
    expect(closed).toEqual([]);
  });

  it("is given out as JSON Schema of 2020-12, each time anew", () => {
    const schema = configJsonSchema();
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    schema.properties = undefined;
    expect(configJsonSchema().properties).toBeDefined();
  });

  it("makes the type", () => {
    const config: ClawtoolsConfig = {
      tools: { profile: "coding", exec: { sandbox: "bwrap" } },
      agents: { defaults: { imageModel: "openai/gpt-5-mini" }, list: [{ id: "main" }] },
      mcp: { servers: { files: { command: "serve", env: { PORT: 1 } } } },
    };
    expect(parseConfig(config)).toEqual({ ok: true, config, problems: [] });
  });
});

/** Right here and wrong there; each is tried at every place. */
const SAMPLES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  2.5,
  7,
  64,
  100_000,
  "",
  "a",
  "auto",
  "deny",
  "/hooks",
  "x".repeat(65),
  [],
  ["a"],
  [1],
  [{}],
  [{ id: "a" }],
  {},
  { a: 1 },
  { a: {} },
  { a: "b" },
  { primary: "a/b" },
  { primary: 1 },
  { "Bad Name": {} },
];

/** A config that has `value` at the place `path`; "*" stands for a free name. */
function placeAt(path: readonly string[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const inner = placeAt(rest, value);
  return step === "[]" ? [inner] : { [step === "*" ? "a" : step]: inner };
}

function listPlaces(node: SchemaNode, path: readonly string[]): (readonly string[])[] {
  const { properties = {}, items, additionalProperties } = node;
  return [
    path,
    ...Object.entries(properties).flatMap(([name, inner]) => listPlaces(inner, [...path, name])),
    ...(items ? listPlaces(items, [...path, "[]"]) : []),
    ...(typeof additionalProperties === "object"
      ? listPlaces(additionalProperties, [...path, "*"])
      : []),
  ];
}

it("the check and the JSON Schema give the same verdict at every place for every sample", () => {
  const node = configSchemaNode();
  const disagreements: unknown[] = [];
  const verdicts = { right: 0, wrong: 0 };
  for (const path of listPlaces(node, [])) {
    for (const sample of SAMPLES) {
      const config = placeAt(path, sample);
      const isRight = validate(config);
      verdicts[isRight ? "right" : "wrong"] += 1;
      if (fits(config, node) !== isRight) disagreements.push(config);
    }
  }
  expect(disagreements).toEqual([]);
  expect(verdicts.right).toBeGreaterThan(1_000);
  expect(verdicts.wrong).toBeGreaterThan(1_000);
});
