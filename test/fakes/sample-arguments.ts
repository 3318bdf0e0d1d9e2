// Valid arguments made from a schema of the kind our definitions use: every parameter is there.

type Schema = Readonly<Record<string, unknown>>;

export function sampleArguments(schema: Schema): Record<string, unknown> {
  const entries = Object.entries(readSchemas(schema.properties));
  return Object.fromEntries(entries.map(([name, child]) => [name, sampleValue(child)]));
}

/** The sub-schemas under `properties`, by name. */
export function readSchemas(properties: unknown): Record<string, Schema> {
  if (typeof properties !== "object" || properties === null) return {};
  return Object.fromEntries(
    Object.entries(properties).filter(
      (entry): entry is [string, Schema] => typeof entry[1] === "object" && entry[1] !== null,
    ),
  );
}

function sampleValue(schema: Schema): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const make = SAMPLES.get(String(schema.type));
  return make ? make(schema) : "anything";
}

const SAMPLES: ReadonlyMap<string, (schema: Schema) => unknown> = new Map([
  ["string", () => "sample"],
  ["integer", (schema: Schema) => schema.minimum ?? 1],
  ["number", (schema: Schema) => schema.minimum ?? 0.5],
  ["boolean", () => true],
  ["array", (schema: Schema) => [sampleValue(readSchemas({ items: schema.items }).items ?? {})]],
  ["object", (schema: Schema) => sampleArguments(schema)],
]);
