// One request and its answer as events: sends it through the network port, watches for silence, and
// ends with exactly one `done` or `error`. It never retries.

import type {
  ModelDescriptor,
  StreamContext,
  StreamEvent,
  StreamOptions,
} from "../../core/connector.js";
import { type Net, type NetStream, ToolError } from "../../core/index.js";
import { parseJson } from "../../lib/json/parse-json.js";
import { type Assembler, createAssembler } from "./assemble.js";
import { readFault, type StreamFault, toThrownFault } from "./read-fault.js";
import { createSseReader, type SseEvent } from "./sse.js";

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_TOTAL_MS = 30 * 60_000;
const DEFAULT_IDLE: IdleLimits = { firstMs: 60_000, betweenMs: 120_000 };

export interface IdleLimits {
  readonly firstMs: number;
  readonly betweenMs: number;
}

export interface WireQuestion {
  readonly model: ModelDescriptor;
  readonly context: StreamContext;
  readonly options: StreamOptions;
}

export interface WireRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface WireFormat {
  toRequest(question: WireQuestion): WireRequest;
  createReader(answer: WireAnswer, question: WireQuestion): WireReader;
}

/** The answer that is being read, with the failures that every format has. */
export interface WireAnswer extends Assembler {
  /** With an error of the provider. */
  failWith(body: unknown): void;
  refuse(): void;
}

export interface WireReader {
  /** One event; `data` is parsed JSON, undefined when it was not JSON. */
  read(data: unknown, event: SseEvent): void;
  /** The stream is over: ends the answer when its end is known by now. */
  close?(): void;
}

export interface AnswerRequest extends WireQuestion {
  readonly format: WireFormat;
  readonly net: Net;
  readonly idle: IdleLimits | undefined;
}

export async function* streamAnswer(request: AnswerRequest): AsyncGenerator<StreamEvent> {
  const { options, model, idle = DEFAULT_IDLE } = request;
  // Its own controller: leaving a stream early must close the socket, also while a read is pending.
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, ...(options.signal ? [options.signal] : [])]);
  const who = `${model.provider}/${model.id}`;
  const secrets = listSecrets(request);
  let isAnswering = false;
  yield { type: "start" };
  try {
    const response = await withIdle(send(request, signal), { ms: idle.firstMs, controller });
    if (response.status < 200 || response.status >= 300) {
      const body = await withIdle(readBody(response), { ms: idle.betweenMs, controller });
      const { status, headers } = response;
      yield { type: "error", ...readFault({ status, headers, body, who, secrets }) };
      return;
    }
    isAnswering = true;
    yield* readAnswer(request, { response, controller, idle });
  } catch (thrown) {
    yield { type: "error", ...toFault(thrown) };
  } finally {
    controller.abort();
  }

  function toFault(thrown: unknown): StreamFault {
    if (options.signal?.aborted) return { error: "The request was aborted.", reason: "aborted" };
    return toThrownFault(thrown, { who, secrets, isAnswering });
  }
}

interface Answering {
  readonly response: NetStream;
  readonly controller: AbortController;
  readonly idle: IdleLimits;
}

async function* readAnswer(
  request: AnswerRequest,
  { response, controller, idle }: Answering,
): AsyncGenerator<StreamEvent> {
  const { format, model, context, options } = request;
  const answer = createAnswer(request);
  const reader = format.createReader(answer, { model, context, options });
  const sse = createSseReader();
  const read = (events: readonly SseEvent[]) => {
    for (const event of events) {
      if (answer.isOver()) return;
      reader.read(parseJson(event.data), event);
    }
  };
  const body = response.body[Symbol.asyncIterator]();
  let ms = idle.firstMs;
  try {
    while (!answer.isOver()) {
      const { done, value } = await withIdle(body.next(), { ms, controller });
      if (done) break;
      ms = idle.betweenMs;
      read(sse.push(value));
      yield* answer.take();
    }
    read(sse.end());
  } catch (thrown) {
    // The end of the answer may be known although the connection broke or stayed open.
    if (!options.signal?.aborted) reader.close?.();
    if (!answer.isOver()) throw thrown;
  }
  if (!answer.isOver()) reader.close?.();
  if (!answer.isOver()) {
    const error = `${model.provider}/${model.id} failed (stream_cut): the answer ended in the middle.`;
    answer.fail({ error, reason: "stream_cut" });
  }
  yield* answer.take();
}

function createAnswer(question: WireQuestion): WireAnswer {
  const answer = createAssembler();
  const { model, options } = question;
  const who = `${model.provider}/${model.id}`;
  const secrets = [options.apiKey ?? ""];
  return {
    ...answer,
    failWith: (body) => answer.fail(readFault({ body, who, secrets })),
    refuse: () => answer.fail({ error: `${who} refused to answer.`, reason: "content_refused" }),
  };
}

function send(
  { format, net, ...question }: AnswerRequest,
  signal: AbortSignal,
): Promise<NetStream> {
  const { url, headers, body } = format.toRequest(question);
  const { model, options } = question;
  return net.stream({
    url,
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      ...headers,
      ...model.headers,
      ...options.headers,
    },
    body: JSON.stringify(body),
    limits: { maxBytes: MAX_BODY_BYTES, timeoutMs: MAX_TOTAL_MS, maxRedirects: 0 },
    signal,
    // A person configured this address: it may be a server of their own network.
    alsoAllowedHostnames: [new URL(url).hostname],
  });
}

async function readBody({ body }: NetStream): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_ERROR_BYTES) break;
  }
  return parseJson(text) ?? text;
}

/** Rejects after `ms` of silence and ends the request. */
async function withIdle<T>(
  work: Promise<T>,
  { ms, controller }: { readonly ms: number; readonly controller: AbortController },
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(
        new ToolError("timeout", `no data for ${ms / 1000} seconds.`, { reason: "stream_stalled" }),
      );
      controller.abort();
    }, ms);
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    clearTimeout(timer);
    // After a stall the request ends by the abort, which no one waits for.
    work.catch(() => undefined);
  }
}

function listSecrets({ options, model }: WireQuestion): string[] {
  const headers = { ...model.headers, ...options.headers };
  return [options.apiKey ?? "", ...Object.values(headers)].filter((secret) => secret !== "");
}
