// git: the questions it answers about a repository. Its own configuration can name programs, so what
// can be overridden is, and a repository with settings beyond the usual ones is refused.

import { isInside } from "../../../lib/is-inside.js";
import type { RepositoryFacts } from "../plan.js";
import { GIT_COMMANDS, type GitCommand } from "./git-commands.js";
import { type ProfileReading, type ProgramProfile, toReads, unknownArguments } from "./profile.js";
import { readOptions } from "./read-options.js";

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

const OVERRIDES = [
  "--no-pager",
  "--no-optional-locks",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "safe.bareRepository=explicit",
  "-c",
  "log.showSignature=false",
  "-c",
  "diff.external=",
  "-c",
  "status.submoduleSummary=false",
  "-c",
  "submodule.recurse=false",
  // Missing objects are not fetched: the repository could name the program that brings them.
  "-c",
  "protocol.allow=never",
] as const;

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
  const key = facts.keys.find((name) => !isUsualKey(name));
  if (key === undefined) return undefined;
  return `the configuration of the repository sets ${key}, which can start programs or read elsewhere`;
}

function isUsualKey(key: string): boolean {
  return USUAL.some((pattern) => pattern.test(key));
}
