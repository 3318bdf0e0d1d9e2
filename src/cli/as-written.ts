// Shows what the config says, not what the environment filled in: `${API_KEY}` stays `${API_KEY}`.

/** Filled text to what is written for it. */
export type Written = ReadonlyMap<string, string>;

/** In a sentence, texts of the config stand in quotes. */
export function sentenceAsWritten(sentence: string, written: Written): string {
  let shown = sentence;
  for (const [filled, text] of written) {
    if (filled !== "") shown = shown.replaceAll(`"${filled}"`, `"${text}"`);
  }
  return shown;
}

/** A copy of plain data in which no text holds what was filled in. */
export function valueAsWritten(value: unknown, written: Written): unknown {
  if (typeof value === "string") return written.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => valueAsWritten(item, written));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, valueAsWritten(item, written)]),
  );
}
