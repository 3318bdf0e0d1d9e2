// One word for a POSIX shell, in quotes only where it needs them.

export function shellQuote(word: string): string {
  return /^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
