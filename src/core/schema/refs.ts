// Finds the targets of references inside a schema and inlines them. Nothing is fetched.

import { wordSet } from "../../lib/word-set.js";
import { isToolError, ToolError, ToolInputError } from "../errors.js";
import { copyJson, isRecord, isSameJson, showText } from "./json-value.js";
import { isSchema, listSchemas, mapSchema, type Schema, withoutKeys } from "./keywords.js";
import { assertSchemaWithinLimits, MAX_SCHEMA_DEPTH, MAX_SCHEMA_NODES } from "./limits.js";

/** References of other drafts, which mean different things in different places. */
const OTHER_REFS = ["$dynamicRef", "$recursiveRef"] as const;

/** What the reference of a schema leads to; undefined when it has none. */
type ResolveRef = (schema: Schema) => Schema | boolean | undefined;

/** Throws a ToolInputError `ref_remote` or `ref_unresolvable`. Pointers count from the root. */
export function createRefResolver(root: Schema): ResolveRef {
  let known: ReadonlyMap<string, Schema[]> | undefined;
  const readNamed = (name: string): Schema | undefined => {
    known ??= collectNames(root);
    const [only, ...others] = known.get(name) ?? [];
    return others.length === 0 ? only : undefined;
  };

  return (schema) => {
    const ref = readRef(schema);
    if (ref === undefined) return undefined;
    const mark = ref.indexOf("#");
    const base = mark === -1 ? ref : ref.slice(0, mark);
    const fragment = mark === -1 ? "" : decodeFragment(ref.slice(mark + 1), ref);
    const document = base === "" || base === idOf(root) ? root : readNamed(base);
    if (document === undefined) throw remoteRef(ref);
    const isPointer = fragment === "" || fragment.startsWith("/");
    const target = isPointer ? followPointer(document, fragment) : readNamed(`#${fragment}`);
    if (target === undefined) throw missingRef(ref);
    return target;
  };
}

export function readRef(schema: Schema): string | undefined {
  const { $ref } = schema;
  const hasOther = OTHER_REFS.some((keyword) => schema[keyword] !== undefined);
  if (!hasOther && ($ref === undefined || typeof $ref === "string")) return $ref;
  throw new ToolInputError(
    "A schema may have one reference, a $ref, and it must be text such as #/$defs/name.",
    { reason: "ref_unresolvable" },
  );
}

/** Throws when any reference of the schema leads nowhere or outside. */
export function assertRefsResolve(root: Schema): void {
  listSchemas(root).forEach(createRefResolver(root));
}

/** Parts by their `$id`, and by `#` and their anchor. */
function collectNames(root: Schema): ReadonlyMap<string, Schema[]> {
  const names = new Map<string, Schema[]>();
  for (const schema of listSchemas(root)) {
    const { $anchor } = schema;
    const anchor = typeof $anchor === "string" ? `#${$anchor}` : undefined;
    for (const name of [idOf(schema), anchor]) {
      if (name !== undefined) names.set(name, [...(names.get(name) ?? []), schema]);
    }
  }
  return names;
}

function idOf({ $id }: Schema): string | undefined {
  return typeof $id === "string" ? $id.replace(/#$/, "") : undefined;
}

/** `pointer` is "" or begins with "/". */
export function followPointer(document: unknown, pointer: string): Schema | boolean | undefined {
  let place = document;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return undefined;
    place = Reflect.get(place, key);
  }
  return isSchema(place) ? place : undefined;
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

const NAMING_KEYWORDS = wordSet(
  "$ref $defs definitions $id $anchor $dynamicAnchor $recursiveAnchor",
);

const ANNOTATIONS = wordSet(
  "$comment default deprecated description examples readOnly title writeOnly",
);

interface InlineOptions {
  /** `open`: a reference that leads nowhere allows anything. */
  readonly unresolved?: "refuse" | "open";
}

interface Expansion {
  readonly resolve: ResolveRef;
  remaining: number;
}

interface Position {
  readonly open: readonly unknown[];
  readonly depth: number;
}

export function inlineLocalRefs(schema: Schema, options: InlineOptions = {}): Schema {
  assertSchemaWithinLimits(schema);
  const strict = createRefResolver(schema);
  const resolve = options.unresolved === "open" ? orOpen(strict) : strict;
  const expansion = { resolve, remaining: MAX_SCHEMA_NODES };
  const inlined = inline(schema, expansion, { open: [schema], depth: 1 });
  return toSchemaObject(inlined);
}

function joinRefSiblings(target: Schema | boolean, siblings: Schema): Schema {
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

/** Follows references of a document; all of them together may unfold to so many values. */
export function createRefFollower(root: Schema): (schema: unknown) => Schema {
  const resolve = createRefResolver(root);
  let remaining = MAX_SCHEMA_NODES;

  function follow(schema: Schema, hops: number): Schema {
    remaining -= 1;
    if (remaining < 0) throw refExpansionError();
    const target = resolve(schema);
    if (target === undefined) return schema;
    // More hops than levels: the references of this chain lead back to each other.
    if (hops > MAX_SCHEMA_DEPTH) return {};
    const followed = isRecord(target) ? follow(target, hops + 1) : target;
    return joinRefSiblings(followed, withoutNaming(schema));
  }

  return (schema) => (isRecord(schema) ? follow(schema, 0) : {});
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
  const inner = { ...position, depth: position.depth + 1 };
  const own = mapSchema(withoutNaming(schema), {
    schema: (child) => inline(child, expansion, inner),
    value: (value) => copyJson(value, () => spend(expansion)),
  });
  const target = expansion.resolve(schema);
  if (target === undefined) return own;
  if (position.open.includes(target)) return { ...descriptionOf(target), ...own };
  const inlined = inline(target, expansion, {
    open: [...position.open, target],
    depth: position.depth + 1,
  });
  return joinRefSiblings(inlined, own);
}

function orOpen(resolve: ResolveRef): ResolveRef {
  return (schema) => {
    try {
      return resolve(schema);
    } catch (error) {
      if (isToolError(error)) return undefined;
      throw error;
    }
  };
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
