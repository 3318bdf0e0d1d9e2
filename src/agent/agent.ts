// An agent as programs see it: messages in, runs and events out.

import type { StoreOperation } from "../core/index.js";
import type { RunRow, Sessions } from "../core/server.js";
import type { DeliveryRoute, InboxItem, SessionStore, UserContent } from "../sessions/index.js";
import type { ChatPost, PreparedPost } from "./chat-posts.js";
import type { AgentListener } from "./events.js";

export interface AgentMessage {
  readonly message: string | UserContent;
  /** `main` or a whole key; default: the agent's main session. */
  readonly sessionKey?: string | undefined;
  /** Names the run; a repeat joins it, and another message with the same id is refused. */
  readonly runId?: string | undefined;
  readonly timeoutMs?: number | undefined;
  /** Of the session from now on; null means the usual one, undefined changes nothing. */
  readonly model?: string | null | undefined;
  readonly thinking?: string | null | undefined;
  /** Where it came from. */
  readonly route?: DeliveryRoute | undefined;
  readonly kind?: InboxItem["kind"] | undefined;
  /** Stops the run that works on this message. */
  readonly signal?: AbortSignal | undefined;
}

export interface StartedRun {
  readonly runId: string;
  readonly sessionKey: string;
  /** Never rejects because of the run: its end is in `state` and `error`. */
  readonly ended: Promise<RunRow>;
}

export interface PreparedRun {
  readonly runId: string;
  readonly sessionKey: string;
  /** Queues the message; for a caller that commits it together with something of its own. */
  readonly operations: readonly StoreOperation[];
}

export interface Agent {
  readonly agentId: string;
  /** What `start` would write. Call `wake` when it is committed. The run id must be new. */
  prepare(message: AgentMessage): Promise<PreparedRun>;
  /** An event for the session's next message, to commit with something else. */
  prepareNotice(sessionKey: string, text: string): readonly StoreOperation[];
  /** Hands a text to a chat, to commit with something else. */
  preparePost(post: ChatPost): PreparedPost;
  /** Looks for new messages of this session. */
  wake(sessionKey: string): void;
  /** Durable once it resolves. Joins the run that is under way, or waits, by the queue mode. */
  start(message: AgentMessage): Promise<StartedRun>;
  /** Starts and waits for the end. */
  send(message: string | AgentMessage): Promise<RunRow>;
  /** Undefined when no such run is known. */
  run(runId: string): Promise<RunRow | undefined>;
  /** Until it has ended or the time is over; its row as it is then. */
  wait(
    runId: string,
    options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<RunRow>;
  /** Adds an event to the session's next message. */
  notify(sessionKey: string, text: string): Promise<void>;
  /** Ends one run, also one that waits; false when it has ended or is not known. */
  cancel(runId: string, reason?: string): Promise<boolean>;
  /** Whether a run was stopped. */
  abort(sessionKey: string, reason?: string): boolean;
  /** Undefined when nothing runs there. */
  running(sessionKey: string): string | undefined;
  /** False when there was nothing to leave out. */
  compact(sessionKey: string): Promise<boolean>;
  /** Stops what runs and begins an empty transcript. */
  reset(sessionKey: string): Promise<void>;
  delete(sessionKey: string): Promise<boolean>;
  readonly sessionStore: SessionStore;
  /** What the session tools see. */
  readonly sessions: Sessions;
  on(listener: AgentListener): () => void;
  /** Runs stop where they are; the next process that opens the store takes them up. */
  close(): Promise<void>;
}
