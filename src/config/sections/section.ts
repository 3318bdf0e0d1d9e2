// Builders of config sections: optional keys, values of several forms, named entries.

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
