// Schema builders with TypeBox's types; they make plain JSON Schema and load no schema library.

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

function record<const Value extends TSchema>(
  value: Value,
  options: { description?: string } = {},
): { type: "object"; additionalProperties: Value } {
  return { type: "object", additionalProperties: value, ...options };
}

function choice<const W extends Words>(
  words: W,
  options: { description?: string; default?: W[number] } = {},
): { type: "string"; enum: [...W] } {
  return { type: "string", enum: [...words], ...options };
}

function build<Type extends TSchema>(json: object): Type {
  return json as Type;
}

export type ArgumentsOf<S> = S extends { const: infer Value }
  ? Value
  : S extends { enum: infer Values extends readonly unknown[] }
    ? Values[number]
    : S extends { anyOf: infer Options extends readonly unknown[] }
      ? ArgumentsOf<Options[number]>
      : S extends { allOf: infer Parts extends readonly unknown[] }
        ? AllOf<Parts>
        : S extends { type: infer Type }
          ? TypedValue<S, Type extends readonly unknown[] ? Type[number] : Type>
          : unknown;

type AllOf<Parts> = Parts extends readonly [infer First, ...infer Rest]
  ? ArgumentsOf<First> & AllOf<Rest>
  : unknown;

interface PlainValues {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

type TypedValue<S, Type> = Type extends keyof PlainValues
  ? PlainValues[Type]
  : Type extends "array"
    ? ListValue<S>
    : Type extends "object"
      ? ObjectValue<S>
      : unknown;

type ListValue<S> = S extends { items: infer Items }
  ? Items extends readonly unknown[]
    ? { -readonly [Index in keyof Items]: ArgumentsOf<Items[Index]> }
    : ArgumentsOf<Items>[]
  : unknown[];

type ObjectValue<S> = S extends { properties: infer Properties }
  ? Flat<
      { [Name in RequiredNames<S, Properties>]: ArgumentsOf<Properties[Name]> } & {
        [Name in Exclude<keyof Properties, RequiredNames<S, Properties>>]?: ArgumentsOf<
          Properties[Name]
        >;
      }
    >
  : S extends { patternProperties: Record<string, infer Value> }
    ? Record<string, ArgumentsOf<Value>>
    : S extends { additionalProperties: infer Value extends object }
      ? Record<string, ArgumentsOf<Value>>
      : Record<string, unknown>;

type RequiredNames<S, Properties> = S extends { "~kind": "Object" }
  ? {
      [Name in keyof Properties]: Properties[Name] extends { "~optional": true } ? never : Name;
    }[keyof Properties]
  : S extends { required: infer Names extends readonly unknown[] }
    ? Extract<keyof Properties, Names[number]>
    : never;

type Flat<T> = { [Name in keyof T]: T[Name] };
