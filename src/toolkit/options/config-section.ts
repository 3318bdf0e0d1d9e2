// Reads a configuration that has been checked before, key by key; what is not there is empty.

export type Section = Readonly<Record<string, unknown>>;

export function readSection(parent: Section, name: string): Section {
  const value = Object.hasOwn(parent, name) ? parent[name] : undefined;
  // A parse border: a JSON object, read key by key as unknown.
  return typeof value === "object" && value !== null ? (value as Section) : {};
}

export function readTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}
