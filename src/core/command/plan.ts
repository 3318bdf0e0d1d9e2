// What a command line means once it was read: the steps that run, with every word, program and file
// settled. What was decided about a plan holds for exactly that plan, and its hash says which.

/** How a command reads input, where it is not closed: kept open for `write`, or a terminal. */
export type CommandInput = "open" | "terminal";

/** How a step is joined to the one after it. */
export type StepJoin = "|" | "&&" | "||" | ";";

export type PlanRedirect =
  | { readonly kind: "read" | "write" | "append"; readonly fd: number; readonly path: string }
  | { readonly kind: "duplicate"; readonly fd: number; readonly target: number };

/** Which file a program is, so that another one in its place is noticed. */
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

/** A file whose content counts. */
export interface BoundFile {
  /** Absolute, links resolved. */
  readonly path: string;
  /** SHA-256 of its bytes. */
  readonly contentHash: string;
}

export interface PlanStep {
  /** The first word as it was written; what runs is `program.path`. */
  readonly argv: readonly string[];
  readonly program: ProgramIdentity;
  /** Absolute; that of the plan unless a `cd` came before. */
  readonly cwd: string;
  readonly redirects: readonly PlanRedirect[];
  /** Absent on the last step. */
  readonly join?: StepJoin;
  /** Files that an interpreter would run, with the hash of their bytes. */
  readonly scripts: readonly BoundFile[];
  /** What was looked up for it. Without them nothing covers the step but a person's word. */
  readonly facts?: StepFacts;
}

/** A file or folder that an argument names, and what the program would do with it. */
export interface PathUse {
  readonly word: string;
  readonly use: "read" | "write";
}

/** `bound`. */
export type OwnProgram = "bound" | "unbound" | "link";

export interface StepFacts {
  /** Absolute path that is started: as found, because programs look at the name they are called by. */
  readonly file: string;
  /** Found by its bare name in the search path, or named by a path. */
  readonly lookup: "search" | "path";
  /** What a file that begins with `#!` is handed to. */
  readonly interpreter?: ProgramIdentity;
  /** Only of a program that is found inside of the root. */
  readonly own?: OwnProgram;
  /** Where the paths lie that the profile of the program found in its arguments, links resolved. */
  readonly paths: readonly (PathUse & { readonly path: string })[];
  /** What it would read or change of what is protected, one sentence without its full stop. */
  readonly protected?: string;
  /** Words of `argv` that we put there, so that the program starts no other. */
  readonly added: readonly string[];
  /** A program that it starts by a bare name, and that is found inside of the root. */
  readonly helperInRoot?: string;
  /** For git only. */
  readonly repository?: RepositoryFacts;
  /** The word that an interpreter takes for its script, where it names a file of `scripts`. */
  readonly script?: string;
  /** Further files that the arguments name, of a program that may run them. */
  readonly files?: readonly BoundFile[];
  /** Why not all of them could be bound, one sentence without its full stop. */
  readonly unbound?: string;
  /** SHA-256 over program, arguments, folder, redirects, scripts, files and input: what an exact grant is bound to. */
  readonly exactHash: string;
}

export interface RepositoryFacts {
  readonly workTree: string;
  readonly gitFolder: string;
  /** Keys of its own configuration and of other files inside of the root, in small letters. */
  readonly keys: readonly string[];
  /** What of its objects, links and names is elsewhere, one sentence without its full stop. */
  readonly stray?: string;
}

export interface CommandPlan {
  /** As it was given. */
  readonly command: string;
  readonly cwd: string;
  /** Links resolved: what counts as inside. */
  readonly root?: string;
  readonly steps: readonly PlanStep[];
  /** Closed when absent. */
  readonly input?: CommandInput;
  /** SHA-256 over everything above but `command`. */
  readonly hash: string;
}

/** Why a command has no plan. It may still run where everything may, by a shell. */
export interface CommandRefusal {
  /** In snake case: `expansion`, `too_long`, `unknown_program` ... */
  readonly reason: string;
  /** One sentence for a person or a model, naming the place. */
  readonly message: string;
}

export type PlannedCommand =
  | { readonly ok: true; readonly plan: CommandPlan }
  | { readonly ok: false; readonly refusal: CommandRefusal };

export interface PlanRequest {
  readonly command: string;
  /** Absolute and existing. */
  readonly cwd: string;
  /** Closed when absent. */
  readonly input?: CommandInput | undefined;
  readonly signal: AbortSignal;
}

/** Reads a command against the files of this machine. Never throws for what the command says. */
export interface CommandPlanner {
  plan(request: PlanRequest): Promise<PlannedCommand>;
}
