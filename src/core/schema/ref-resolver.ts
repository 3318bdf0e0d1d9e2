// Finds what a reference inside a schema points to. Only the schema itself is searched: nothing is
// ever fetched or read from disk.

import { ToolInputError } from "../errors.js";
import { isRecord } from "./json-value.js";
import { isSchema, listSubschemas, type Schema } from "./keywords.js";
import { showText } from "./show-value.js";

const REF_KEYWORDS = ["$ref", "$dynamicRef", "$recursiveRef"] as const;
const ANCHOR_KEYWORDS = ["$anchor", "$dynamicAnchor"] as const;

export interface RefTarget {
  readonly schema: Schema | boolean;
  /** The nearest schema around the target that has an `$id`; "#" means this one there. */
  readonly resource: Schema;
}

export interface RefResolver {
  readonly root: Schema;
  /** Throws a ToolInputError `ref_remote` or `ref_unresolvable`. */
  resolve(ref: string, resource: Schema): RefTarget;
}

/** The names by which parts of a schema can be referred to. */
interface Names {
  readonly ids: Map<string, RefTarget>;
  readonly anchors: Map<string, RefTarget[]>;
}

/** Names are collected at the first reference that needs them. */
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

/** The reference of a schema, whichever keyword it is written with. */
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

/** The schema that "#" means inside `schema`, when it means `resource` outside. */
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

/** Depth is bounded by the schema limits. */
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
