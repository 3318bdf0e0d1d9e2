// One session of an agent: in the gateway when one holds the state folder, else in this process.

import { defaultAgentId, stateDir } from "../../../config/index.js";
import { type Approver, isToolError, ToolError } from "../../../core/index.js";
import type { RunRow, RunState } from "../../../core/server.js";
import { createSystemClock, createSystemRandom } from "../../../drivers/clock.js";
import { createSqliteStore, readFolderOwner } from "../../../drivers/store/index.js";
import { createSessionStore, parseSessionKey } from "../../../sessions/index.js";
import type { CommandCall } from "../../command.js";
import { readUsableConfig } from "../../usable-config.js";
import { useAndClose } from "../../use-and-close.js";
import { createAsking, withAdaptedToolkit } from "../../with-toolkit.js";
import { withGateway } from "../gateway/with-gateway.js";
import { createGatewayConversation } from "./gateway-conversation.js";

const NO_MODEL =
  "No model is configured. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or `agents.defaults.model`. --model ollama/NAME uses Ollama on this machine; --model debug/echo works offline.";

export type Step =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "call"; readonly name: string; readonly arguments: unknown }
  | { readonly type: "failed"; readonly name: string }
  | { readonly type: "retry"; readonly message: string };

export interface SendOptions {
  /** Stops the run; `send` still resolves. */
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
  onStep(step: Step): void;
}

export interface RunReport {
  readonly runId: string;
  readonly sessionKey: string;
  readonly status: RunState;
  readonly text: string;
  readonly error?: string | undefined;
  readonly usage: Readonly<Record<"inputTokens" | "outputTokens" | "usd", number>>;
}

export interface SessionFacts extends Pick<RunRow, "inputTokens" | "outputTokens" | "usd"> {
  readonly model?: string | undefined;
  readonly contextTokens: number;
  readonly contextWindow?: number | undefined;
}

export interface Conversation {
  readonly sessionKey: string;
  send(message: string, options: SendOptions): Promise<RunReport>;
  /** undefined before the first message. */
  describe(): Promise<SessionFacts | undefined>;
  setModel(model: string): Promise<void>;
  /** Starts an empty transcript. */
  reset(): Promise<void>;
  /** False when there was nothing to summarize. */
  compact(): Promise<boolean>;
}

interface ConversationUse<T> {
  /** Default: asks at the terminal when there is one. */
  readonly approve?: Approver | undefined;
  work(conversation: Conversation): Promise<T>;
}

export async function withConversation<T>(call: CommandCall, use: ConversationUse<T>): Promise<T> {
  const { agent, session = "main", model } = call.texts;
  const { config } = await readUsableConfig(call);
  const agentId = agent ?? defaultAgentId(config);
  const sessionKey = parseSessionKey(session, { agentId: agentId.toLowerCase() }).key;
  const work = async (conversation: Conversation) => {
    if (model !== undefined) await conversation.setModel(model);
    return await use.work(conversation);
  };
  try {
    if (readFolderOwner(stateDir(call.place)) !== undefined)
      return await runRemotely(call, { ...use, sessionKey, work });
    return await runLocally(call, { ...use, sessionKey, agentId, work });
  } catch (error) {
    if (!isToolError(error) || error.reason !== "no_model") throw error;
    throw new ToolError("unavailable", NO_MODEL, { reason: "no_model", cause: error });
  }
}

async function runRemotely<T>(
  call: CommandCall,
  { sessionKey, approve, work }: ConversationUse<T> & { readonly sessionKey: string },
): Promise<T> {
  const asking = approve === undefined && call.isInteractive ? createAsking(call) : undefined;
  // There --timeout is the limit of one request, here that of the run.
  const plain = { ...call, texts: { ...call.texts, timeout: undefined } };
  try {
    return await withGateway(plain, (ask) =>
      work(createGatewayConversation({ ask, sessionKey, approve: approve ?? asking?.approve })),
    );
  } finally {
    await asking?.close();
  }
}

async function runLocally<T>(
  call: CommandCall,
  use: ConversationUse<T> & { readonly sessionKey: string; readonly agentId: string },
): Promise<T> {
  const { sessionKey, agentId, approve, work } = use;
  const { model, ...texts } = call.texts;
  const source = { clock: createSystemClock(), random: createSystemRandom() };
  const { createAgent } = await import("../../../agent/index.js");
  const opened = createSqliteStore({ folder: stateDir(call.place), ...source });
  return await useAndClose(opened, async (store) => {
    const found = await createSessionStore({ store, ...source }).entries.get(sessionKey);
    return await withAdaptedToolkit(
      { ...call, texts },
      {
        adapt: (options) => (approve === undefined ? options : { ...options, approve }),
        async work({ toolkit, config }) {
          const agent = createAgent({
            ...{ toolkit, store, agentId, config: config.config, workspace: call.root },
            ...{ model: model ?? found?.entry.modelOverride, recover: false },
          });
          return await useAndClose(agent, (one) => work(createLocalConversation(one, sessionKey)));
        },
      },
    );
  });
}

type LocalAgent = ReturnType<typeof import("../../../agent/index.js")["createAgent"]>;

function createLocalConversation(agent: LocalAgent, sessionKey: string): Conversation {
  const { entries } = agent.sessionStore;
  return {
    sessionKey,
    async send(message, { signal, timeoutMs, onStep }) {
      const stop = agent.on((event) => {
        if (event.sessionKey !== sessionKey) return;
        if (event.type === "text" || event.type === "call" || event.type === "retry") onStep(event);
        if (event.type === "result" && event.isError) onStep({ type: "failed", name: event.name });
      });
      try {
        const row = await agent.send({ message, sessionKey, timeoutMs, signal });
        const { runId, state, reply = "", error, inputTokens, outputTokens, usd } = row;
        const usage = { inputTokens, outputTokens, usd };
        return { runId, sessionKey, status: state, text: reply, error, usage };
      } finally {
        stop();
      }
    },
    async describe() {
      const found = await entries.get(sessionKey);
      return found && { ...found.entry, model: found.entry.modelOverride ?? found.entry.model };
    },
    async setModel(model) {
      await entries.open(sessionKey);
      await agent.sessions.as({ sessionKey }).patch({ session: sessionKey }, { model });
    },
    reset: () => agent.reset(sessionKey),
    compact: () => agent.compact(sessionKey),
  };
}
