// The documented file port: four required methods, and further ones that a bridge may offer.

export interface FsStat {
  type: "file" | "directory" | "other";
  /** Bytes. */
  size: number;
  mtimeMs: number;
}

/** Relative paths are relative to `cwd`, and to the bridge's root when `cwd` is absent. */
export interface FsPath {
  filePath: string;
  cwd?: string;
  signal?: AbortSignal;
}

export interface FsEntry {
  readonly name: string;
  readonly type: FsStat["type"];
  /** A symbolic link; `type` is that of its target. */
  readonly isLink?: true;
}

/** One opened file: what is read from it is one file, whatever its path comes to mean. */
export interface FsFile {
  readonly stat: FsStat;
  /** Fills `into` from `position` on; fewer bytes than fit, or 0, only at the end of the file. */
  read(into: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

export interface FsBridge {
  /** `null` when nothing is there. */
  stat(path: FsPath): Promise<FsStat | null>;
  /** Bridges without types may give other bytes, or text: anyone who reads through one uses `toBytes`. */
  readFile(path: FsPath): Promise<Buffer>;
  /** Makes the folder and all its parents. */
  mkdirp(path: FsPath): Promise<void>;
  /** Makes missing parents. */
  writeFile(path: FsPath & { data: string | Buffer }): Promise<void>;

  /** Opens a regular file for reading in parts; anyone who opened it closes it. */
  openFile?(path: FsPath): Promise<FsFile>;
  /** At most `limit` entries of a folder, in no order. */
  list?(path: FsPath & { limit: number }): Promise<FsEntry[]>;
  /** Removes a file or a link, never a folder. */
  remove?(path: FsPath): Promise<void>;
  /** Removes a folder that is empty; throws when it is not, or is none. */
  removeFolder?(path: FsPath): Promise<void>;
  /** Gives a file another name, makes missing parents, replaces a file that is there. */
  rename?(path: FsPath & { to: string }): Promise<void>;
  /**
   * Runs `work` while no other call of this process reads or changes these paths, whatever their
   * spelling. `work` gets a bridge for its own use of them.
   */
  exclusive?<T>(paths: readonly FsPath[], work: (bridge: FsBridge) => Promise<T>): Promise<T>;
}

export interface HistoryCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly sessionKey?: string | undefined;
  readonly agentId?: string | undefined;
}

export interface CallToRecord extends HistoryCall {
  /** Asked before a change, and no change is made before it is fulfilled; none when it rejects. */
  readonly begin?: (() => Promise<unknown>) | undefined;
}

export interface HistoryProblem {
  /** Absent when it concerns the whole call. */
  readonly path?: string | undefined;
  /** In snake case, such as `file_too_large`. */
  readonly reason: string;
  readonly message: string;
}

export interface CallRecording {
  /** For this call alone: what is changed through it is remembered first. */
  readonly bridge: FsBridge;
  /** What was changed and cannot be taken back, so far. */
  problems(): readonly HistoryProblem[];
  hasChanges(): boolean;
  /** The call is over. Never throws. */
  end(): Promise<void>;
}

export interface RecordedCall extends HistoryCall {
  readonly atMs: number;
  /** The call that this one took back. */
  readonly undoes?: string | undefined;
  /** The call that took this one back. */
  readonly undoneBy?: string | undefined;
}

export interface ChangedFile {
  readonly path: string;
  readonly change: "created" | "modified" | "removed";
  /** The path that it had before the call, and from which it was removed. */
  readonly movedFrom?: string | undefined;
}

export interface ChangedCall extends RecordedCall {
  /** At most three. */
  readonly files: readonly ChangedFile[];
  readonly fileCount: number;
}

export interface UndoRequest {
  readonly toolCallId: string;
  /** Through which the files are put back: contained as for any call. */
  readonly bridge: FsBridge;
  /** Puts back also what was changed since; that can be undone in turn. Default false. */
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly sessionKey?: string | undefined;
  readonly agentId?: string | undefined;
}

export type UndoAction = "restored" | "removed" | "recreated" | "moved_back" | "unchanged";

export interface UndoneFile {
  readonly path: string;
  readonly action: UndoAction;
  /** It had been changed since, and that was overwritten by force. */
  readonly forced?: boolean;
}

export interface UndoResult {
  /** The call that was taken back. */
  readonly toolCallId: string;
  /** Undo of this id brings the changes back. */
  readonly undoId: string;
  readonly files: readonly UndoneFile[];
  /** What of the undo itself cannot be taken back. */
  readonly problems: readonly HistoryProblem[];
}

export interface DiffRequest {
  readonly toolCallId: string;
  readonly bridge: FsBridge;
  /** Characters of all diffs together; default 50,000. */
  readonly maxChars?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface FileDiff {
  readonly path: string;
  readonly change: ChangedFile["change"];
  readonly against: "call" | "now";
  /** Why the diff is missing. */
  readonly omitted?: "binary" | "too_long" | "too_different" | "not_kept" | undefined;
  /** Hunks of a unified diff. */
  readonly diff?: string | undefined;
}

export interface CallDiff extends RecordedCall {
  readonly files: readonly FileDiff[];
  /** One unified diff of all files. */
  readonly text: string;
}

export interface History {
  /** Nothing is made on the disk before the first change. */
  record(call: CallToRecord, bridge: FsBridge): CallRecording;
  /** Takes a call back, wholly or not at all. */
  undo(request: UndoRequest): Promise<UndoResult>;
  diff(request: DiffRequest): Promise<CallDiff>;
  /** Of several calls with one id the latest; undefined when none that changed files is known. */
  find(toolCallId: string): Promise<RecordedCall | undefined>;
  /** Newest first; default 20, at most 1,000. */
  list(limit?: number): Promise<readonly ChangedCall[]>;
}
