// How each provider of embeddings is asked, and how its answer is read.

import { ToolError } from "../../../core/index.js";
import { readField } from "../../../lib/read-field.js";

export const EMBEDDING_PROVIDERS = ["openai", "gemini", "ollama"] as const;
export type EmbeddingProvider = (typeof EMBEDDING_PROVIDERS)[number];

export interface EmbeddingSettings {
  readonly provider: EmbeddingProvider;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export interface EmbeddingDefaults {
  readonly model: string;
  readonly baseUrl: string;
  readonly keyVariable: string | undefined;
}

export const EMBEDDING_DEFAULTS = {
  openai: {
    model: "text-embedding-3-small",
    baseUrl: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
  },
  gemini: {
    model: "gemini-embedding-001",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyVariable: "GEMINI_API_KEY",
  },
  ollama: {
    model: "nomic-embed-text",
    baseUrl: "http://127.0.0.1:11434",
    keyVariable: undefined,
  },
} as const satisfies Record<EmbeddingProvider, EmbeddingDefaults>;

const MAX_VECTOR_NUMBERS = 16_384;

export type TextRole = "query" | "document";

export interface WireRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Wire {
  toRequest(
    texts: readonly string[],
    role: TextRole,
  ): Omit<WireRequest, "headers"> & {
    readonly headers: Readonly<Record<string, string>>;
  };
  readVectors(answer: unknown): unknown;
}

export function toWireRequest(
  settings: EmbeddingSettings,
  { texts, role }: { readonly texts: readonly string[]; readonly role: TextRole },
): WireRequest {
  const { url, headers, body } = WIRES[settings.provider](settings).toRequest(texts, role);
  return {
    url,
    headers: { "content-type": "application/json", ...headers, ...settings.headers },
    body,
  };
}

/** For messages: without what may hold a key. */
export function nameProvider({ provider, baseUrl }: EmbeddingSettings): string {
  if (!URL.canParse(baseUrl)) return `"${provider}"`;
  const { origin, pathname } = new URL(baseUrl);
  return `"${provider}" at ${origin}${pathname}`;
}

export function readWireAnswer(
  settings: EmbeddingSettings,
  { answer, count }: { readonly answer: unknown; readonly count: number },
): Float32Array[] {
  const vectors = WIRES[settings.provider](settings).readVectors(answer);
  if (!Array.isArray(vectors) || vectors.length !== count) throw badAnswer(settings);
  const read = vectors.map((vector: unknown) => toVector(vector));
  const length = read[0]?.length ?? 0;
  if (length === 0 || read.some((vector) => vector?.length !== length)) throw badAnswer(settings);
  return read.filter((vector) => vector !== undefined);
}

const WIRES = {
  openai: ({ baseUrl, model, apiKey }) => ({
    toRequest: (texts) => ({
      url: `${baseUrl}/embeddings`,
      headers: bearer(apiKey),
      body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
    }),
    readVectors: (answer) =>
      inOrder(readField(answer, "data")).map((row) => readField(row, "embedding")),
  }),
  gemini: ({ baseUrl, model, apiKey }) => ({
    toRequest: (texts, role) => ({
      url: `${baseUrl.replace(/\/openai$/, "")}/models/${encodeURIComponent(model)}:batchEmbedContents`,
      headers: apiKey === undefined ? {} : { "x-goog-api-key": apiKey },
      body: JSON.stringify({
        requests: texts.map((text) => ({
          model: `models/${model}`,
          content: { parts: [{ text }] },
          taskType: role === "query" ? "RETRIEVAL_QUERY" : "RETRIEVAL_DOCUMENT",
        })),
      }),
    }),
    readVectors: (answer) =>
      list(readField(answer, "embeddings")).map((row) => readField(row, "values")),
  }),
  ollama: ({ baseUrl, model, apiKey }) => ({
    toRequest: (texts) => ({
      url: `${baseUrl}/api/embed`,
      headers: bearer(apiKey),
      body: JSON.stringify({ model, input: texts }),
    }),
    readVectors: (answer) => readField(answer, "embeddings"),
  }),
} as const satisfies Record<EmbeddingProvider, (settings: EmbeddingSettings) => Wire>;

function bearer(apiKey: string | undefined): Record<string, string> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Rows say which text they are for; some servers number none and keep the order. */
function inOrder(given: unknown): readonly unknown[] {
  const rows = list(given);
  const numbers = rows.map((row) => readField(row, "index"));
  if (numbers.every((number) => number === undefined)) return rows;
  const byNumber = new Map(rows.map((row) => [readField(row, "index"), row]));
  const ordered = rows.map((_row, index) => byNumber.get(index));
  return ordered.includes(undefined) ? [] : ordered;
}

/** Of length 1, so that a product of two is their likeness. */
function toVector(value: unknown): Float32Array | undefined {
  if (!Array.isArray(value) || value.length > MAX_VECTOR_NUMBERS) return undefined;
  if (!value.every(Number.isFinite)) return undefined;
  const length = Math.hypot(...value);
  if (!Number.isFinite(length)) return undefined;
  return Float32Array.from(value, (part: number) => (length === 0 ? 0 : part / length));
}

function badAnswer(settings: EmbeddingSettings): ToolError {
  return new ToolError(
    "failed",
    `The provider of embeddings ${nameProvider(settings)} did not answer with one vector for each text; check memorySearch.model.`,
    { reason: "embedding_bad_answer" },
  );
}
