// Replies that no call waits for and that belong in a chat: results of sub-agents, announcements and
// heartbeats. Posting them is left to the channels.

import { type ClawtoolsConfig, findAgent } from "../config/index.js";
import type { StoreOperation } from "../core/index.js";
import type { DeliveryRoute } from "../sessions/index.js";

const SILENT: ReadonlySet<string> = new Set([
  ...["", "HEARTBEAT_OK", "NO_REPLY", "ANNOUNCE_SKIP", "REPLY_SKIP"],
]);

export interface ChatPost {
  /** The same for a repeat of the same post. */
  readonly id: string;
  readonly sessionKey: string;
  readonly route: DeliveryRoute;
  readonly text: string;
}

/**
 * The rows that hand a post to its channel; they are written together with the end of the run.
 * undefined: this channel is not connected.
 */
export type PreparePost = (post: ChatPost) => readonly StoreOperation[] | undefined;

export interface PreparedPost {
  /** What happens to the text, for people. */
  readonly status: string;
  readonly operations: readonly StoreOperation[];
}

export function preparePost(prepare: PreparePost | undefined, post: ChatPost): PreparedPost {
  const { channel } = post.route;
  if (channel === undefined)
    return { status: "not posted: the session has no chat", operations: [] };
  const operations = prepare?.(post);
  if (operations !== undefined) return { status: `handed to ${channel}`, operations };
  return { status: `not posted: the channel "${channel}" is not connected`, operations: [] };
}

/** The agent says that there is nothing to post. */
export function isSilent(reply: string): boolean {
  return SILENT.has(reply.trim());
}

export function readHeartbeat(config: ClawtoolsConfig, agentId: string) {
  return { ...config.agents?.defaults?.heartbeat, ...findAgent(config, agentId)?.heartbeat };
}
