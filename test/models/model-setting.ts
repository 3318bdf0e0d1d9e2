// A mock model server, the real network driver, and our connectors between them.

import { createProviderConnector } from "../../src/connectors/provider-connector.js";
import type {
  Connector,
  ModelDescriptor,
  StreamContext,
  StreamEvent,
  StreamOptions,
} from "../../src/core/connector.js";
import { createNet } from "../../src/drivers/net/index.js";
import type { WireName } from "../fakes/model-server/answers.js";
import { type ModelServer, startModelServer } from "../fakes/model-server/index.js";

const WIRES = {
  chat: "openai-completions",
  responses: "openai-responses",
  anthropic: "anthropic-messages",
  gemini: "google-generative-ai",
} as const satisfies Record<WireName, string>;

export const WIRE_NAMES = ["chat", "responses", "anthropic", "gemini"] as const;

export const API_KEY = "sk-test-0123456789abcdef";

const QUESTION: StreamContext = {
  systemPrompt: "Be brief.",
  messages: [{ role: "user", content: "Read a.txt" }],
  tools: [
    {
      name: "read",
      description: "Reads a file.",
      input_schema: {
        type: "object",
        properties: { path: { type: "string" } },
        required: ["path"],
      },
    },
    { name: "list", description: "Lists files.", input_schema: { type: "object", properties: {} } },
  ],
};

export interface Asking {
  readonly wire: WireName;
  readonly scenario: string;
  readonly context?: StreamContext;
  readonly options?: StreamOptions;
  readonly model?: Partial<ModelDescriptor>;
}

export interface ModelSetting {
  readonly server: ModelServer;
  connector(wire: WireName): Connector;
  model(asking: Asking): ModelDescriptor;
  ask(asking: Asking): Promise<StreamEvent[]>;
  close(): Promise<void>;
}

/** `idleMs` is how long a silent stream is waited for. */
export async function createModelSetting({ idleMs = 30_000 } = {}): Promise<ModelSetting> {
  const server = await startModelServer();
  const net = createNet({ policy: undefined, proxy: { url: undefined, noProxy: undefined } });
  const idle = { firstMs: idleMs, betweenMs: idleMs };
  const connector = (wire: WireName) =>
    createProviderConnector(
      { id: `mock-${wire}`, label: "Mock", api: WIRES[wire], envVars: [], models: [] },
      { net, idle },
    );
  const model = ({ wire, scenario, model: fields }: Asking): ModelDescriptor => ({
    id: scenario,
    provider: `mock-${wire}`,
    api: WIRES[wire],
    baseUrl: server.baseUrl(wire),
    reasoning: true,
    ...fields,
  });
  return {
    ...{ server, connector, model },
    async ask(asking) {
      const { context = QUESTION, options } = asking;
      const stream = connector(asking.wire).stream(model(asking), context, {
        apiKey: API_KEY,
        ...options,
      });
      const events: StreamEvent[] = [];
      for await (const event of stream) events.push(event);
      return events;
    },
    async close() {
      await net.close();
      await server.close();
    },
  };
}

/** Without the deltas, which are joined in what ends them. */
export function listEnds(events: readonly StreamEvent[]): StreamEvent[] {
  return events.filter(({ type }) => !/_(?:delta|start)$|^start$/.test(type));
}
