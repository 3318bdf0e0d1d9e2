// A set of words out of one line.

export function words(line: string): ReadonlySet<string> {
  return new Set(line.split(" "));
}
