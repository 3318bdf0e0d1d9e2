// What OpenAI refuses in the parameters of a function, strict or not, by its own error messages.

import { type Complaint, isObject, listTypes, namesOf, type SchemaNode } from "./walk.js";

const REFUSED_AT_ROOT = ["oneOf", "anyOf", "allOf", "enum", "not"] as const;
const LOOK_AROUND = /(?<!\\)(?:\\\\)*\(\?<?[=!]/;

export function checkOpenAIRoot({ schema, pointer }: SchemaNode): Complaint[] {
  if (pointer !== "") return [];
  const refused = REFUSED_AT_ROOT.filter((keyword) => Object.hasOwn(schema, keyword)).map(
    (keyword) => ({ rule: "root", message: "is refused at the top level", at: keyword }),
  );
  if (isObject(schema.properties)) return refused;
  return [...refused, { rule: "root", message: "must have properties" }];
}

export function checkOpenAINode({ schema }: SchemaNode): Complaint[] {
  const complaints: Complaint[] = [];
  if (listTypes(schema).includes("array") && !isObject(schema.items)) {
    complaints.push({ rule: "items", message: "is a list without a schema for its items" });
  }
  if (Object.hasOwn(schema, "allOf")) {
    complaints.push({ rule: "keyword", message: "is not permitted", at: "allOf" });
  }
  if (typeof schema.pattern === "string" && LOOK_AROUND.test(schema.pattern)) {
    complaints.push({ rule: "pattern", message: "looks around, which is refused", at: "pattern" });
  }
  for (const name of namesOf(schema.properties)) {
    if (isObject(schema.properties) && typeof schema.properties[name] === "boolean") {
      complaints.push({
        rule: "schema",
        message: `has a mere boolean for ${JSON.stringify(name)}`,
      });
    }
  }
  return complaints;
}
