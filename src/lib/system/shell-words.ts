// Text for a POSIX shell: quoted words, and the loop that closes inherited file descriptors.

/** Used by the shells around a command; removed before the command runs. */
export const SHELL_VARIABLE = "CLAWTOOLS_WORD";

export function closeDescriptorsFrom(first: number): string {
  const word = SHELL_VARIABLE;
  return (
    `for ${word} in /proc/self/fd/*; do ${word}=\${${word}##*/}; ` +
    `case $${word} in [0-${first - 1}]|\\*) ;; *) eval "exec $${word}>&-" ;; esac; done; unset ${word}`
  );
}

export function shellQuote(word: string): string {
  return /^[\w./:@%+-]+$/.test(word) ? word : quoteWord(word);
}

/** Always quoted, so that it is never read as a word of the shell itself. */
export function quoteWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
