// A connector out of a language model of the AI SDK (specification V2 or V3) that the caller brings.
// Only its shape is used; the SDK is not imported.

import type {
  Connector,
  ModelDescriptor,
  StreamContext,
  StreamEvent,
  StreamOptions,
} from "../../core/connector.js";
import { ToolInputError } from "../../core/index.js";
import { parseJson } from "../../lib/json/parse-json.js";
import { readField, readNumber, readText } from "../../lib/read-field.js";
import { type Assembler, createAssembler, type UsageCounts } from "../stream/assemble.js";
import { readFault, type StreamFault, toThrownFault } from "../stream/read-fault.js";
import { toPrompt } from "./to-prompt.js";

const API = "ai-sdk";
const VERSIONS = ["v2", "v3"];

/** What a `LanguageModelV2` and a `LanguageModelV3` have in common. */
export interface AiSdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doStream(options: never): PromiseLike<{ readonly stream: AsyncIterable<unknown> | object }>;
}

/** `fields` tell what the model object does not: window, prices, whether it sees. */
export function fromLanguageModel(
  model: AiSdkModel,
  fields: Partial<ModelDescriptor> = {},
): Connector {
  assertModel(model);
  const provider = fields.provider ?? model.provider.split(".")[0] ?? model.provider;
  const descriptor: ModelDescriptor = { id: model.modelId, ...fields, api: API, provider };
  return {
    id: `${API}/${provider}/${model.modelId}`,
    label: `${model.provider} ${model.modelId}`,
    provider,
    api: API,
    models: [descriptor],
    stream: (asked, context, options) => streamModel(model, { model: asked, context, options }),
  };
}

interface Question {
  readonly model: ModelDescriptor;
  readonly context: StreamContext;
  readonly options: StreamOptions;
}

async function* streamModel(model: AiSdkModel, question: Question): AsyncGenerator<StreamEvent> {
  const { options } = question;
  const who = `${question.model.provider}/${question.model.id}`;
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, ...(options.signal ? [options.signal] : [])]);
  const answer = createAssembler();
  yield { type: "start" };
  try {
    // The border to a foreign object: its call options are those of the specification.
    const call = toCall(question, signal) as never;
    const { stream } = await model.doStream(call);
    // Web streams are async iterable in every supported Node.
    for await (const part of stream as AsyncIterable<unknown>) {
      readPart(answer, part, who);
      yield* answer.take();
      if (answer.isOver()) return;
    }
    const error = `${who} failed (stream_cut): the answer ended in the middle.`;
    answer.fail({ error, reason: "stream_cut" });
  } catch (thrown) {
    answer.fail(toFault(thrown, { who, options }));
  } finally {
    controller.abort();
  }
  yield* answer.take();
}

function toCall({ model, context, options }: Question, abortSignal: AbortSignal) {
  const { temperature, maxTokens, headers } = options;
  const tools = (context.tools ?? []).map(({ name, description, input_schema }) => ({
    ...{ type: "function", name, description, inputSchema: input_schema },
  }));
  return {
    prompt: toPrompt(context, model),
    abortSignal,
    ...(tools.length > 0 && { tools, toolChoice: { type: "auto" } }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(headers && { headers }),
  };
}

function readPart(answer: Assembler, part: unknown, who: string): void {
  const type = readText(part, "type");
  const id = readText(part, "id") ?? readText(part, "toolCallId") ?? "";
  const delta = readText(part, "delta") ?? "";
  if (type === "text-delta") answer.text(delta);
  else if (type === "reasoning-delta") answer.thinking(delta);
  else if (type === "text-end") answer.endBlock();
  else if (type === "reasoning-end") answer.endBlock(toSignature(part));
  else if (type === "tool-input-start") {
    answer.startCall(id, { id, name: readText(part, "toolName") ?? "" });
  } else if (type === "tool-input-delta") answer.extendCall(id, delta);
  else if (type === "tool-call") {
    const json = readText(part, "input") ?? JSON.stringify(readField(part, "input") ?? {});
    if (!answer.hasCall(id)) answer.startCall(id, { id, name: readText(part, "toolName") ?? "" });
    answer.endCall(id, { json });
  } else if (type === "finish") finish(answer, part, who);
  else if (type === "error") {
    answer.fail(toFault(readField(part, "error"), { who, options: {} }));
  }
}

/** V2 says "stop", V3 says `{ unified: "stop" }`. */
function finish(answer: Assembler, part: unknown, who: string): void {
  const given = readField(part, "finishReason");
  const reason = typeof given === "string" ? given : readText(given, "unified");
  answer.usage(toUsage(readField(part, "usage")));
  if (reason === "content-filter") {
    answer.fail({ error: `${who} refused to answer.`, reason: "content_refused" });
  } else if (reason === "error") {
    const error = `${who} failed (provider_failed): the stream ended with an error.`;
    answer.fail({ error, reason: "provider_failed" });
  } else answer.done(reason === "length" ? "length" : "stop");
}

/** What the provider wants back with the thinking. */
function toSignature(part: unknown): { type: "thinking"; value: string } | undefined {
  const metadata = readField(part, "providerMetadata");
  return metadata ? { type: "thinking", value: JSON.stringify(metadata) } : undefined;
}

/** V2 has numbers, V3 has objects with a total. */
function toUsage(usage: unknown): UsageCounts {
  const total = (name: string) =>
    readNumber(usage, name) ?? readNumber(readField(usage, name), "total");
  const input = readField(usage, "inputTokens");
  const output = readField(usage, "outputTokens");
  return {
    inputTokens: total("inputTokens"),
    outputTokens: total("outputTokens"),
    cacheReadTokens: readNumber(usage, "cachedInputTokens") ?? readNumber(input, "cacheRead"),
    cacheWriteTokens: readNumber(input, "cacheWrite"),
    reasoningTokens: readNumber(usage, "reasoningTokens") ?? readNumber(output, "reasoning"),
  };
}

/** The SDK's call errors carry status, headers and body. */
function toFault(
  thrown: unknown,
  { who, options }: { readonly who: string; readonly options: StreamOptions },
): StreamFault {
  if (options.signal?.aborted) return { error: "The request was aborted.", reason: "aborted" };
  const secrets = [options.apiKey ?? ""];
  const status = readNumber(thrown, "statusCode");
  const text = readText(thrown, "responseBody");
  if (status === undefined) return toThrownFault(thrown, { who, secrets, isAnswering: false });
  const given = readField(thrown, "responseHeaders");
  const headers = Object.fromEntries(
    Object.entries(Object(given)).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  const body = parseJson(text ?? "") ?? text ?? readText(thrown, "message");
  // A broken success is a cut stream.
  if (status < 400) return toThrownFault(thrown, { who, secrets, isAnswering: true });
  return readFault({ status, headers, body, who, secrets });
}

function assertModel(model: unknown): void {
  const version = readText(model, "specificationVersion") ?? "none";
  if (VERSIONS.includes(version) && typeof readField(model, "doStream") === "function") return;
  throw new ToolInputError(
    `fromLanguageModel takes a model object of the AI SDK (specification v2 or v3); received version "${version}".`,
    { reason: "model_invalid" },
  );
}
