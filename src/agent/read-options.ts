// What `createAgent` takes, read once: models, workspace and messages.

import { hash } from "node:crypto";
import type { ClawtoolsConfig } from "../config/index.js";
import {
  createModels,
  type ModelRequest,
  noModelError,
  resolveModels,
} from "../connectors/index.js";
import {
  type Clock,
  type RandomSource,
  type Store,
  ToolError,
  ToolInputError,
  type Toolkit,
} from "../core/index.js";
import type { Models } from "../core/server.js";
import { createEnvironment } from "../drivers/environment.js";
import { createNet } from "../drivers/net/index.js";
import type { UserContent } from "../sessions/index.js";
import type { AgentMessage } from "./agent.js";
import type { AgentParts, ModelSource } from "./agent-parts.js";
import type { PreparePost } from "./chat-posts.js";
import { MAX_MESSAGE_BYTES, type QueueMode, sizeOfContent } from "./queue/take.js";
import type { ModelChoice } from "./run/ask.js";
import type { RunLimits } from "./run/run.js";

const MAX_MESSAGE_CHARS = 1_000_000;
const MEGABYTE = 1024 * 1024;

export interface AgentOptions {
  readonly toolkit: Toolkit;
  /** A folder, in which `state.db` is made, or an open store, which stays the caller's to close. */
  readonly store: string | Store;
  /** `provider/model`, or models that can be asked, best first. Default: as the config says. */
  readonly model?: string | ModelChoice | readonly ModelChoice[] | ModelSource | undefined;
  /** The shape of `clawtools.json`; give the same one as to the toolkit. */
  readonly config?: ClawtoolsConfig | undefined;
  /** Default `main`. */
  readonly agentId?: string | undefined;
  /** Folder with `AGENTS.md` and the like; without it no files are put into the prompt. */
  readonly workspace?: string | undefined;
  readonly limits?: Partial<RunLimits> | undefined;
  /** What happens to messages that arrive during a run; default `steer`. */
  readonly queueMode?: QueueMode | undefined;
  /** Other agents of the same store, by id; for sub-agents and messages between agents. */
  readonly agents?: ((agentId: string) => AgentParts | undefined) | undefined;
  /** Takes up what an earlier process left. Default true; false when another process may be at work. */
  readonly recover?: boolean | undefined;
  /** Hands replies to the chat of their session; without it they stay in the session. */
  readonly post?: PreparePost | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: RandomSource | undefined;
  /** For tests: runs begun calls again after a crash. */
  readonly rerunBegun?: boolean | undefined;
}

interface OwnModels {
  readonly source: ModelSource;
  /** For tools that ask a model; absent when the caller brought its own models. */
  readonly port?: Models | undefined;
  close(): Promise<void>;
}

export function readModels(options: AgentOptions, agentId: string): OwnModels {
  const { model, config = {} } = options;
  if (model !== undefined && typeof model !== "string") {
    if ("list" in model) return { source: model, close: async () => undefined };
    const choices = "connector" in model ? [model] : model;
    const find = (name: string) =>
      choices.find(({ model: { provider, id } }) => name === `${provider}/${id}` || name === id);
    return { source: { list: () => choices, find }, close: async () => undefined };
  }
  const { ssrfPolicy, proxy, noProxy } = config.tools?.net ?? {};
  const net = createNet({ policy: ssrfPolicy, proxy: { url: proxy, noProxy } });
  const sources = { config, net, environment: createEnvironment(), agentId };
  const source = createModelSource(() => ({ ...sources, model }));
  // A model that cannot be used is said now, not at the first message.
  source.list();
  const port = createModels({ ...sources, sessionModel: model });
  return { source, port, close: () => net.close() };
}

/** The models that a config names, asked for at each use. */
export function createModelSource(request: () => ModelRequest): ModelSource {
  return {
    list() {
      const found = resolveModels(request());
      if (found.usable.length === 0) throw noModelError(found);
      return found.usable;
    },
    find: (model) => resolveModels({ ...request(), model }).usable[0],
  };
}

export function readContent(message: string | UserContent): UserContent {
  const content =
    typeof message === "string" ? [{ type: "text" as const, text: message }] : message;
  const chars = content.reduce(
    (sum, part) => sum + (part.type === "text" ? part.text.length : 0),
    0,
  );
  if (content.length === 0 || (chars === 0 && content.every(({ type }) => type === "text"))) {
    throw new ToolInputError("The message is empty. Write what the agent should do.", {
      reason: "message_empty",
    });
  }
  if (chars > MAX_MESSAGE_CHARS) {
    throw new ToolError(
      "limit",
      `The message has ${chars} characters; the limit is ${MAX_MESSAGE_CHARS}.`,
      { reason: "message_too_long" },
    );
  }
  const bytes = sizeOfContent(content);
  if (bytes > MAX_MESSAGE_BYTES) {
    throw new ToolError(
      "limit",
      `The message has ${Math.ceil(bytes / MEGABYTE)} MB with its images; the limit is ${MAX_MESSAGE_BYTES / MEGABYTE} MB.`,
      { reason: "message_too_long" },
    );
  }
  return content;
}

/** What must be the same when a run id is used again. */
export function hashRequest(sessionKey: string, given: AgentMessage): string {
  const { message, kind, timeoutMs, model, thinking, route } = given;
  const parts = [sessionKey, message, kind, timeoutMs, model, thinking, route];
  return hash("sha256", JSON.stringify(parts));
}

/** A used id with another message must not lose that message. */
export function assertSameRequest(known: string | undefined, requestHash: string): void {
  if (known === requestHash) return;
  throw new ToolError("conflict", "idempotencyKey was already used for a different request", {
    reason: "idempotency_mismatch",
  });
}
