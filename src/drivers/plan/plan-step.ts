// Plans one step: its program, arguments, redirects and facts about them.

import {
  findProfile,
  findScriptWord,
  isInterpreter,
  type OwnProgram,
  type PlanRedirect,
  type PlanStep,
  type ProfileReading,
  refuse,
  type ScannedStep,
  SHELL_BUILTINS,
  type StepFacts,
  startsNothing,
} from "../../core/command/index.js";
import type { Protection } from "../../core/files/index.js";
import { isInside } from "../../lib/paths.js";
import { bindFiles } from "./bind-files.js";
import { expandWord, type GlobBudget } from "./expand-glob.js";
import {
  type FoundProgram,
  findProgram,
  findRealPath,
  lookForProgram,
  type ProgramPlace,
} from "./find-program.js";
import { findProtected, findStart, type ProgramStart, settleRedirect } from "./find-protected.js";
import { hashBounded, hashStep } from "./hash.js";
import { statOf } from "./look.js";
import { readRepository } from "./repository/read-repository.js";

const MAX_SCRIPTS = 16;
const MAX_SCRIPT_BYTES = 32 * 1024 * 1024;

export interface PlanContext extends ProgramPlace {
  readonly globBudget: GlobBudget;
  readonly protection: Protection;
}

export interface PlannedStep {
  readonly step: PlanStep;
  /** Then patterns in later steps cannot be resolved. */
  readonly mayChangeFiles: boolean;
}

const NULL_DEVICE = "/dev/null";
const ASK_WHICH = "Ask which instead.";

/** Advice instead of shell commands. */
const ADVICE: Readonly<Record<string, string>> = {
  cd: "It is read at the beginning only; make a second call with workdir.",
  command: ASK_WHICH,
  type: ASK_WHICH,
  export: "Variables go into env.",
};

export async function planStep(
  scanned: ScannedStep,
  context: PlanContext & { readonly mayHaveChanged: boolean },
): Promise<PlannedStep> {
  const [name, ...words] = scanned.words;
  if (SHELL_BUILTINS.has(name.text)) {
    const advice = Object.hasOwn(ADVICE, name.text) ? ` ${ADVICE[name.text]}` : "";
    const message = `"${name.text}" is a command of the shell, not a program.${advice}`;
    refuse("shell_builtin", message);
  }
  const found = await findProgram(name.text, context);
  const expanded = expandWords(words, context);
  const redirects = scanned.redirects.map((redirect) => settleRedirect(redirect, context));
  const reading = findProfile({ file: found.file, path: found.program.path })?.read(expanded);
  const args = reading?.ok === true ? (reading.args ?? expanded) : expanded;
  const parts = { name: name.text, found, args, redirects, reading };
  const step = await settleStep(parts, context);
  const join = scanned.join === undefined ? {} : { join: scanned.join };
  return { step: { ...step, ...join }, mayChangeFiles: mayChange(redirects, reading) };
}

function expandWords(
  words: readonly ScannedStep["words"][number][],
  context: PlanContext & { readonly mayHaveChanged: boolean },
): readonly string[] {
  return words.flatMap((word) => {
    if (word.pattern !== undefined && context.mayHaveChanged) {
      const message = `What "${word.text}" matches is open until the commands before it have run.`;
      refuse("pattern", message);
    }
    return expandWord(word, context);
  });
}

/** Only a profile can say that a program just reads. */
function mayChange(
  redirects: readonly PlanRedirect[],
  reading: ProfileReading | undefined,
): boolean {
  const writes = redirects.some(
    (redirect) =>
      (redirect.kind === "write" || redirect.kind === "append") && redirect.path !== NULL_DEVICE,
  );
  if (writes || reading?.ok !== true) return true;
  return reading.paths.some(({ use }) => use === "write");
}

interface StepParts {
  readonly name: string;
  readonly found: FoundProgram;
  readonly args: readonly string[];
  readonly redirects: readonly PlanRedirect[];
  readonly reading: ProfileReading | undefined;
}

async function settleStep(parts: StepParts, context: PlanContext): Promise<PlanStep> {
  const { name, found, args, redirects } = parts;
  const { cwd, signal } = context;
  const scripts = await findScripts({ found, args, redirects, cwd, signal });
  const { program, file, lookup } = found;
  const start = await findStart(program.path, context);
  const { interpreter } = start;
  const looked = await lookUp(parts, context);
  const guarded =
    findProtected({ file, args, reading: parts.reading }, context) ??
    findStateBelow(looked.repository, context);
  const step = { argv: [name, ...args], program, cwd, redirects, scripts };
  const facts: Omit<StepFacts, "exactHash"> = {
    file,
    lookup,
    ...(interpreter === undefined ? {} : { interpreter: interpreter.program }),
    ...(guarded === undefined ? {} : { protected: guarded }),
    ...(found.isInRoot ? { own: judgeOwn(found, { start, root: context.root }) } : {}),
    ...(interpreter?.isInRoot ? { helperInRoot: interpreter.program.path } : {}),
    ...looked,
    ...(await findNamedFiles(parts, { scripts, start, context })),
  };
  return { ...step, facts: { ...facts, exactHash: hashStep({ ...step, facts }) } };
}

