// Builders of config sections: one for each kind of value, each with its description first. Only a part that
// several sections have is lazy, so that it is built once.

import type { TObject, TOptional, TProperties, TSchema } from "typebox";
import { t } from "../../core/index.js";

type AllOptional<Properties extends TProperties> = {
  [Key in keyof Properties]: TOptional<Properties[Key]>;
};

type Variants = readonly [TSchema, TSchema, ...TSchema[]];

export function section<Properties extends TProperties>(
  description: string,
  properties: Properties,
): TObject<AllOptional<Properties>> {
  return t.object(optionalKeys(properties), { description });
}

/** Like `section`, but others may add keys: an unknown one is a warning only when it looks mistyped. */
export function openSection<Properties extends TProperties>(
  description: string,
  properties: Properties,
): TObject<AllOptional<Properties>> {
  return t.object(optionalKeys(properties), { description, additionalProperties: true });
}

export function either<const Forms extends Variants>(
  forms: Forms,
  options: { description?: string } = {},
): { anyOf: [...Forms] } {
  return { anyOf: [...forms], ...options };
}

export function named<const Value extends TSchema>(
  value: Value,
  options: { description: string; pattern: string; maxLength: number },
): { type: "object"; additionalProperties: Value } {
  const { description, ...propertyNames } = options;
  return Object.assign(t.record(value, { description }), { propertyNames });
}

type TextOptions = NonNullable<Parameters<typeof t.string>[0]>;
type NumberOptions = NonNullable<Parameters<typeof t.number>[0]>;
type FlagOptions = NonNullable<Parameters<typeof t.boolean>[0]>;

export function text(description: string, options: TextOptions = {}) {
  return t.string({ description, ...options });
}

export function number(description: string, options: NumberOptions = {}) {
  return t.number({ description, ...options });
}

export function integer(description: string, options: NumberOptions = {}) {
  return t.integer({ description, ...options });
}

export function flag(description: string, options: FlagOptions = {}) {
  return t.boolean({ description, ...options });
}

export function choice<const Words extends readonly [string, ...string[]]>(
  description: string,
  words: Words,
  options: { readonly default?: Words[number] } = {},
) {
  return t.choice(words, { description, ...options });
}

export function texts(description: string) {
  return t.array(t.string({ minLength: 1 }), { description });
}

export function optionalKeys<Properties extends TProperties>(
  properties: Properties,
): AllOptional<Properties> {
  const entries = Object.entries(properties).map(([name, type]) => [name, t.optional(type)]);
  // The keys are those of `properties`, which Object.fromEntries cannot tell.
  return Object.fromEntries(entries) as AllOptional<Properties>;
}
