// The plan of a command: its types, its text for bash, where its programs are looked for, and bash's own words.

import { quoteWord } from "../../lib/system/shell-words.js";
import { wordSet } from "../../lib/word-set.js";

/** How a command reads input, where it is not closed: kept open for `write`, or a terminal. */
export type CommandInput = "open" | "terminal";

export type StepJoin = "|" | "&&" | "||" | ";";

export type PlanRedirect =
  | { readonly kind: "read" | "write" | "append"; readonly fd: number; readonly path: string }
  | { readonly kind: "duplicate"; readonly fd: number; readonly target: number };

export interface ProgramIdentity {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly device: number;
  readonly inode: number;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly ownerId: number;
  readonly mode: number;
  /** SHA-256 of its bytes, where others than root or this user could change them. */
  readonly contentHash?: string;
}

export interface BoundFile {
  readonly path: string;
  readonly contentHash: string;
}

export interface PlanStep {
  /** The first word as it was written; what runs is `program.path`. */
  readonly argv: readonly string[];
  readonly program: ProgramIdentity;
  /** Absolute; that of the plan unless a `cd` came before. */
  readonly cwd: string;
  readonly redirects: readonly PlanRedirect[];
  readonly join?: StepJoin;
  readonly scripts: readonly BoundFile[];
  readonly facts: StepFacts;
}

export interface PathUse {
  readonly word: string;
  readonly use: "read" | "write";
}

export type OwnProgram = "bound" | "unbound" | "link";

export interface StepFacts {
  /** Absolute path that is started: as found, because programs look at the name they are called by. */
  readonly file: string;
  readonly lookup: "search" | "path";
  readonly interpreter?: ProgramIdentity;
  readonly own?: OwnProgram;
  /** Paths in the arguments, as the program's profile reads them, links resolved. */
  readonly paths: readonly (PathUse & { readonly path: string })[];
  /** What it would read or change of what is protected, one sentence without its full stop. */
  readonly protected?: string;
  /** Words of `argv` that we put there, so that the program starts no other. */
  readonly added: readonly string[];
  /** A program that it starts by a bare name, and that is found inside of the root. */
  readonly helperInRoot?: string;
  readonly repository?: RepositoryFacts;
  /** The word that an interpreter takes for its script, where it names a file of `scripts`. */
  readonly script?: string;
  readonly files?: readonly BoundFile[];
  /** Why not all of them could be bound, one sentence without its full stop. */
  readonly unbound?: string;
  /** SHA-256 over program, arguments, folder, redirects, scripts, files and input: what an exact grant is bound to. */
  readonly exactHash: string;
}

export interface RepositoryFacts {
  readonly workTree: string;
  readonly gitFolder: string;
  readonly keys: readonly string[];
  /** What of its objects, links and names is elsewhere, one sentence without its full stop. */
  readonly stray?: string;
}

export interface CommandPlan {
  readonly command: string;
  readonly cwd: string;
  /** Links resolved: what counts as inside. */
  readonly root: string;
  readonly steps: readonly PlanStep[];
  readonly input?: CommandInput;
  readonly hash: string;
}

/** Why a command has no plan. It may still run where everything may, by a shell. */
export interface CommandRefusal {
  readonly reason: string;
  readonly message: string;
}

/** Thrown while a command is read; the planner returns its refusal. */
export class Refused extends Error {
  readonly refusal: CommandRefusal;

  constructor(refusal: CommandRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

export function refuse(kind: string, message: string): never {
  throw new Refused({ reason: kind, message });
}

export type PlannedCommand =
  | { readonly ok: true; readonly plan: CommandPlan }
  | { readonly ok: false; readonly refusal: CommandRefusal };

export interface PlanRequest {
  readonly command: string;
  readonly cwd: string;
  readonly input?: CommandInput | undefined;
  readonly signal: AbortSignal;
}

/** Reads a command against the files of this machine. Never throws for what the command says. */
export interface CommandPlanner {
  plan(request: PlanRequest): Promise<PlannedCommand>;
}

export function toSpawn(step: PlanStep): readonly [file: string, ...args: string[]] {
  return [step.facts.file, ...step.argv.slice(1)];
}

export function isSingleProgram({ steps, cwd }: CommandPlan): boolean {
  const [step] = steps;
  return steps.length === 1 && step?.redirects.length === 0 && step.cwd === cwd;
}

export function renderPlan(plan: CommandPlan): string {
  const cwd = plan.steps[0]?.cwd ?? plan.cwd;
  // Without the folder nothing may run, not even what comes after a `;`.
  const enter = cwd === plan.cwd ? "" : `cd -- ${quoteWord(cwd)} || exit 1\n`;
  return enter + plan.steps.map(renderStep).join(" ");
}

function renderStep(step: PlanStep): string {
  const words = toSpawn(step).map(quoteWord);
  const parts = [...words, ...step.redirects.map(renderRedirect)];
  return [...parts, ...(step.join === undefined ? [] : [step.join])].join(" ");
}

const SIGNS = { read: "<", write: ">", append: ">>" } as const;

function renderRedirect(redirect: PlanRedirect): string {
  if (redirect.kind === "duplicate") return `${redirect.fd}>&${redirect.target}`;
  return `${redirect.fd}${SIGNS[redirect.kind]}${quoteWord(redirect.path)}`;
}

export const SYSTEM_FOLDERS: readonly string[] = [
  "/usr/local/sbin",
  "/usr/local/bin",
  "/usr/sbin",
  "/usr/bin",
  "/sbin",
  "/bin",
];

interface SearchPathOptions {
  /** `tools.exec.pathPrepend`; relative ones are below the root. */
  readonly prepend?: readonly string[];
  readonly root: string;
  readonly runtimeFolder?: string;
}

export function toSearchPath(options: SearchPathOptions): readonly string[] {
  const { prepend = [], root, runtimeFolder } = options;
  const first = prepend
    .filter((folder) => folder !== "" && !folder.includes(":"))
    .map((folder) => (folder.startsWith("/") ? folder : `${root}/${folder}`));
  const last = runtimeFolder === undefined ? [] : [runtimeFolder];
  return [...new Set([...first, ...SYSTEM_FOLDERS, ...last])];
}

export const SHELL_BUILTINS = wordSet(
  ". : alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown enable eval exec exit export fc fg getopts hash help history jobs let local logout mapfile popd pushd read readarray readonly return set shift shopt source suspend times trap type typeset ulimit umask unalias unset wait",
);

/** Commands of bash next to which there is a program of the same name. */
export const SHELL_DUPLICATES = wordSet("[ echo false kill printf pwd test true");

export const RESERVED_WORDS = wordSet(
  "if then else elif fi case esac for select while until do done in function time coproc",
);
