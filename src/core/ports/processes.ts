// The port to commands: planning, approval, containment and supervision happen behind it.

import type {
  CommandAsk,
  CommandHost,
  CommandSecurity,
  GatePass,
  PendingApproval,
} from "./approver.js";

export interface StartRequest {
  readonly command: string;
  /** Existing folder, absolute or relative to the root; the root when absent. */
  readonly workdir?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** A real terminal of this size instead of pipes. */
  readonly terminal?: { readonly columns: number; readonly rows: number } | undefined;
  /** Milliseconds after which everything it started is killed; the configured limit when absent. */
  readonly timeoutMs?: number | undefined;
  readonly host?: CommandHost | undefined;
  readonly security?: CommandSecurity | undefined;
  readonly ask?: CommandAsk | undefined;
  readonly elevated?: boolean | undefined;
  readonly node?: string | undefined;
  /** Keeps its input open for `write`; without it a command reads the end at once. */
  readonly input?: "open" | undefined;
  /** Who asked, where a message led to the call: channel and sender, for `elevated`. */
  readonly sender?: { readonly channel: string; readonly id: string } | undefined;
  /** It runs in the sandbox or not at all. */
  readonly sandboxed?: boolean | undefined;
  readonly agentId: string | undefined;
  readonly sessionKey: string | undefined;
  readonly toolCallId: string;
  /** Receives what allowed the run before it starts; it does not start when this throws. */
  readonly onPass?: ((pass: Pick<GatePass, "by" | "rule">) => void) | undefined;
  /** Ends the planning and the waiting for approval; a started run is ended by `kill`. */
  readonly signal: AbortSignal;
  readonly onWaiting?: (pending: PendingApproval) => void;
}

export interface ProcessEnd {
  /** Absent when a signal ended it or it never started. */
  readonly exitCode: number | undefined;
  readonly exitSignal: string | undefined;
  readonly reason:
    | "exit"
    | "signal"
    | "timeout"
    | "killed"
    | "not_found"
    | "not_executable"
    | "interrupted";
  readonly endedAtMs: number;
  /** When its deadline came; it may have taken its time to end. */
  readonly timedOutAtMs?: number;
  /** Processes that could not be ended, where nothing contains them. */
  readonly survivors?: readonly number[];
}

/** Which part of an output is shown, in characters of the cleaned text. */
export interface OutputView {
  readonly text: string;
  readonly totalChars: number;
  readonly totalLines: number;
  /** Characters between head and tail that are not in `text`. */
  readonly omittedChars: number;
  /** Number of the first line that is not whole in `text`, counted from 0 as `lines` does. */
  readonly omittedFromLine: number | undefined;
  /** Bytes that were neither kept in memory nor in the log. */
  readonly lostBytes: number;
}

export interface OutputLines {
  readonly lines: readonly string[];
  /** 0-based number of the first of them. */
  readonly offset: number;
  readonly totalLines: number;
  readonly totalChars: number;
  /** Requested lines that were dropped. */
  readonly lostLines: number;
}

export interface RunOutput {
  /** Head and tail within `maxChars`. */
  view(maxChars: number): OutputView;
  tail(maxChars: number): string;
  /** What came since the last `take`, at most `maxChars` of it with head and tail. */
  take(maxChars: number): OutputView;
  /** From the log file; without `offset` the last `limit` lines. */
  lines(request: {
    readonly offset?: number;
    readonly limit: number;
    /** Characters of the line at `offset` that are passed over. */
    readonly column?: number;
  }): Promise<OutputLines>;
}

export interface ProcessRun {
  /** Words that a model can repeat: "brisk-otter". */
  readonly sessionId: string;
  readonly pid: number;
  readonly command: string;
  /** A short name: the program and its first word. */
  readonly name: string;
  readonly cwd: string;
  readonly startedAtMs: number;
  /** What contains it: "bwrap", "namespace" or "group". */
  readonly containment: string;
  readonly host: CommandHost;
  /** Absent when that is not known. */
  readonly hasNetwork?: boolean;
  /** What it reaches instead, where it has no network of its own. */
  readonly hosts?: HostAccess | undefined;
  readonly output: RunOutput;
  readonly end: ProcessEnd | undefined;
  /** Fulfilled when it is over, its children are gone and its output is read. Never rejected. */
  readonly ended: Promise<ProcessEnd>;
  readonly isTerminal: boolean;
  readonly canWrite: boolean;
  /** Its input is open, but more waits to be read than is kept; it can be ended all the same. */
  readonly isInputFull?: boolean;
  readonly lastOutputAtMs: number | undefined;
  /** Another run of the same command in the same folder that goes on in the background. */
  readonly duplicateOf?: string;
  /** What the caller should know of it, each a sentence. */
  readonly warnings: readonly string[];
  /** The terminal's cursor keys are in application mode. */
  readonly applicationCursor: boolean;
  write(bytes: Uint8Array): Promise<void>;
  endInput(): Promise<void>;
  /** TERM, two seconds, KILL; fulfilled when everything is gone. */
  kill(): Promise<ProcessEnd>;
  /** Calls `listener` at most every 100 ms while output comes; returns what takes it back. */
  onOutput(listener: () => void): () => void;
  /** Fulfilled at new output, at the end, or after `timeoutMs`. */
  waitForChange(options: {
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  }): Promise<void>;
  /** Shows it to `list` and `find` from now on, and gives a notice when it ends. */
  toBackground(): void;
  /** The caller has seen the end, so no notice is sent. */
  acknowledge(): void;
}

/** Whose commands are seen; an absent field leaves nothing out. */
export interface ProcessScope {
  readonly agentId: string | undefined;
  readonly sessionKey?: string | undefined;
}

export interface ProcessFacts {
  /** Where commands run unless a call asks otherwise. */
  readonly host: CommandHost;
  /** "bwrap", "namespace", "group"; "none" when nothing can run, and `warnings` says why. */
  readonly containment: string;
  readonly isSandboxed: boolean;
  readonly hasNetwork: boolean;
  /** The entries of `tools.exec.network.allow`, where commands reach only those. */
  readonly allowedHosts?: readonly string[];
  readonly security: CommandSecurity;
  readonly ask: CommandAsk;
  /** Each limit with its reach: "processes 256 (total)", "memory 1 GiB (per process)". */
  readonly limits: readonly string[];
  /** What does not hold here, each a sentence. */
  readonly warnings: readonly string[];
}

export interface Processes {
  /** How long a command is waited for before it goes to the background, unless a call says. */
  readonly yieldMs?: number | undefined;
  /** Fulfilled when the command runs. A ToolError when it may not, or cannot be started. */
  start(request: StartRequest): Promise<ProcessRun>;
  /** Only runs in the background, newest first. */
  list(scope: ProcessScope): readonly ProcessRun[];
  find(sessionId: string, scope: ProcessScope): ProcessRun | undefined;
  /** Forgets a finished run, and its log. */
  forget(sessionId: string, scope: ProcessScope): Promise<boolean>;
  facts(): Promise<ProcessFacts>;
  /** Fulfilled when runs that an earlier process left are known to `list` and `find`. */
  recover?(): Promise<void>;
  /** Ends every run; nothing is left. */
  close(): Promise<void>;
}

export type ContainmentKind = "bwrap" | "namespace" | "group";

export interface EncloseRequest {
  /** What runs inside: program and arguments. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
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

export interface Containments {
  /** Absent where none was asked for or none holds; `sandboxProblem` says why. */
  readonly sandbox?: Containment;
  readonly sandboxProblem?: string;
  /** For commands that see the machine as it is. */
  readonly host: Containment;
}
