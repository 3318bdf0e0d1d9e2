// Words for bash that close what it was started with next to the first descriptors: whatever was open
// in the program that started it, and would stay open in the next.

/** Of the shells around a command; no command is given one of that name. */
export const SHELL_VARIABLE = "CLAWTOOLS_WORD";

export function closeDescriptorsFrom(first: number): string {
  const word = SHELL_VARIABLE;
  return (
    `for ${word} in /proc/self/fd/*; do ${word}=\${${word}##*/}; ` +
    `case $${word} in [0-${first - 1}]|\\*) ;; *) eval "exec $${word}>&-" ;; esac; done; unset ${word}`
  );
}
