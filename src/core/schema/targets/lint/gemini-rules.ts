// The Schema message of the Gemini API: its fields, and which of them go with which type.

import { type Complaint, isObject, namesOf, type SchemaNode } from "./walk.js";

const FIELDS: ReadonlySet<string> = new Set([
  "anyOf",
  "default",
  "description",
  "enum",
  "example",
  "format",
  "items",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "nullable",
  "pattern",
  "properties",
  "propertyOrdering",
  "required",
  "title",
  "type",
]);
const TYPES: ReadonlySet<unknown> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
]);
const FORMATS: ReadonlyMap<unknown, readonly unknown[]> = new Map([
  ["number", ["float", "double"]],
  ["integer", ["int32", "int64"]],
  ["string", ["enum", "date-time"]],
]);
/** Fields that are refused next to another type. */
const FIELD_TYPES: ReadonlyMap<string, string> = new Map([
  ["enum", "string"],
  ["items", "array"],
  ["maxItems", "array"],
  ["minItems", "array"],
  ["properties", "object"],
  ["required", "object"],
]);
const PARAMETER_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

export function checkGeminiNode({ schema, pointer }: SchemaNode): Complaint[] {
  const unknown = Object.keys(schema)
    .filter((field) => !FIELDS.has(field))
    .map((field) => ({ rule: "field", message: "is a field that does not exist", at: field }));
  if (Object.hasOwn(schema, "anyOf")) return [...unknown, ...checkUnion(schema)];
  return [
    ...unknown,
    ...checkType(schema),
    ...checkObject(schema),
    ...(pointer === "" ? checkParameterNames(schema) : []),
  ];
}

function checkUnion(schema: SchemaNode["schema"]): Complaint[] {
  if (Object.keys(schema).length === 1) return [];
  return [{ rule: "union", message: "must be the only field where it is", at: "anyOf" }];
}

function checkType(schema: SchemaNode["schema"]): Complaint[] {
  const { type, format } = schema;
  if (!TYPES.has(type)) return [{ rule: "type", message: "has no type, or not one alone" }];
  const complaints: Complaint[] = [];
  for (const [field, wanted] of FIELD_TYPES) {
    if (Object.hasOwn(schema, field) && type !== wanted) {
      complaints.push({ rule: "type", message: `is only for the type ${wanted}`, at: field });
    }
  }
  if (type === "array" && !isObject(schema.items)) {
    complaints.push({ rule: "items", message: "is missing", at: "items" });
  }
  if (format !== undefined && !FORMATS.get(type)?.includes(format)) {
    complaints.push({ rule: "format", message: "is not supported for this type", at: "format" });
  }
  return [...complaints, ...checkValues(schema)];
}

function checkValues(schema: SchemaNode["schema"]): Complaint[] {
  if (!Object.hasOwn(schema, "enum")) return [];
  const values = Array.isArray(schema.enum) ? schema.enum : [];
  const isGood = values.every((value) => typeof value === "string" && value !== "");
  if (isGood && values.length > 0) return [];
  return [{ rule: "enum", message: "must list texts, none of them empty", at: "enum" }];
}

function checkObject(schema: SchemaNode["schema"]): Complaint[] {
  const names = new Set(namesOf(schema.properties));
  const required = Array.isArray(schema.required) ? schema.required : [];
  return required
    .filter((name) => !names.has(name))
    .map((name) => ({
      rule: "required",
      message: `names ${JSON.stringify(name)}, which is not a property`,
      at: "required",
    }));
}

function checkParameterNames(schema: SchemaNode["schema"]): Complaint[] {
  return namesOf(schema.properties)
    .filter((name) => !PARAMETER_NAME.test(name))
    .map((name) => ({
      rule: "name",
      message: `has the parameter ${JSON.stringify(name)}; a name has letters, digits and "_" only, at most 64`,
      at: "properties",
    }));
}
