// One session of an agent: in the gateway when one holds the state folder, else in this process.

import { defaultAgentId, stateDir } from "../../../config/index.js";
import { type Approver, isToolError, ToolError } from "../../../core/index.js";
import type { RunRow, RunState } from "../../../core/server.js";
import { createSystemClock, createSystemRandom } from "../../../drivers/clock.js";
import { createNet } from "../../../drivers/net/index.js";
import { createSqliteStore, readFolderOwner } from "../../../drivers/store/index.js";
import { readField, readText } from "../../../lib/read-field.js";
import { createSessionStore, parseSessionKey } from "../../../sessions/index.js";
import type { CommandCall } from "../../command.js";
import { readUsableConfig } from "../../usable-config.js";
import { createAsking, withAdaptedToolkit } from "../../with-toolkit.js";
import { withGateway } from "../gateway/with-gateway.js";
import { createGatewayConversation } from "./gateway-conversation.js";

const OLLAMA_URL = "http://127.0.0.1:11434/api/tags";
const OLLAMA_TIMEOUT_MS = 1_000;
const MAX_OLLAMA_BYTES = 1_000_000;

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
    throw isToolError(error) && error.reason === "no_model" ? await explainNoModel(error) : error;
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
  const store = createSqliteStore({ folder: stateDir(call.place), ...source });
  const { createAgent } = await import("../../../agent/index.js");
  try {
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
          try {
            return await work(createLocalConversation(agent, sessionKey));
          } finally {
            await agent.close();
          }
        },
      },
    );
  } finally {
    await store.close();
  }
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

async function explainNoModel(cause: ToolError): Promise<ToolError> {
  const ollama = await findOllamaModel();
  const local =
    ollama === undefined ? "" : ` Ollama is running here: try --model ollama/${ollama}.`;
  return new ToolError(
    "unavailable",
    `No model is configured. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or \`agents.defaults.model\`.${local} --model debug/echo works offline.`,
    { reason: "no_model", cause },
  );
}

async function findOllamaModel(): Promise<string | undefined> {
  const net = createNet();
  try {
    const { body } = await net.fetch({
      url: OLLAMA_URL,
      limits: { maxBytes: MAX_OLLAMA_BYTES, timeoutMs: OLLAMA_TIMEOUT_MS },
      signal: new AbortController().signal,
      alsoAllowedHostnames: ["127.0.0.1"],
    });
    const models = readField(JSON.parse(Buffer.from(body).toString()), "models");
    return Array.isArray(models) ? readText(models[0], "name") : undefined;
  } catch {
    // It is not running.
    return undefined;
  } finally {
    await net.close();
  }
}
