// Connectors for providers over the network. Each picks the wire format by the model's `api` and loads
// it at the first request.

import type { Api, Connector, ModelDescriptor } from "../core/connector.js";
import type { Net } from "../core/index.js";
import { createDebugConnector } from "./debug/debug-models.js";
import { KNOWN_PROVIDERS } from "./models.js";
import type { IdleLimits, WireFormat } from "./stream/stream-answer.js";

const FORMATS: Readonly<Record<string, () => Promise<WireFormat>>> = {
  "openai-completions": async () => (await import("./openai-chat/format.js")).openaiChat,
  "openai-responses": async () => (await import("./openai-responses/format.js")).openaiResponses,
  "anthropic-messages": async () => (await import("./anthropic/format.js")).anthropic,
  "google-generative-ai": async () => (await import("./gemini/format.js")).gemini,
};

export const WIRE_APIS: readonly string[] = Object.keys(FORMATS);

export interface ProviderDescription {
  readonly id: string;
  readonly label: string;
  readonly api: Api;
  readonly envVars: readonly string[];
  readonly models: readonly ModelDescriptor[];
}

export interface ProviderPorts {
  readonly net: Net;
  /** Default: 60 s to the first byte, 120 s between two. */
  readonly idle?: IdleLimits | undefined;
}

export function isWireApi(api: Api): boolean {
  return Object.hasOwn(FORMATS, api);
}

export function createProviderConnector(
  { id, label, api, envVars, models }: ProviderDescription,
  { net, idle }: ProviderPorts,
): Connector {
  return {
    id: `builtin/${id}`,
    label,
    provider: id,
    api,
    models: [...models],
    envVars: [...envVars],
    async *stream(model, context, options) {
      const load = Object.hasOwn(FORMATS, model.api) ? FORMATS[model.api] : undefined;
      if (load === undefined) {
        yield { type: "start" };
        const error = `The API "${model.api}" of ${model.provider}/${model.id} is not supported. Use ${WIRE_APIS.join(", ")}.`;
        yield { type: "error", error, reason: "request_refused" };
        return;
      }
      const [format, { streamAnswer }] = await Promise.all([
        load(),
        import("./stream/stream-answer.js"),
      ]);
      yield* streamAnswer({ format, net, idle, model, context, options });
    },
  };
}

/** One connector for each known provider, and the debug models. */
export function createBuiltinConnectors({ net }: { readonly net: Net }): Connector[] {
  const providers = KNOWN_PROVIDERS.map((known) => createProviderConnector(known, { net }));
  return [...providers, createDebugConnector("debug"), createDebugConnector("clawfice-debug")];
}
