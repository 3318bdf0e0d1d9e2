// Turns texts into vectors through a provider: in batches, tried again when it is busy, with a limit
// in time. Nothing is sent unless a provider is configured.
import { setTimeout as delay } from "node:timers/promises";
import {
  type Clock,
  type Net,
  type NetResponse,
  ToolError,
  ToolInputError,
} from "../../../core/index.js";
import { findBaseUrlFault } from "../../../lib/base-url.js";
import { isDamaged } from "../index-file/database.js";
import type { IndexFile } from "../index-file/open-index.js";
import type { EmbeddingSearch } from "./embedding-search.js";
import type { WriterTurn } from "./vectors.js";
import {
  EMBEDDING_DEFAULTS,
  type EmbeddingSettings,
  nameProvider,
  readWireAnswer,
  type TextRole,
  toWireRequest,
} from "./wire.js";

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 60_000;
const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8_000;
const SECOND_MS = 1_000;
const TOO_MANY = 429;
const SERVER_FAULT = 500;

interface EmbedRequest {
  readonly texts: readonly string[];
  readonly role: TextRole;
  readonly signal: AbortSignal;
}

export interface Embedder {
  /** Vectors of one model are comparable; those of another are not. */
  readonly model: string;
  embed(request: EmbedRequest): Promise<Float32Array[]>;
}

export function createEmbedder(settings: EmbeddingSettings, openNet: () => Promise<Net>): Embedder {
  const { provider, model, baseUrl } = settings;
  const defaults = EMBEDDING_DEFAULTS[provider];
  const isPublicDefault = baseUrl === defaults.baseUrl && defaults.keyVariable !== undefined;

  async function ask({ texts, role, signal }: EmbedRequest): Promise<NetResponse> {
    assertAddress(settings);
    const net = await openNet();
    const { url, headers, body } = toWireRequest(settings, { texts, role });
    return net.fetch({
      ...{ url, headers, body, signal },
      method: "POST",
      limits: { maxBytes: MAX_ANSWER_BYTES, timeoutMs: REQUEST_TIMEOUT_MS, maxRedirects: 0 },
      // A person wrote this address; a model on this machine is one of the reasons to.
      ...(isPublicDefault ? {} : { alsoAllowedHostnames: [new URL(baseUrl).hostname] }),
    });
  }

  return {
    model: `${provider}/${model}@${baseUrl}`,
    async embed(request) {
      for (let tries = 1; ; tries++) {
        const response = await ask(request);
        const { status } = response;
        const isBusy = status === TOO_MANY || status >= SERVER_FAULT;
        if (isBusy && tries < MAX_TRIES) {
          await delay(readPause(response, tries), undefined, { signal: request.signal });
          continue;
        }
        if (status !== 200) throw refused(settings, response);
        const answer = parseAnswer(settings, response);
        return readWireAnswer(settings, { answer, count: request.texts.length });
      }
    },
  };
}

/** Key and notes are not for everybody on the way. */
function assertAddress({ baseUrl }: EmbeddingSettings): void {
  const fault = findBaseUrlFault(baseUrl, "https://models.example.com/v1");
  if (fault === undefined) return;
  throw new ToolInputError(`memorySearch.remote.baseUrl ${fault}`, {
    reason: "embedding_address_invalid",
  });
}

function readPause({ headers }: NetResponse, tries: number): number {
  const asked = Number(headers["retry-after"]) * SECOND_MS;
  const own = FIRST_PAUSE_MS * 2 ** (tries - 1);
  return Math.min(Number.isFinite(asked) && asked >= 0 ? asked : own, MAX_PAUSE_MS);
}

function parseAnswer(settings: EmbeddingSettings, { body }: NetResponse): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch (cause) {
    throw new ToolError(
      "failed",
      `The provider of embeddings ${nameProvider(settings)} did not answer with JSON; check memorySearch.remote.baseUrl.`,
      { reason: "embedding_bad_answer", cause },
    );
  }
}

/** What the provider says is not shown: it may repeat the key. */
function refused(settings: EmbeddingSettings, { status }: NetResponse): ToolError {
  const isKey = status === 401 || status === 403;
  const advice = isKey
    ? "check memorySearch.remote.apiKey"
    : status === TOO_MANY
      ? "it has too many requests, or no credit is left; try again later"
      : "check memorySearch.model and memorySearch.remote";
  return new ToolError(
    "unavailable",
    `The provider of embeddings ${nameProvider(settings)} answered with status ${status}; ${advice}.`,
    { reason: isKey ? "embedding_key_refused" : "embedding_failed", details: { status } },
  );
}

const RETRY_AFTER_MS = 30_000;

interface EmbeddingRun {
  want(): void;
  begin(): Promise<void> | undefined;
  finish(signal: AbortSignal): Promise<void>;
  warning(): string | undefined;
  close(): Promise<void>;
}

interface EmbeddingRunSource {
  readonly embeddingSearch: EmbeddingSearch;
  readonly index: IndexFile;
  readonly turn: WriterTurn;
  readonly clock: Clock;
  /** Index corruption is not a provider error. */
  readonly onDamage: (error: unknown) => void;
}

export function createEmbeddingRun(source: EmbeddingRunSource): EmbeddingRun {
  const { embeddingSearch, index, turn, clock, onDamage } = source;
  const closing = new AbortController();
  // Anyone who was here before may have been stopped in the middle.
  let isWanted = true;
  let warning: string | undefined;
  let failedMs: number | undefined;
  let running: Promise<void> | undefined;

  async function work(signal: AbortSignal): Promise<void> {
    isWanted = false;
    try {
      warning = await embeddingSearch.sync({ index, turn, signal });
      if (warning !== undefined) isWanted = true;
      failedMs = warning === undefined ? undefined : clock.now();
    } catch (error) {
      isWanted = true;
      // An abort is the end that was asked for.
      if (signal.aborted) return;
      if (!isDamaged(error)) throw error;
      onDamage(error);
    }
  }

  function start(signal: AbortSignal): Promise<void> {
    const run = work(AbortSignal.any([closing.signal, signal])).finally(() => {
      if (running === run) running = undefined;
    });
    running = run;
    return run;
  }

  return {
    want() {
      isWanted = true;
    },
    begin() {
      const isResting = failedMs !== undefined && clock.now() - failedMs < RETRY_AFTER_MS;
      if (!isWanted || isResting || running !== undefined) return undefined;
      return start(closing.signal);
    },
    async finish(signal) {
      while (running) await running;
      if (isWanted) await start(signal);
      signal.throwIfAborted();
    },
    warning: () => warning,
    async close() {
      closing.abort();
      await running;
    },
  };
}
