// git commands that only read. Repository settings that could start programs are overridden.

import { isInside } from "../../../lib/paths.js";
import type { RepositoryFacts } from "../plan.js";
import { type ProfileReading, type ProgramProfile, toReads, unknownArguments } from "./profile.js";
import { type OptionSpec, readOptions } from "./read-options.js";

interface GitCommand extends OptionSpec {
  readonly adds?: string;
  readonly maxOperands?: number;
  /** The only ones that may stand first, split by blanks. */
  readonly firstOperands?: string;
  /** Its operands are patterns for what is shown when one of these options is given, split by blanks. */
  readonly listOptions?: string;
}

const DIFF_OPTIONS =
  "stat=? numstat shortstat summary name-only name-status patch no-patch raw patch-with-stat cached staged color=? no-color word-diff=? minimal patience histogram no-renames find-copies-harder full-index binary ignore-all-space ignore-space-change ignore-space-at-eol ignore-blank-lines function-context quiet exit-code check text no-prefix merge-base reverse no-ext-diff no-textconv diff-filter= unified= word-diff-regex= inter-hunk-context= diff-algorithm= find-renames=? find-copies=? abbrev=? color-words=? dirstat=? relative=?";
const LOG_OPTIONS =
  "oneline graph all branches=? tags=? remotes=? no-merges merges first-parent reverse follow abbrev-commit no-abbrev-commit date-order topo-order author-date-order no-decorate left-right cherry-pick boundary walk-reflogs full-history simplify-merges regexp-ignore-case extended-regexp fixed-strings all-match invert-grep parents children no-notes relative-date name-only name-status no-mailmap use-mailmap max-count= skip= since= after= until= before= author= committer= grep= date= min-parents= max-parents= encoding= format=? pretty=? decorate=? glob=? exclude=?";
const SAFE_CONTENT = "--no-ext-diff --no-textconv --submodule=short";

const LOG: GitCommand = {
  adds: `${SAFE_CONTENT} --ignore-submodules=all`,
  short: "pusztwbcmqRrEiFaWn:S:G:L:U:C::M::B::",
  long: `${DIFF_OPTIONS} ${LOG_OPTIONS}`,
  hasCounts: true,
};

const LIST_REFS: OptionSpec = {
  long: "all list color=? no-color ignore-case show-current verbose remotes format= sort= points-at= column=? abbrev=?",
  longLast: "contains no-contains merged no-merged",
};

const GIT_COMMANDS: ReadonlyMap<string, GitCommand> = new Map(
  Object.entries<GitCommand>({
    status: {
      adds: "--ignore-submodules=all",
      // Not `v`: it shows content by the programs that are set for it.
      short: "sbzu::",
      long: "short branch long show-stash ahead-behind no-ahead-behind no-renames null porcelain=? untracked-files=? ignored=? find-renames=? column=?",
    },
    diff: {
      adds: `${SAFE_CONTENT} --ignore-submodules=all`,
      short: "pusztwbRaWU:S:G:C::M::B::",
      long: DIFF_OPTIONS,
      hasCounts: true,
    },
    log: LOG,
    show: LOG,
    whatchanged: LOG,
    blame: {
      adds: "--no-textconv",
      short: "bltfnsewpcL:M::C::",
      long: "root show-stats porcelain line-porcelain incremental show-name show-number show-email no-textconv since= date= abbrev=",
    },
    "ls-files": {
      short: "cdmostkuvzix:",
      long: "cached deleted modified others ignored stage killed unmerged exclude-standard full-name error-unmatch directory no-empty-directory eol deduplicate exclude= abbrev= format=",
    },
    "ls-tree": { short: "drtlz", long: "name-only name-status long full-name full-tree format=" },
    grep: {
      adds: "--no-textconv",
      short: "aIiwvEGFPnlLqcphHWzoe:A:B:C:m:",
      long: "text ignore-case word-regexp invert-match extended-regexp basic-regexp perl-regexp fixed-strings line-number files-with-matches name-only files-without-match count heading break show-function function-context cached untracked column only-matching no-textconv quiet null full-name and or not all-match no-color max-depth= max-count= after-context= before-context= context= threads= color=?",
      hasCounts: true,
    },
    // Not `l`: it made a branch before 2.19.
    branch: { ...LIST_REFS, short: "arvi", maxOperands: 0, listOptions: "list" },
    tag: { ...LIST_REFS, short: "lin::", maxOperands: 0, listOptions: "l list" },
    remote: { short: "v", long: "verbose", maxOperands: 0 },
    stash: { maxOperands: 1, firstOperands: "list" },
    worktree: { short: "v", long: "porcelain verbose", maxOperands: 1, firstOperands: "list" },
    reflog: {
      // What it shows is named behind `show` only: other words may be commands that change it.
      firstOperands: " show",
      maxOperands: 2,
      hasCounts: true,
      short: "n:",
      long: "oneline all no-abbrev-commit abbrev-commit no-decorate relative-date no-color max-count= skip= since= after= until= before= date= grep-reflog= format=? pretty=? decorate=? color=?",
    },
    "symbolic-ref": { short: "q", long: "short quiet", maxOperands: 1 },
    "name-rev": { long: "tags name-only always", maxOperands: 1 },
    "rev-parse": {
      short: "q",
      long: "abbrev-ref=? show-toplevel git-dir absolute-git-dir is-inside-work-tree is-bare-repository show-prefix show-cdup verify symbolic-full-name symbolic all branches tags remotes quiet short=?",
    },
    "rev-list": {
      hasCounts: true,
      short: "n:",
      long: "all count oneline reverse no-merges merges first-parent left-right branches tags parents topo-order date-order max-count= since= until= after= before= author= grep= skip=",
    },
    shortlog: {
      short: "nsec",
      long: "numbered summary email committer no-merges all since= until= after= before= author=",
    },
    describe: {
      // Not `dirty`: it looks into submodules, by the settings that they have.
      long: "all tags always long exact-match first-parent contains match= exclude= candidates= abbrev=?",
    },
    "merge-base": { short: "a", long: "all is-ancestor fork-point independent octopus" },
    "show-ref": { short: "dq", long: "head heads tags dereference verify quiet hash=? abbrev=?" },
    "for-each-ref": {
      long: "color ignore-case format= sort= count= contains= merged= no-merged= points-at=",
    },
    "cat-file": { short: "tspe" },
    "count-objects": { short: "vH", maxOperands: 0 },
    "check-ignore": { short: "qvn", long: "verbose quiet non-matching no-index" },
  }),
);

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

