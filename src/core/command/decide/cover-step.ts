// Decides whether one step of a plan is allowed without asking, or says why not.

import { isInside } from "../../../lib/paths.js";
import type { PlanStep } from "../plan.js";
import type { ProfileReading } from "../profiles/profile.js";
import { type EntryReach, namesOf, reachOfEntry, readStep } from "../profiles/programs.js";
import { type AllowEntry, isEntryFor, isExactPattern, judgeArguments } from "./match-entry.js";

const LANGUAGE =
  /^(?:|POSIX|C(?:\.(?:UTF-8|utf8))?|[a-z]{2,3}(?:_[A-Z]{2})?\.(?:UTF-8|utf8)(?:@[a-z]+)?)$/;

const LANGUAGES = /^(?:|[A-Za-z]{1,3}(?:_[A-Z]{2})?(?::[A-Za-z]{1,3}(?:_[A-Z]{2})?)*)$/;
const ZONE = /^[A-Za-z][\w+-]*(?:\/[\w+-]+){0,2}$/;
const NUMBER = /^\d{0,4}$/;
const PLAIN = /^[\w.+-]{0,32}$/;

const HARMLESS: ReadonlyMap<string, RegExp> = new Map([
  ...toRows("LANG LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME", LANGUAGE),
  ...toRows("LANGUAGE", LANGUAGES),
  ...toRows("TZ", ZONE),
  ...toRows("COLUMNS LINES", NUMBER),
  ...toRows("TERM COLORTERM NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE CI", PLAIN),
]);

const DEFAULT_SAFE_BINS: readonly string[] = ["cut", "uniq", "head", "tail", "tr", "wc"];
const SAFE_FOLDERS: readonly string[] = ["/bin", "/usr/bin"];
const NULL_DEVICE = "/dev/null";

export type StepCoverage =
  | {
      readonly covered: true;
      readonly by: "entry" | "safe-bin";
      readonly rule: string;
      readonly entry?: AllowEntry;
    }
  | { readonly covered: false; readonly why: string };

