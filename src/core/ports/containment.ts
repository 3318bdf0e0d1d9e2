// The port that encloses a child process: how far it holds on this machine, and with which words a
// program is started inside it.

export type ContainmentKind = "bwrap" | "namespace" | "group";

export interface EncloseRequest {
  /** What runs inside: program and arguments. */
  readonly argv: readonly [string, ...string[]];
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment of the inside. */
  readonly env: Readonly<Record<string, string>>;
  readonly isTerminal: boolean;
  readonly allowsNetwork: boolean;
}

/** What to spawn. The descriptor 3 belongs to anyone who spawns, and reaches the inside. */
export interface EnclosedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** To be asked when the inside waits to begin, with its first process as seen from here. */
  readonly findFault?: (initPid: number) => string | undefined;
  /** To be called once then, with the process that waits: why its limits could not all be set. */
  readonly putUnderLimits?: (pid: number) => string | undefined;
  /** What the containment reads, to the end, before the inside begins. It reaches no one else. */
  readonly given?: { readonly descriptor: number; readonly bytes: Uint8Array };
  /** To be called once, before it goes. */
  readonly guard?: () => () => string | undefined;
}

/** A filtering proxy that reaches some hosts by name. */
export interface HostAccess {
  /** As configured. */
  readonly allowed: readonly string[];
  /** A Unix socket where the proxy listens. */
  readonly socketPath: string;
  /** Sentences about what was refused or not reached since then, oldest first. */
  problems(sinceMs: number): readonly string[];
}

export interface Containment {
  readonly kind: ContainmentKind;
  /** Files and network are closed off too, not only processes. */
  readonly isSandbox: boolean;
  /** Nothing outlives the outer process here. */
  readonly endsChildren: boolean;
  /** Each with its reach: "processes 256 (per user)". */
  readonly limits: readonly string[];
  readonly warnings: readonly string[];
  /** Words for bash, run inside before the command: limits first. They have no single quotes. */
  readonly setupScript: string;
  /** The same for a small shell, as dash is, which counts in other units. */
  readonly smallSetupScript: string;
  /** How many processes, from the spawned one inwards, are the containment's own. */
  readonly wrapperCount: number;
  /** What is started inside is the first process there, so it must not become the command. */
  readonly startsInit: boolean;
  /** What HOME is inside; that of this user when absent. */
  readonly home?: string;
  /** Variables that every command inside has. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The hosts that can be reached from inside; the sandbox has no other network. */
  readonly hosts?: HostAccess;
  enclose(request: EncloseRequest): EnclosedCommand;
}

/** What this machine has for one root. */
export interface Containments {
  /** Absent where none was asked for or none holds; `sandboxProblem` says why. */
  readonly sandbox?: Containment;
  readonly sandboxProblem?: string;
  /** For commands that see the machine as it is. */
  readonly host: Containment;
}