const SETTINGS = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "safe.bareRepository=explicit",
  "log.showSignature=false",
  "diff.external=",
  "status.submoduleSummary=false",
  "submodule.recurse=false",
  // Missing objects are not fetched: the repository could name the program that brings them.
  "protocol.allow=never",
];

const OVERRIDES: readonly string[] = [
  "--no-pager",
  "--no-optional-locks",
  ...SETTINGS.flatMap((setting) => ["-c", setting]),
];

const QUESTIONS = new Set(["--version", "version"]);
const SHAPES = new Set(["format", "pretty", "sort"]);
const SIGNATURE = /%[-+ ]*G|signature/;

export const git: ProgramProfile = { names: ["git"], read };

function read(args: readonly string[]): ProfileReading {
  const [first, ...more] = args;
  if (first !== undefined && more.length === 0 && QUESTIONS.has(first))
    return { ok: true, paths: [] };
  const own = stripOverrides(args);
  const [name = "", ...rest] = own[0] === "--no-pager" ? own.slice(1) : own;
  const command = GIT_COMMANDS.get(name);
  if (name === "-C") return unknownArguments("git -C is not read; write cd DIR && git, or workdir");
  if (command === undefined) {
    return unknownArguments(`"git ${name}" is not one of the commands that only look`);
  }
  const added = command.adds?.split(" ") ?? [];
  const isDone = added.every((word, index) => rest[index] === word);
  const words = isDone ? rest.slice(added.length) : rest;
  const paths = readCommand(command, words);
  if (!paths.ok) return paths;
  return {
    ...paths,
    args: [...OVERRIDES, name, ...added, ...words],
    added: [...OVERRIDES, ...added],
    judgeRepository,
  };
}

function stripOverrides(args: readonly string[]): readonly string[] {
  const hasAll = OVERRIDES.every((word, index) => args[index] === word);
  return hasAll ? args.slice(OVERRIDES.length) : args;
}

function readCommand(command: GitCommand, words: readonly string[]): ProfileReading {
  const reading = readOptions(words, command);
  if (!reading.ok) return reading;
  const { options, operands, detached } = reading;
  const signed = options.find(({ name, value = "" }) => SHAPES.has(name) && SIGNATURE.test(value));
  if (signed) return unknownArguments("%G checks signatures by a program of the configuration");
  const lists = command.listOptions?.split(" ") ?? [];
  const isList = options.some(({ name }) => lists.includes(name));
  const most = isList
    ? Number.POSITIVE_INFINITY
    : (command.maxOperands ?? Number.POSITIVE_INFINITY);
  if (operands.length > most) return unknownArguments(`"${operands[most]}" may change something`);
  const first = command.firstOperands?.split(" ");
  if (first !== undefined && !first.includes(operands[0] ?? "")) {
    return unknownArguments(`only "${first.at(-1)}" is known to change nothing`);
  }
  // A revision reads like a path in the folder, so that one outside of it is noticed in either case;
  // and so does a value that a version of git might take for an operand.
  return { ok: true, paths: toReads([...operands, ...detached]) };
}

function judgeRepository(facts: RepositoryFacts, root: string): string | undefined {
  if (!isInside(facts.workTree, root) || !isInside(facts.gitFolder, root)) {
    return "the repository is outside of the root";
  }
  if (facts.stray !== undefined) return facts.stray;
  const key = facts.keys.find((name) => !USUAL.some((pattern) => pattern.test(name)));
  if (key === undefined) return undefined;
  return `the configuration of the repository sets ${key}, which can start programs or read elsewhere`;
}
