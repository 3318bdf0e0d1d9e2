// Words for a POSIX shell.

export function shellQuote(word: string): string {
  return /^[\w./:@%+-]+$/.test(word) ? word : quoteWord(word);
}

/** In quotes whatever it is, so that no word of the shell's own is taken for one. */
export function quoteWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
