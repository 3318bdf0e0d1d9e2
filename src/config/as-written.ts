// Shows what the config says, not what the environment filled in: `${API_KEY}` stays `${API_KEY}`.

/** What a variable or a secret reference gave, to what is written for it. */
export type Written = ReadonlyMap<string, string>;

/** Shorter values are parts of ordinary words, and are replaced in quotes only. */
const MIN_BARE_CHARS = 8;
/** Messages cut long texts, so what follows this many characters may be missing. */
const MAX_COMPARED_CHARS = 60;

/** Case does not count: rules fold it. */
function sentenceAsWritten(sentence: string, written: Written): string {
  const longestFirst = [...written].sort(([one], [other]) => other.length - one.length);
  return longestFirst.reduce((shown, [filled, text]) => {
    const value = filled.trim();
    if (value === "") return shown;
    const rest = value.length > MAX_COMPARED_CHARS ? '[^\\s"]*' : "";
    const start = value.slice(0, MAX_COMPARED_CHARS).replace(/[^\w\s]/g, "\\$&");
    const isBare = value.length >= MIN_BARE_CHARS;
    const pattern = isBare ? `${start}${rest}` : `(?<=")${start}(?=")`;
    return shown.replace(new RegExp(pattern, "gi"), () => text);
  }, sentence);
}

/** A copy of plain data in which no text holds what was filled in. */
export function valueAsWritten<T>(value: T, written: Written): T;
export function valueAsWritten(value: unknown, written: Written): unknown {
  if (written.size === 0) return value;
  if (typeof value === "string") return written.get(value) ?? sentenceAsWritten(value, written);
  if (Array.isArray(value)) return value.map((item) => valueAsWritten(item, written));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, valueAsWritten(item, written)]),
  );
}
