// The schema builders our definitions use, as `t.object({ path: t.string({ … }) })`. The types are
// TypeBox's; the values are plain JSON Schema made here, so that importing a definition loads no
// schema library.

import type {
  TArray,
  TArrayOptions,
  TBoolean,
  TInteger,
  TNumber,
  TNumberOptions,
  TObject,
  TOptional,
  TProperties,
  TSchema,
  TSchemaOptions,
  TString,
  TStringOptions,
  TUnknown,
} from "typebox";

/** TypeBox's own mark of an optional property; not enumerable, so JSON never shows it. */
const OPTIONAL_MARK = "~optional";

type Words = readonly [string, ...string[]];

/** One object: a namespace would be made of getters when it is bundled, and each use would pay. */
export const t = Object.freeze({
  string,
  number,
  integer,
  boolean,
  unknown,
  array,
  optional,
  object,
  record,
  choice,
});

function string(options: TStringOptions = {}): TString {
  return build({ type: "string", ...options });
}

function number(options: TNumberOptions = {}): TNumber {
  return build({ type: "number", ...options });
}

function integer(options: TNumberOptions = {}): TInteger {
  return build({ type: "integer", ...options });
}

function boolean(options: TSchemaOptions = {}): TBoolean {
  return build({ type: "boolean", ...options });
}

function unknown(options: TSchemaOptions = {}): TUnknown {
  return build({ ...options });
}

function array<Item extends TSchema>(items: Item, options: TArrayOptions = {}): TArray<Item> {
  return build({ type: "array", items, ...options });
}

/** The property may be left out. */
function optional<Type extends TSchema>(type: Type): TOptional<Type> {
  const copy = { ...type };
  Object.defineProperty(copy, OPTIONAL_MARK, { value: true });
  return build(copy);
}

function object<Properties extends TProperties>(
  properties: Properties,
  options: TSchemaOptions = {},
): TObject<Properties> {
  const required = Object.keys(properties).filter(
    (name) => !Object.hasOwn(properties[name] ?? {}, OPTIONAL_MARK),
  );
  return build({
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...options,
  });
}

/** An object with free keys. */
function record<const Value extends TSchema>(
  value: Value,
  options: { description?: string } = {},
): { type: "object"; additionalProperties: Value } {
  return { type: "object", additionalProperties: value, ...options };
}

/** One of several fixed words: a flat string enum, which every provider takes. */
function choice<const W extends Words>(
  words: W,
  options: { description?: string; default?: W[number] } = {},
): { type: "string"; enum: [...W] } {
  return { type: "string", enum: [...words], ...options };
}

/** The one place where a value gets TypeBox's type: its marks are types only, the JSON is whole. */
function build<Type extends TSchema>(json: object): Type {
  return json as Type;
}
