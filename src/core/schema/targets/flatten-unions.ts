// One flat object schema for a schema made of variants. Where two variants say different things of
// one property, the property may be either; so whatever fits a variant fits the whole.

import { isRecord } from "../json-value.js";
import type { Schema } from "../keywords.js";
import { MAX_SCHEMA_DEPTH, MAX_SCHEMA_NODES } from "../limits.js";
import { joinAllOf, mergeAlternatives } from "../merge-variants.js";
import { createRefResolver, readRef } from "../ref-resolver.js";
import { joinRefSiblings, refExpansionError, withoutNaming } from "../refs.js";

const GROUPS = ["anyOf", "oneOf"] as const;

/**
 * A schema without combinators and reference; the definitions it has stay. Throws a ToolError
 * `ref_expansion` when the variants unfold without end.
 */
export function flattenUnions(root: Schema): Schema {
  const resolver = createRefResolver(root);
  const budget = { remaining: MAX_SCHEMA_NODES };
  const { $defs, definitions } = root;
  return {
    ...withoutNaming(flatten(root, 0)),
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };

  function flatten(schema: unknown, depth: number): Schema {
    // A variant that holds itself adds nothing that its outer self has not said.
    if (!isRecord(schema) || depth > MAX_SCHEMA_DEPTH) return {};
    spend();
    const followed = followRef(schema, depth);
    const joined = joinAllOf(followed, (part) => flatten(part, depth + 1));
    const groups = GROUPS.filter((keyword) => Array.isArray(joined[keyword])).map((keyword) => [
      keyword,
      widen(
        joined,
        [joined[keyword]].flat().map((variant) => flatten(variant, depth + 1)),
      ),
    ]);
    const whole = { ...joined, ...Object.fromEntries(groups) };
    const merged = mergeAlternatives(whole, { fold: toSchema, follow: followProperty });
    // Beside properties, variants refine them; alone, they say which names there are.
    const isSaid = joined.properties !== undefined || merged.additionalProperties !== undefined;
    const isFree = groups.some(([, variants]) => [variants].flat().some(takesOtherNames));
    return isFree && !isSaid ? { ...merged, additionalProperties: true } : merged;
  }

  function followRef(schema: Schema, depth: number): Schema {
    const ref = readRef(schema);
    if (ref === undefined) return schema;
    if (depth > MAX_SCHEMA_DEPTH) return {};
    spend();
    const target = resolver.resolve(ref, root).schema;
    const followed = isRecord(target) ? followRef(target, depth + 1) : target;
    return joinRefSiblings(followed, withoutNaming(schema));
  }

  function followProperty(property: unknown): Schema {
    return isRecord(property) ? followRef(property, 0) : {};
  }

  function spend(): void {
    budget.remaining -= 1;
    if (budget.remaining < 0) throw refExpansionError();
  }
}

function takesOtherNames(variant: unknown): boolean {
  const { type, properties, additionalProperties, patternProperties } = toSchema(variant);
  if (patternProperties !== undefined) return true;
  if (additionalProperties !== undefined) return additionalProperties !== false;
  return properties === undefined && (type === undefined || type === "object");
}

/** The first variant that has a property speaks for it, so it is made to speak for all. */
function widen(own: Schema, variants: readonly Schema[]): Schema[] {
  const spoken = new Set(Object.keys(toSchema(own.properties)));
  const said = collectProperties(variants);
  return variants.map((variant) => {
    const entries = Object.entries(toSchema(variant.properties)).map(([name, property]) => {
      if (spoken.has(name)) return [name, property];
      spoken.add(name);
      return [name, eitherOf(said.get(name) ?? [property])];
    });
    if (entries.length === 0) return variant;
    return { ...variant, properties: Object.fromEntries(entries) };
  });
}

function collectProperties(variants: readonly Schema[]): ReadonlyMap<string, unknown[]> {
  const said = new Map<string, unknown[]>();
  for (const { properties } of variants) {
    for (const [name, property] of Object.entries(toSchema(properties))) {
      const known = said.get(name);
      if (known) known.push(property);
      else said.set(name, [property]);
    }
  }
  return said;
}

function eitherOf(schemas: readonly unknown[]): unknown {
  const different = [
    ...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values(),
  ];
  return different.length === 1 ? different[0] : { anyOf: different };
}

function toSchema(value: unknown): Schema {
  return isRecord(value) ? value : {};
}
