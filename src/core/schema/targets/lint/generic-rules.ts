// What the plainest OpenAI-compatible servers are known to understand: one type for each part, unions
// only of typed parts, nothing that a grammar or a picky validator stumbles over.

import { type Complaint, isObject, namesOf, type SchemaNode } from "./walk.js";

const ALLOWED: ReadonlySet<string> = new Set([
  "anyOf",
  "default",
  "description",
  "enum",
  "items",
  "properties",
  "required",
  "title",
  "type",
]);

export function checkGenericNode({ schema }: SchemaNode): Complaint[] {
  const complaints: Complaint[] = Object.keys(schema)
    .filter((keyword) => !ALLOWED.has(keyword))
    .map((keyword) => ({ rule: "keyword", message: "is not understood everywhere", at: keyword }));
  const isUnion = Object.hasOwn(schema, "anyOf");
  if (isUnion === Object.hasOwn(schema, "type")) {
    complaints.push({ rule: "type", message: "must have either a type or anyOf" });
  } else if (!isUnion && typeof schema.type !== "string") {
    complaints.push({ rule: "type", message: "must be one type", at: "type" });
  }
  if (schema.type === "array" && !isObject(schema.items)) {
    complaints.push({ rule: "items", message: "is a list without a schema for its items" });
  }
  const names = new Set(namesOf(schema.properties));
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const name of required.filter((one) => !names.has(one))) {
    const message = `names ${JSON.stringify(name)}, which is no property`;
    complaints.push({ rule: "required", message, at: "required" });
  }
  return complaints;
}
