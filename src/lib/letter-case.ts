// Spellings of one name: snake case, camel case, and the form in which they are compared.

export function toSnakeCase(name: string): string {
  return name
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase();
}

export function toCamelCase(name: string): string {
  return name.replace(/(?<=[a-zA-Z0-9])_+([a-zA-Z0-9])/g, (_match, letter: string) =>
    letter.toUpperCase(),
  );
}

export function foldSpelling(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}