export interface CoverContext {
  readonly entries: readonly AllowEntry[];
  readonly root: string;
  readonly home?: string | undefined;
  readonly safeBins?: readonly string[] | undefined;
  readonly trustedDirs?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export function coverStep(step: PlanStep, context: CoverContext): StepCoverage {
  const { facts } = step;
  // As for a redirect: a person may say yes to one call, but no entry holds for it.
  const closed = judgeRedirects(step, context.root) ?? facts.protected;
  if (closed) return miss(closed);
  const reasons: string[] = [];
  for (const entry of context.entries) {
    if (!isEntryFor(entry, step, context)) continue;
    const why = judgeEntry(entry, { step, context });
    const rule = `entry ${entry.id ?? entry.pattern}`;
    if (why === undefined) return { covered: true, by: "entry", rule, entry };
    reasons.push(why);
  }
  const why = judgeSafeBin({ step, context });
  const name = step.argv[0] ?? "";
  if (why === undefined) return { covered: true, by: "safe-bin", rule: `safe program ${name}` };
  return miss(reasons[0] ?? "no allowlist entry names it");
}

function miss(why: string): StepCoverage {
  return { covered: false, why };
}

interface Judged {
  readonly step: PlanStep;
  readonly context: CoverContext;
}

function judgeEntry(entry: AllowEntry, judged: Judged): string | undefined {
  const { step } = judged;
  const { argPattern } = entry;
  const { exactHash } = step.facts;
  const args = step.argv.slice(1);
  if (argPattern !== undefined && isExactPattern(argPattern)) {
    return judgeArguments(argPattern, { args, exactHash }) ?? judgeRepository(judged);
  }
  if (step.program.contentHash !== undefined) {
    return "others could have changed the program, so only an exact grant covers it";
  }
  const reach = judgeReach(judged);
  if (reach) return reach;
  if (argPattern !== undefined) {
    const plain = plainArguments(step);
    return judgeArguments(argPattern, { args: plain, exactHash }) ?? judgeRepository(judged);
  }
  if (entry.source === "allow-always") return "a saved grant without arguments covers nothing";
  return judgeProfile(judged);
}

function judgeReach({ step, context }: Judged): string | undefined {
  const variable = findTurningVariable(context.env ?? {});
  if (variable) return `env.${variable} may change what it does, so only an exact grant covers it`;
  const { helperInRoot } = step.facts;
  return helperInRoot && `it starts "${helperInRoot}", which is found inside of the root`;
}

export function plainArguments({ argv, facts }: PlanStep): readonly string[] {
  const rest = [...facts.added];
  return argv.slice(1).filter((word) => {
    const isAdded = rest[0] === word;
    if (isAdded) rest.shift();
    return !isAdded;
  });
}

const UNPROFILED: Readonly<Record<EntryReach, string | undefined>> = {
  steering: "it can start programs, or read and write anywhere, so an entry needs an argPattern",
  system: "no profile knows this program of the system, so an entry needs an argPattern",
  everything: undefined,
  profile: undefined,
};

function judgeProfile(judged: Judged): string | undefined {
  const reading = readStep(judged.step);
  if (reading === undefined) return UNPROFILED[reachOfEntry(namesOf(judged.step))];
  if (!reading.ok) return reading.why;
  return judgeReading(reading, judged);
}

function judgeReading(
  reading: Extract<ProfileReading, { ok: true }>,
  judged: Judged,
): string | undefined {
  const { step, context } = judged;
  const { root, home } = context;
  if (!isInside(step.cwd, root)) return "its folder is outside of the root";
  if (reading.settings === "home" && home !== undefined && isInside(home, root)) {
    return "it takes settings from the home folder, which is inside of the root";
  }
  const args = step.argv.slice(1);
  const safe = reading.args ?? args;
  if (safe.length !== args.length || safe.some((word, index) => word !== args[index])) {
    return "it lacks the words that keep it from starting programs";
  }
  for (const { word, use } of reading.paths) {
    const fact = step.facts.paths.find((path) => path.word === word && path.use === use);
    if (fact === undefined) return `where "${word}" is kept is not known`;
    if (fact.path === NULL_DEVICE) continue;
    if (!isInside(fact.path, root)) return `"${word}" is outside of the root`;
  }
  return judgeRepository(judged);
}

/** Whatever an entry says: a command that only looks must not run what a repository names. */
function judgeRepository({ step, context }: Judged): string | undefined {
  const reading = readStep(step);
  const { repository } = step.facts;
  if (reading?.ok !== true || reading.judgeRepository === undefined) return undefined;
  if (repository === undefined) return "it is not in a repository that could be examined";
  return reading.judgeRepository(repository, context.root);
}

/** Planning refuses others; here they are looked at again, because this decides. */
function judgeRedirects(step: PlanStep, root: string): string | undefined {
  const outside = step.redirects.find(
    (redirect) =>
      redirect.kind !== "duplicate" &&
      redirect.path !== NULL_DEVICE &&
      !isInside(redirect.path, root),
  );
  return outside === undefined ? undefined : "it is redirected to a file outside of the root";
}

function judgeSafeBin(judged: Judged): string | undefined {
  const { step, context } = judged;
  const { facts } = step;
  const name = step.argv[0] ?? "";
  const safeBins = context.safeBins ?? DEFAULT_SAFE_BINS;
  const folders = [...SAFE_FOLDERS, ...(context.trustedDirs ?? [])];
  if (facts.lookup !== "search" || !safeBins.includes(name)) return "it is not a safe program";
  if (!folders.includes(folderOf(facts.file))) return "it is in no trusted folder";
  if (step.program.contentHash !== undefined) return "others could have changed it";
  const reach = judgeReach(judged);
  if (reach) return reach;
  const reading = readStep(step);
  if (reading === undefined || !reading.ok || reading.judgeRepository) return "no profile knows it";
  if (reading.paths.length > 0) return "it reads a file";
  return judgeReading(reading, judged);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

export function findTurningVariable(env: Readonly<Record<string, string>>): string | undefined {
  return Object.keys(env).find((name) => HARMLESS.get(name)?.test(env[name] ?? "") !== true);
}

function toRows(names: string, values: RegExp): (readonly [string, RegExp])[] {
  return names.split(" ").map((name) => [name, values] as const);
}
