// What a page says about itself in ld+json: of what types it is, whether it is free to read, and
// sometimes its whole text.

/** Objects looked at, over all blocks of data. */
const MAX_OBJECTS = 2_000;

export interface StructuredData {
  readonly types: readonly string[];
  readonly articleBody: string | undefined;
  readonly isPaid: boolean;
}

export function readStructuredData(blocks: readonly string[]): StructuredData {
  const types: string[] = [];
  let articleBody: string | undefined;
  let isPaid = false;
  const pending: unknown[] = blocks.map(parseBlock);
  for (let looked = 0; looked < MAX_OBJECTS && pending.length > 0; looked++) {
    const value = pending.pop();
    if (Array.isArray(value)) pending.push(...value.slice(0, MAX_OBJECTS));
    if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
    for (const [key, part] of Object.entries(value)) {
      if (key === "@type") types.push(...[part].flat().filter((type) => typeof type === "string"));
      else if (key === "articleBody" && typeof part === "string") articleBody ??= part;
      else if (key === "isAccessibleForFree") isPaid ||= String(part).toLowerCase() === "false";
      else if (typeof part === "object") pending.push(part);
    }
  }
  return { types, articleBody, isPaid };
}

/** Pages get it wrong often enough; data that cannot be read says nothing. */
function parseBlock(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
