// What Anthropic refuses in an input schema beyond invalid JSON Schema.

import { type Complaint, namesOf, type SchemaNode } from "./walk.js";

const REFUSED_AT_ROOT = ["oneOf", "allOf", "anyOf"] as const;
/** Checked by the API for the properties of the top level only. */
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

export function checkAnthropicRoot({ schema, pointer }: SchemaNode): Complaint[] {
  if (pointer !== "") return [];
  const refused = REFUSED_AT_ROOT.filter((keyword) => Object.hasOwn(schema, keyword));
  const names = namesOf(schema.properties).filter((name) => !PROPERTY_NAME.test(name));
  return [
    ...refused.map((keyword) => ({ rule: "root", message: "is refused here", at: keyword })),
    ...names.map((name) => ({
      rule: "name",
      message: `has the property ${JSON.stringify(name)}; a name has letters, digits, "_", "." and "-" only, at most 64`,
      at: "properties",
    })),
  ];
}
