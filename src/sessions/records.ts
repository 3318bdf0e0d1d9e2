// What a transcript and an inbox consist of. Every record is appended once and never changed.

import type { Api, AssistantMessage, UsageInfo } from "../core/connector.js";
import type { ContentBlock } from "../core/index.js";
import type { RunState } from "../core/server.js";

export type UserContent = ContentBlock[];

export type AssistantContent = Exclude<AssistantMessage["content"], string | null>;

/** One thing that waits for a session. `runId`: whose end it decides. */
export interface InboxItem {
  /** `exchange`: a step of the exchange after `sessions_send`; it gets a run of its own. */
  readonly kind: "message" | "session_message" | "completion" | "exchange" | "system" | "heartbeat";
  readonly content: UserContent;
  readonly runId?: string | undefined;
  /** Who wrote: a session key, a channel, a person. */
  readonly from?: string | undefined;
  /** Messages that sessions sent to each other before this one. */
  readonly hops?: number | undefined;
  readonly atMs: number;
}

export type UserRecord = {
  readonly type: "user";
  /** The run that this record belongs to. */
  readonly run: string;
  readonly content: UserContent;
  readonly from?: string | undefined;
  /** The date when it differs from that of the message before. */
  readonly date?: string | undefined;
  /** Runs whose end is the end of this one. */
  readonly about: readonly string[];
  /** The inbox is read up to here. */
  readonly through: number;
  /** Only heartbeats and system events, so that compaction may drop the run when it said nothing. */
  readonly kind: InboxItem["kind"];
  readonly hops?: number | undefined;
  readonly steered?: true | undefined;
};

export type AssistantRecord = {
  readonly type: "assistant";
  readonly run: string;
  readonly turn: number;
  readonly content: AssistantContent;
  readonly stop: "stop" | "toolUse" | "length" | "aborted" | "notice";
  readonly usage?: UsageInfo | undefined;
  readonly usd?: number | undefined;
  readonly origin: { readonly provider: string; readonly api: Api; readonly model: string };
};

export type ResultRecord = {
  readonly type: "result";
  readonly call: string;
  readonly name: string;
  readonly content: UserContent;
  readonly isError: boolean;
  /** Why the outcome is missing: it is unknown, or the call was not made. */
  readonly missing?: "unknown" | "not_run" | "skipped" | undefined;
};

export type EndRecord = {
  readonly type: "end";
  readonly run: string;
  readonly state: Exclude<RunState, "queued" | "running">;
  readonly reason?: string | undefined;
};

export type CompactionRecord = {
  readonly type: "compaction";
  readonly summary: string;
  readonly keep: number;
  /** What the records before `keep` had left behind. */
  readonly through: number;
  readonly openRun?: OpenRun | undefined;
};

/** A run that has begun and not ended. */
export type OpenRun = {
  readonly run: string;
  readonly startedAtMs: number;
  readonly firstSequence: number;
  readonly about: readonly string[];
  readonly kind: InboxItem["kind"];
  readonly from?: string | undefined;
  readonly hops: number;
  /** Answers so far. */
  readonly turns: number;
  /** Times a process took it up since the last answer. */
  readonly resumes: number;
  /** What is said when the run ends here. */
  readonly text: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
};

export type TranscriptRecord =
  | UserRecord
  | AssistantRecord
  /** Written before the calls run. */
  | { readonly type: "begin"; readonly calls: readonly string[] }
  | ResultRecord
  /** Records before sequence number `keep` are not sent to the model any more. */
  | CompactionRecord
  /** Items that were taken back before a run took them. */
  | { readonly type: "drop"; readonly through: number }
  /** A process took up a run that another one left. */
  | { readonly type: "resume"; readonly run: string }
  | EndRecord;

export interface StoredRecord {
  readonly sequence: number;
  readonly atMs: number;
  readonly record: TranscriptRecord;
}
