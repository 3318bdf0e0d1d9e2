// Words for bash that close what it was started with beside the first descriptors: whatever was open
// in the program that started it, and would stay open in the next.

/** Nothing of it needs a single quote, so it fits into a word between two. */
export function closeDescriptorsFrom(first: number): string {
  return (
    `for REPLY in /proc/self/fd/*; do REPLY=\${REPLY##*/}; ` +
    `case $REPLY in [0-${first - 1}]|\\*) ;; *) eval "exec $REPLY>&-" ;; esac; done; unset REPLY`
  );
}
