// Settings of a repository that only describe it. Whatever is not here may name a program, another
// file or another folder.

const USUAL: readonly RegExp[] = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode)$/,
  /^core\.(?:symlinks|autocrlf|eol|safecrlf|quotepath|longpaths|compression|sharedrepository)$/,
  /^core\.(?:abbrev|commentchar|checkstat|trustctime|untrackedcache|preloadindex|whitespace|hidedotfiles)$/,
  /^user\.(?:name|email|signingkey)$/,
  /^(?:author|committer)\.(?:name|email)$/,
  /^branch\..+$/,
  /^remote\..+\.(?:url|pushurl|fetch|push|tagopt|prune|mirror|gh-resolved|skipfetchall)$/,
  /^remote\.pushdefault$/,
  /^(?:push|pull|fetch|rebase|color|column|advice|gc|rerere|init|pack|help|status|stash|tag)\.[a-z.]+$/,
  /^commit\.(?:gpgsign|verbose|status|cleanup)$/,
  /^merge\.(?:conflictstyle|ff|renames|stat)$/,
  /^diff\.(?:colormoved|colormovedws|algorithm|renames|mnemonicprefix|context|noprefix|wserrorhighlight)$/,
  /^log\.(?:date|decorate|abbrevcommit|follow|mailmap)$/,
  /^submodule\..+\.(?:url|active|branch)$/,
  /^submodule\.active$/,
  /^lfs\.(?:repositoryformatversion|url|.+\.(?:access|locksverify))$/,
  /^extensions\.objectformat$/,
];

/** `status.submodulesummary` is overridden, `tag.forcesignannotated` and the like start nothing here. */
export function isUsualKey(key: string): boolean {
  return USUAL.some((pattern) => pattern.test(key));
}
