// Words that mean something to bash before any program of that name is looked for.

const toSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Commands of bash that are not programs. */
export const SHELL_BUILTINS = toSet(
  ". : alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown enable eval exec exit export fc fg getopts hash help history jobs let local logout mapfile popd pushd read readarray readonly return set shift shopt source suspend times trap type typeset ulimit umask unalias unset wait",
);

/** Commands of bash next to which there is a program of the same name. */
export const SHELL_DUPLICATES = toSet("[ echo false kill printf pwd test true");

/** Words by which bash reads something else than a command. */
export const RESERVED_WORDS = toSet(
  "if then else elif fi case esac for select while until do done in function time coproc",
);