/** git reads any file of the work tree by its index and pathspecs. */
function findStateBelow(
  repository: StepFacts["repository"],
  { protection }: PlanContext,
): string | undefined {
  const name = repository && protection.findReadBelow(repository.workTree);
  return name && `the repository holds what is protected: ${name}`;
}

function judgeOwn(
  { program }: FoundProgram,
  { start, root }: { readonly start: ProgramStart; readonly root: string },
): OwnProgram {
  if (!isInside(program.path, root)) return "link";
  return start.isKnown ? "bound" : "unbound";
}

interface NamedPlace {
  readonly scripts: PlanStep["scripts"];
  readonly start: ProgramStart;
  readonly context: PlanContext;
}

/** Not for programs of the search path that a profile knows. */
async function findNamedFiles(
  { found, args, redirects }: StepParts,
  { scripts, start, context }: NamedPlace,
): Promise<Pick<StepFacts, "script" | "files" | "unbound">> {
  const { cwd, root, signal } = context;
  const names = { file: found.file, path: found.program.path };
  const isOwn = found.isInRoot || found.lookup === "path";
  if (!isOwn && startsNothing(names, args)) return {};
  const known = scripts.map(({ path }) => path);
  const { files, unbound } = await bindFiles({
    ...{ names, args: [...args, ...start.words], redirects, cwd, root, known, signal },
  });
  const word = findScriptWord(names, args);
  const path = word === undefined ? undefined : findRealPath(word, cwd);
  const isScript = path !== undefined && known.includes(path) && isInside(path, root);
  return {
    ...(word !== undefined && isScript ? { script: word } : {}),
    ...(files.length === 0 ? {} : { files }),
    ...(unbound === undefined ? {} : { unbound }),
  };
}

async function lookUp(
  { reading }: StepParts,
  context: PlanContext,
): Promise<Pick<StepFacts, "paths" | "added" | "helperInRoot" | "repository">> {
  const { cwd } = context;
  if (reading?.ok !== true) return { paths: [], added: [] };
  const paths = reading.paths.flatMap((use) => {
    const path = findRealPath(use.word, cwd);
    return path === undefined ? [] : [{ ...use, path }];
  });
  const added = reading.added ?? [];
  const helperInRoot = await findHelperInRoot(reading.helpers ?? [], context);
  const known = { paths, added, ...(helperInRoot === undefined ? {} : { helperInRoot }) };
  if (reading.judgeRepository === undefined) return known;
  const repository = await readRepository(context);
  return { ...known, ...(repository === undefined ? {} : { repository }) };
}

async function findHelperInRoot(
  names: readonly string[],
  place: ProgramPlace,
): Promise<string | undefined> {
  for (const name of names) {
    if ((await lookForProgram(name, place))?.isInRoot) return name;
  }
  return undefined;
}

interface ScriptRequest {
  readonly found: FoundProgram;
  readonly args: readonly string[];
  readonly redirects: readonly PlanRedirect[];
  readonly cwd: string;
  readonly signal: AbortSignal;
}

async function findScripts(request: ScriptRequest): Promise<PlanStep["scripts"]> {
  const paths = listScripts(request);
  if (paths.length > MAX_SCRIPTS) {
    refuse("too_many_scripts", `The command names more than ${MAX_SCRIPTS} scripts.`);
  }
  const scripts: { path: string; contentHash: string }[] = [];
  for (const path of paths) {
    const limit = { maxBytes: MAX_SCRIPT_BYTES, signal: request.signal };
    const contentHash = await hashBounded(path, limit);
    if (contentHash === undefined) {
      return refuse(
        "script_too_large",
        `The script "${path}" is larger than ${MAX_SCRIPT_BYTES} bytes.`,
      );
    }
    scripts.push({ path, contentHash });
  }
  return scripts;
}

function listScripts({ found, args, redirects, cwd }: ScriptRequest): string[] {
  const own = found.isInRoot ? [found.program.path] : [];
  if (!isInterpreter({ file: found.file, path: found.program.path })) return own;
  const named = args.filter((word) => word !== "" && !word.startsWith("-"));
  const given = redirects.flatMap((redirect) => (redirect.kind === "read" ? [redirect.path] : []));
  const files = [...named.map((word) => findRealPath(word, cwd)), ...given];
  return [
    ...new Set([...own, ...files.filter((path) => path !== undefined && statOf(path)?.isFile())]),
  ].filter((path) => path !== undefined);
}
