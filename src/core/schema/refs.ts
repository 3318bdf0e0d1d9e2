// Finds what a reference inside a schema points to, and replaces references by their targets. Only the
// schema itself is searched: nothing is ever fetched or read from disk.

import { isToolError, ToolError, ToolInputError } from "../errors.js";
import { copyJson, isRecord, isSameJson, showText } from "./json-value.js";
import { isSchema, listSubschemas, mapSchema, type Schema, withoutKeys } from "./keywords.js";
import { assertSchemaWithinLimits, MAX_SCHEMA_DEPTH, MAX_SCHEMA_NODES } from "./limits.js";

const REF_KEYWORDS = ["$ref", "$dynamicRef", "$recursiveRef"] as const;
const ANCHOR_KEYWORDS = ["$anchor", "$dynamicAnchor"] as const;

interface RefTarget {
  readonly schema: Schema | boolean;
  readonly resource: Schema;
}

export interface RefResolver {
  readonly root: Schema;
  /** Throws a ToolInputError `ref_remote` or `ref_unresolvable`. */
  resolve(ref: string, resource: Schema): RefTarget;
}

interface Names {
  readonly ids: Map<string, RefTarget>;
  readonly anchors: Map<string, RefTarget[]>;
}

export function createRefResolver(root: Schema): RefResolver {
  let names: Names | undefined;
  const readNames = () => {
    names ??= collectNames(root);
    return names;
  };

  function resolve(ref: string, resource: Schema): RefTarget {
    const mark = ref.indexOf("#");
    const base = mark === -1 ? ref : ref.slice(0, mark);
    const fragment = mark === -1 ? "" : decodeFragment(ref.slice(mark + 1), ref);
    const document = findDocument(base, resource);
    if (document === undefined) throw remoteRef(ref);
    const target = findInside(document, fragment);
    if (target === undefined) throw missingRef(ref);
    return target;
  }

  function findDocument(base: string, resource: Schema): Schema | undefined {
    if (base === "") return resource;
    const id = root.$id;
    if (typeof id === "string" && id.replace(/#$/, "") === base) return root;
    const named = readNames().ids.get(base)?.schema;
    return isRecord(named) ? named : undefined;
  }

  function findInside(document: Schema, fragment: string): RefTarget | undefined {
    if (fragment === "") return { schema: document, resource: document };
    if (!fragment.startsWith("/")) {
      const anchored = readNames().anchors.get(fragment) ?? [];
      return anchored.length === 1 ? anchored[0] : undefined;
    }
    // Many generators put an `$id` on a part and still count pointers from the root.
    return followPointer(document, fragment) ?? followPointer(root, fragment);
  }

  return { root, resolve };
}

export function readRef(schema: Schema): string | undefined {
  const refs = REF_KEYWORDS.map((keyword) => schema[keyword]).filter((ref) => ref !== undefined);
  if (refs.length === 0) return undefined;
  const [ref] = refs;
  if (refs.length > 1 || typeof ref !== "string") {
    throw new ToolInputError(
      "A schema may have one reference, and it must be text such as #/$defs/name.",
      { reason: "ref_unresolvable" },
    );
  }
  return ref;
}

export function resourceOf(schema: Schema, resource: Schema): Schema {
  const id = schema.$id;
  return typeof id === "string" && !id.startsWith("#") ? schema : resource;
}

/** Throws when any reference of the schema leads nowhere or outside. */
export function assertRefsResolve(root: Schema): void {
  const resolver = createRefResolver(root);
  walk(root, root, (schema, resource) => {
    const ref = readRef(schema);
    if (ref !== undefined) resolver.resolve(ref, resource);
  });
}

function collectNames(root: Schema): Names {
  const names: Names = { ids: new Map(), anchors: new Map() };
  walk(root, root, (schema, resource) => {
    const id = schema.$id;
    if (typeof id === "string") {
      if (id.startsWith("#")) addAnchor(id.slice(1), { schema, resource });
      else names.ids.set(id.replace(/#$/, ""), { schema, resource: schema });
    }
    const anchors = ANCHOR_KEYWORDS.map((keyword) => schema[keyword]);
    for (const anchor of new Set(anchors)) {
      if (typeof anchor === "string") addAnchor(anchor, { schema, resource });
    }
  });
  return names;

  function addAnchor(name: string, target: RefTarget): void {
    names.anchors.set(name, [...(names.anchors.get(name) ?? []), target]);
  }
}

function walk(
  schema: Schema,
  outer: Schema,
  visit: (schema: Schema, resource: Schema) => void,
): void {
  const resource = resourceOf(schema, outer);
  visit(schema, resource);
  for (const sub of listSubschemas(schema)) {
    if (isRecord(sub.schema)) walk(sub.schema, resource, visit);
  }
}

function followPointer(document: Schema, pointer: string): RefTarget | undefined {
  let place: unknown = document;
  let resource = document;
  for (const part of pointer.slice(1).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return undefined;
    place = Reflect.get(place, key);
    if (isRecord(place)) resource = resourceOf(place, resource);
  }
  return isSchema(place) ? { schema: place, resource } : undefined;
}

function decodeFragment(fragment: string, ref: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch (error) {
    throw missingRef(ref, error);
  }
}

function remoteRef(ref: string): ToolInputError {
  return new ToolInputError(
    `The schema refers to ${showText(ref)}, which is not part of it; nothing is fetched. Put it under "$defs".`,
    { reason: "ref_remote" },
  );
}

function missingRef(ref: string, cause?: unknown): ToolInputError {
  return new ToolInputError(
    `The schema refers to ${showText(ref)}, but it has no such part, or more than one.`,
    { reason: "ref_unresolvable", cause },
  );
}

const NAMING_KEYWORDS: ReadonlySet<string> = new Set([
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  "$defs",
  "definitions",
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$recursiveAnchor",
]);

const ANNOTATIONS: ReadonlySet<string> = new Set([
  "$comment",
  "default",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);

interface InlineOptions {
  readonly unresolved?: "refuse" | "open";
}

interface Expansion {
  readonly resolver: RefResolver;
  readonly unresolved: "refuse" | "open";
  remaining: number;
}

interface Position {
  readonly resource: Schema;
  readonly open: readonly unknown[];
  readonly depth: number;
}

export function inlineLocalRefs(schema: Schema, options: InlineOptions = {}): Schema {
  assertSchemaWithinLimits(schema);
  const expansion = {
    resolver: createRefResolver(schema),
    unresolved: options.unresolved ?? "refuse",
    remaining: MAX_SCHEMA_NODES,
  };
  const inlined = inline(schema, expansion, { resource: schema, open: [schema], depth: 1 });
  return toSchemaObject(inlined);
}

export function joinRefSiblings(target: Schema | boolean, siblings: Schema): Schema {
  const schema = toSchemaObject(target);
  const clashes = Object.keys(siblings).some(
    (keyword) =>
      !ANNOTATIONS.has(keyword) &&
      Object.hasOwn(schema, keyword) &&
      !isSameJson(schema[keyword], siblings[keyword]),
  );
  if (!clashes) return { ...schema, ...siblings };
  const parts = Array.isArray(siblings.allOf) ? siblings.allOf : [];
  return { ...siblings, allOf: [schema, ...parts] };
}

export function withoutNaming(schema: Schema): Schema {
  return withoutKeys(schema, NAMING_KEYWORDS);
}

export function refExpansionError(): ToolError {
  return new ToolError(
    "limit",
    `The references of the schema unfold to more than ${MAX_SCHEMA_NODES} values or ${MAX_SCHEMA_DEPTH} levels; make it smaller.`,
    { reason: "ref_expansion" },
  );
}

function inline(
  schema: Schema | boolean,
  expansion: Expansion,
  position: Position,
): Schema | boolean {
  spend(expansion);
  if (typeof schema === "boolean") return schema;
  if (position.depth > MAX_SCHEMA_DEPTH) throw refExpansionError();
  const resource = resourceOf(schema, position.resource);
  const inner = { ...position, resource, depth: position.depth + 1 };
  const own = mapSchema(withoutNaming(schema), {
    schema: (child) => inline(child, expansion, inner),
    value: (value) => copyJson(value, () => spend(expansion)),
  });
  const target = findTarget(schema, expansion, resource);
  if (target === undefined) return own;
  if (position.open.includes(target.schema)) return { ...descriptionOf(target.schema), ...own };
  const inlined = inline(target.schema, expansion, {
    resource: target.resource,
    open: [...position.open, target.schema],
    depth: position.depth + 1,
  });
  return joinRefSiblings(inlined, own);
}

function findTarget(schema: Schema, expansion: Expansion, resource: Schema): RefTarget | undefined {
  try {
    const ref = readRef(schema);
    return ref === undefined ? undefined : expansion.resolver.resolve(ref, resource);
  } catch (error) {
    if (expansion.unresolved === "open" && isToolError(error)) return undefined;
    throw error;
  }
}

function spend(expansion: Expansion): void {
  expansion.remaining -= 1;
  if (expansion.remaining < 0) throw refExpansionError();
}

function descriptionOf(schema: Schema | boolean): Schema {
  if (typeof schema === "boolean" || typeof schema.description !== "string") return {};
  return { description: schema.description };
}

function toSchemaObject(schema: Schema | boolean): Schema {
  if (typeof schema !== "boolean") return schema;
  return schema ? {} : { not: {} };
}
