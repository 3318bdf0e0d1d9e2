// Joins the memory driver with what the configuration says of it. Loaded at the first use.

import { createHash } from "node:crypto";
import { isAbsolute, join, resolve } from "node:path";
import { type ClawtoolsConfig, findAgent } from "../../config/index.js";
import {
  type Clock,
  type Memory,
  mergePatch,
  type Net,
  ToolError,
  ToolInputError,
} from "../../core/index.js";
import { readEnvironment } from "../../drivers/environment.js";
import {
  createMemory,
  DEFAULT_CHUNK_CHARS,
  DEFAULT_DEBOUNCE_MS,
  DEFAULT_MAX_RESULTS,
  DEFAULT_MIN_SCORE,
  EMBEDDING_DEFAULTS,
  EMBEDDING_PROVIDERS,
  type EmbeddingSettings,
  type MemorySettings,
} from "../../drivers/memory/index.js";

export interface MemorySource {
  readonly root: string;
  readonly config: ClawtoolsConfig;
  readonly agentId: string | undefined;
  /** Where the index is; undefined keeps it in memory. */
  readonly stateDir: string | undefined;
  readonly clock: Clock;
  readonly net: Net;
}

/** Throws a ToolError when the memory of the agent is turned off, or its settings cannot be meant so. */
export function openMemory(source: MemorySource): Memory {
  const { clock, net } = source;
  return createMemory(readMemorySettings(source), { clock, net: async () => net });
}

const MAIN_AGENT = "main";
const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const HASH_CHARS = 12;
/** About this many characters are one token. */
const CHARS_PER_TOKEN = 4;
const EVEN_WEIGHT = 0.5;
/** No one makes embeddings: notes leave this machine only for a provider that was named. */
const NO_PROVIDERS = [undefined, "", "none", "auto", "local"];
const OTHER_NAMES: Readonly<Record<string, string>> = {
  google: "gemini",
  "openai-compatible": "openai",
  lmstudio: "openai",
};

type MemorySection = NonNullable<NonNullable<ReturnType<typeof findAgent>>["memorySearch"]>;

/** The configuration has been checked before; the agent's own word counts first. */
function readMemorySettings(source: MemorySource): MemorySettings {
  const { config, agentId } = source;
  const defaults = config.agents?.defaults?.memorySearch ?? {};
  const own = findAgent(config, agentId)?.memorySearch ?? {};
  // Both are of this type, and so is what is merged of them.
  const section = mergePatch(defaults, own) as MemorySection;
  if (section.enabled === false) throw turnedOff();
  const root = resolve(source.root);
  const { extraPaths = [], chunking = {}, query = {}, sync = {} } = section;
  const { hybrid = {} } = query;
  const { tokens, overlap = 0 } = chunking;
  return {
    places: { root, extraPaths: extraPaths.map((path) => resolve(root, path)) },
    indexFile: readIndexFile({ ...source, root }, section),
    chunking: {
      maxChars: tokens === undefined ? DEFAULT_CHUNK_CHARS : tokens * CHARS_PER_TOKEN,
      overlapChars: overlap * CHARS_PER_TOKEN,
    },
    query: {
      maxResults: query.maxResults ?? DEFAULT_MAX_RESULTS,
      minScore: query.minScore ?? DEFAULT_MIN_SCORE,
      weights: {
        words: hybrid.textWeight ?? EVEN_WEIGHT,
        meaning: hybrid.vectorWeight ?? EVEN_WEIGHT,
      },
    },
    sync: {
      watch: sync.watch !== false,
      onSearch: sync.onSearch !== false,
      debounceMs: sync.watchDebounceMs ?? DEFAULT_DEBOUNCE_MS,
    },
    embedding: hybrid.enabled === false ? undefined : readEmbedding(section),
  };
}

function readIndexFile({ root, agentId, stateDir }: MemorySource, { store }: MemorySection) {
  const name = agentId !== undefined && SAFE_NAME.test(agentId) ? agentId : MAIN_AGENT;
  if (store?.path) {
    const path = store.path.replaceAll("{agentId}", name);
    if (isAbsolute(path)) return path;
    return stateDir === undefined ? undefined : join(stateDir, path);
  }
  if (stateDir === undefined) return undefined;
  const hash = createHash("sha256")
    .update(`${agentId ?? ""}\0${root}`)
    .digest("hex");
  return join(stateDir, "memory", `${name}-${hash.slice(0, HASH_CHARS)}.db`);
}

function readEmbedding({
  provider: written,
  model,
  remote = {},
}: MemorySection): EmbeddingSettings | undefined {
  const given = written?.toLowerCase();
  if (NO_PROVIDERS.includes(given)) return undefined;
  const name = OTHER_NAMES[given ?? ""] ?? given;
  const provider = EMBEDDING_PROVIDERS.find((one) => one === name);
  if (provider === undefined) throw unknownProvider(String(written));
  const defaults = EMBEDDING_DEFAULTS[provider];
  const baseUrl = remote.baseUrl || defaults.baseUrl;
  if (!URL.canParse(baseUrl)) throw badAddress(baseUrl);
  // A key of the environment goes to the provider it is for, and to no address of someone else.
  const isOwn = baseUrl === defaults.baseUrl && defaults.keyVariable !== undefined;
  const ownKey = isOwn ? readEnvironment()[defaults.keyVariable] : undefined;
  return {
    provider,
    model: model || defaults.model,
    baseUrl: baseUrl.replace(/\/+$/, ""),
    apiKey: remote.apiKey || ownKey,
    headers: remote.headers ?? {},
  };
}

function turnedOff(): ToolError {
  return new ToolError(
    "unavailable",
    "The memory is turned off for this agent; set memorySearch.enabled to true to use it.",
    { reason: "memory_disabled" },
  );
}

function unknownProvider(name: string): ToolInputError {
  return new ToolInputError(
    `memorySearch.provider: "${name.slice(0, 80)}" makes no embeddings here; use ${EMBEDDING_PROVIDERS.join(", ")} or none.`,
    { reason: "embedding_provider_unknown" },
  );
}

function badAddress(url: string): ToolInputError {
  return new ToolInputError(
    `memorySearch.remote.baseUrl: "${url.slice(0, 80)}" is not a valid URL; write one like https://host/v1.`,
    { reason: "embedding_address_invalid" },
  );
}
