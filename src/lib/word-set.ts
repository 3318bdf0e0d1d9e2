// A set of words, written as one text with blanks between them.

export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
