// The port that remembers what calls changed in files, and takes it back. Where the old content is
// and how long it is kept is left to drivers.

import type { FsBridge } from "./fs-bridge.js";

/** Who changes files. */
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

/** Why a change cannot be taken back. */
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
  /** Whether something was changed, so far. */
  hasChanges(): boolean;
  /** The call is over. Never throws. */
  end(): Promise<void>;
}

/** A call that changed files, as it is recorded. */
export interface RecordedCall extends HistoryCall {
  readonly atMs: number;
  /** The call that this one took back. */
  readonly undoes?: string | undefined;
  /** The call that took this one back. */
  readonly undoneBy?: string | undefined;
}

/** What a call did to a file. */
export interface ChangedFile {
  readonly path: string;
  readonly change: "created" | "modified" | "removed";
  /** The path that it had before the call, and from which it was removed. */
  readonly movedFrom?: string | undefined;
}

/** A call that changed files, with the first of them. */
export interface ChangedCall extends RecordedCall {
  /** At most three. */
  readonly files: readonly ChangedFile[];
  /** How many there are in all. */
  readonly fileCount: number;
}

export interface UndoRequest {
  readonly toolCallId: string;
  /** Through which the files are put back: contained as for any call. */
  readonly bridge: FsBridge;
  /** Puts back also what was changed since; that can be undone in turn. Default false. */
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Who takes it back. */
  readonly sessionKey?: string | undefined;
  readonly agentId?: string | undefined;
}

/** `restored`. */
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
  /** What the old content is compared with. */
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
