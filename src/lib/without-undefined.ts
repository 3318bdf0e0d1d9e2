// A copy of an object without the fields that are undefined.

type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

export function withoutUndefined<T extends object>(record: T): Defined<T> {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  // The entries are those of `record`, which Object.fromEntries cannot tell.
  return Object.fromEntries(entries) as Defined<T>;
}
