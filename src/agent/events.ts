// What an agent reports while it works. Every event names its run and session; `seq` counts per run.

import type { UsageInfo } from "../core/connector.js";
import type { ContentBlock } from "../core/index.js";
import type { RunState } from "../core/server.js";

export type AgentEventBody =
  | { readonly type: "start" }
  /** Asking this model; once per turn. */
  | { readonly type: "model"; readonly model: string; readonly turn: number }
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "thinking"; readonly delta: string }
  | {
      readonly type: "call";
      readonly toolCallId: string;
      readonly name: string;
      readonly arguments: unknown;
    }
  | {
      readonly type: "result";
      readonly toolCallId: string;
      readonly name: string;
      readonly content: readonly ContentBlock[];
      readonly isError: boolean;
    }
  | { readonly type: "usage"; readonly usage: UsageInfo; readonly usd: number }
  | {
      readonly type: "retry";
      readonly reason: string;
      readonly message: string;
      readonly delayMs: number;
    }
  | { readonly type: "compaction"; readonly by: "model" | "digest" }
  /** A message is in the transcript. */
  | {
      readonly type: "message";
      readonly role: "user" | "assistant";
      readonly text: string;
      readonly messageId: string;
    }
  | {
      readonly type: "end";
      readonly state: RunState;
      readonly text: string;
      readonly error?: string | undefined;
      /** Whether the text was handed to a chat, when it belongs in one. */
      readonly delivery?: string | undefined;
    };

export type AgentEvent = AgentEventBody & {
  readonly runId: string;
  readonly sessionKey: string;
  readonly seq: number;
  readonly atMs: number;
};

export type AgentListener = (event: AgentEvent) => void;

export type AgentEvents = ReturnType<typeof createAgentEvents>;

export function createAgentEvents(now: () => number) {
  const listeners = new Set<AgentListener>();
  const counts = new Map<string, number>();
  return {
    on(listener: AgentListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit(run: Pick<AgentEvent, "runId" | "sessionKey">, body: AgentEventBody): void {
      const { runId } = run;
      const seq = (counts.get(runId) ?? 0) + 1;
      if (body.type === "end") counts.delete(runId);
      else counts.set(runId, seq);
      const event = { ...body, ...run, seq, atMs: now() };
      for (const listener of listeners) listener(event);
    },
  };
}
