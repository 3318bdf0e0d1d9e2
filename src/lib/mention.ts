// A file name that a model wrote as a mention: `@notes.md` is `notes.md` unless the former exists.

const SIGN = "@";

export async function withoutMention(
  name: string,
  exists: (name: string) => Promise<boolean>,
): Promise<string> {
  if (!name.startsWith(SIGN) || name.length === SIGN.length) return name;
  if (await exists(name)) return name;
  const bare = name.slice(SIGN.length);
  return (await exists(bare)) ? bare : name;
}
