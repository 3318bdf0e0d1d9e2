// A connector for tests: it answers with what the test wrote down, and keeps what it was asked.

import type {
  Connector,
  ModelDescriptor,
  ModelFault,
  StreamContext,
  StreamEvent,
  StreamOptions,
  UsageInfo,
} from "../../core/connector.js";

export interface ScriptedTurn {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly {
    readonly id?: string;
    readonly name: string;
    readonly arguments?: Record<string, unknown>;
    readonly argumentsText?: string;
  }[];
  /** Default: `toolUse` with calls, else `stop`. */
  readonly stopReason?: "stop" | "toolUse" | "length";
  readonly usage?: UsageInfo;
  /** Ends the turn with this error, after the text. */
  readonly error?: {
    readonly reason: ModelFault;
    readonly message?: string;
    retryAfterMs?: number;
  };
  /** Waited for before the turn ends; an abort ends the wait. */
  readonly until?: Promise<unknown>;
}

export interface ScriptedRequest {
  readonly model: ModelDescriptor;
  /** A copy as it was sent. */
  readonly context: StreamContext;
  readonly options: StreamOptions;
}

export interface ScriptedConnector extends Connector {
  readonly requests: readonly ScriptedRequest[];
}

export type Script =
  | readonly ScriptedTurn[]
  | ((request: ScriptedRequest, index: number) => ScriptedTurn | Promise<ScriptedTurn>);

/** Past the end of a list it answers "(end of script)". */
export function createScriptedConnector(
  script: Script,
  model: Partial<ModelDescriptor> = {},
): ScriptedConnector {
  const requests: ScriptedRequest[] = [];
  const provider = model.provider ?? "scripted";
  const descriptor = { id: "test", api: "scripted", ...model, provider };
  const next = async (request: ScriptedRequest, index: number): Promise<ScriptedTurn> =>
    typeof script === "function"
      ? await script(request, index)
      : (script[index] ?? { text: "(end of script)" });
  return {
    id: provider,
    label: "Scripted",
    provider,
    api: descriptor.api,
    models: [descriptor],
    requests,
    async *stream(asked, context, options) {
      const request = { model: asked, context: structuredClone(context), options };
      const index = requests.push(request) - 1;
      yield { type: "start" };
      const turn = await next(request, index);
      for (const event of toEvents(turn, index)) {
        if (event.type === "done") await waitFor(turn.until, options.signal);
        if (options.signal?.aborted) {
          yield { type: "error", error: "The request was aborted.", reason: "aborted" };
          return;
        }
        yield event;
      }
    },
  };
}

function* toEvents(turn: ScriptedTurn, index: number): Generator<StreamEvent> {
  const { thinking, text, calls = [], error, usage } = turn;
  if (thinking !== undefined) {
    yield { type: "thinking_delta", delta: thinking };
    yield { type: "thinking_end", content: thinking };
  }
  if (text !== undefined) {
    yield { type: "text_delta", delta: text };
    yield { type: "text_end", content: text };
  }
  for (const [place, call] of calls.entries()) {
    const { id = `call_${index}_${place}`, name, argumentsText } = call;
    const toolCall = { id, name, arguments: call.arguments ?? {} };
    yield { type: "toolcall_start", id };
    yield {
      type: "toolcall_delta",
      delta: argumentsText ?? JSON.stringify(toolCall.arguments),
      id,
    };
    yield {
      type: "toolcall_end",
      toolCall: argumentsText === undefined ? toolCall : { ...toolCall, argumentsText },
    };
  }
  if (error !== undefined) {
    const { reason, message = `scripted ${reason}`, retryAfterMs } = error;
    yield {
      ...{ type: "error", error: message, reason },
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
    return;
  }
  const usual = calls.length > 0 ? "toolUse" : "stop";
  yield { type: "done", stopReason: turn.stopReason ?? usual, ...(usage && { usage }) };
}

async function waitFor(until: Promise<unknown> | undefined, signal: AbortSignal | undefined) {
  if (until === undefined || signal?.aborted) return;
  const aborted = new Promise((resolve) =>
    signal?.addEventListener("abort", resolve, { once: true }),
  );
  await Promise.race([until, aborted]);
}
