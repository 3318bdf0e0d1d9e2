// The type of the values that a schema lets through, read off the keywords of JSON Schema. TypeBox's
// `Static` knows a few more, but costs a user's compiler 150,000 types for one tool; what is not known
// here, such as `$ref`, is `unknown`.

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

/** TypeBox marks what is optional, plain JSON Schema lists what is required. */
type RequiredNames<S, Properties> = S extends { "~kind": "Object" }
  ? {
      [Name in keyof Properties]: Properties[Name] extends { "~optional": true } ? never : Name;
    }[keyof Properties]
  : S extends { required: infer Names extends readonly unknown[] }
    ? Extract<keyof Properties, Names[number]>
    : never;

type Flat<T> = { [Name in keyof T]: T[Name] };
