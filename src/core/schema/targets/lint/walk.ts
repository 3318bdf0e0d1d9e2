// The linter's own walk over a schema. It shares nothing with the compiler, so that a slip of the one
// is seen by the other.

const MAX_DEPTH = 200;
const MAX_NODES = 100_000;

/** Keywords that hold one schema, a list of schemas, or schemas by name. */
const ONE = [
  "items",
  "additionalProperties",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
] as const;
const MANY = ["anyOf", "oneOf", "allOf", "prefixItems"] as const;
const NAMED = [
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
] as const;

export interface SchemaNode {
  readonly schema: Readonly<Record<string, unknown>>;
  /** "" for the root. */
  readonly pointer: string;
  /** Schemas of objects from the root to here, this one included. */
  readonly objectLevels: number;
}

export interface Complaint {
  readonly rule: string;
  readonly message: string;
  /** Below the schema that was looked at. */
  readonly at?: string;
}

export interface LintFault {
  /** JSON pointer into the schema; "/" for the root. */
  readonly pointer: string;
  readonly rule: string;
  /** Goes on where the pointer ends: "/properties/a has no type". */
  readonly message: string;
}

interface Walk {
  readonly nodes: SchemaNode[];
  readonly faults: LintFault[];
}

interface Step {
  readonly value: unknown;
  readonly pointer: string;
  readonly depth: number;
  readonly objectLevels: number;
}

/** Every schema of the tree, and what is where a schema should. */
export function walkSchema(root: unknown): Walk {
  const nodes: SchemaNode[] = [];
  const faults: LintFault[] = [];
  const pending: Step[] = [{ value: root, pointer: "", depth: 1, objectLevels: 0 }];
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    const { value, pointer, depth } = step;
    if (depth > MAX_DEPTH || nodes.length > MAX_NODES) {
      faults.push({ pointer, rule: "size", message: "is too deep or too large to be a schema" });
      return { nodes, faults };
    }
    if (isObject(value)) {
      const objectLevels = step.objectLevels + (listTypes(value).includes("object") ? 1 : 0);
      nodes.push({ schema: value, pointer, objectLevels });
      pending.push(...listInner(value, { ...step, objectLevels }));
    } else if (typeof value !== "boolean" || pointer === "") {
      faults.push({ pointer: pointer || "/", rule: "schema", message: "is not a schema" });
    }
  }
  return { nodes, faults };
}

export function toFault(node: SchemaNode, complaint: Complaint): LintFault {
  const { rule, message, at } = complaint;
  const pointer = at === undefined ? node.pointer : `${node.pointer}/${escapeName(at)}`;
  return { pointer: pointer || "/", rule, message };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function listTypes(schema: Readonly<Record<string, unknown>>): unknown[] {
  return Array.isArray(schema.type) ? schema.type : schema.type === undefined ? [] : [schema.type];
}

export function namesOf(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : [];
}

function listInner(schema: Record<string, unknown>, outer: Step): Step[] {
  const steps: Step[] = [];
  const add = (value: unknown, keys: readonly (string | number)[]) => {
    const pointer = [outer.pointer, ...keys.map((key) => escapeName(String(key)))].join("/");
    steps.push({ ...outer, value, pointer, depth: outer.depth + 1 });
  };
  for (const keyword of ONE) {
    if (Object.hasOwn(schema, keyword)) add(schema[keyword], [keyword]);
  }
  for (const keyword of MANY) {
    const list = schema[keyword];
    if (!Array.isArray(list)) continue;
    for (const [index, value] of list.entries()) add(value, [keyword, index]);
  }
  for (const keyword of NAMED) {
    const map = schema[keyword];
    if (!isObject(map)) continue;
    for (const [name, value] of Object.entries(map)) add(value, [keyword, name]);
  }
  return steps;
}

function escapeName(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
