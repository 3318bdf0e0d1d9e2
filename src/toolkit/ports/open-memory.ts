// Joins the memory driver with what the configuration says of it. Loaded at the first use.

import { createHash } from "node:crypto";
import { isAbsolute, join, resolve } from "node:path";
import { type ClawtoolsConfig, findAgent } from "../../config/index.js";
import { type Clock, type Memory, type Net, ToolError, ToolInputError } from "../../core/index.js";
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
import { readSection, readTexts, type Section } from "../options/settings.js";

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

function readMemorySettings(source: MemorySource): MemorySettings {
  const { config, agentId } = source;
  const agent = findAgent(config, agentId);
  const defaults = readSection(
    readSection(readSection(config, "agents"), "defaults"),
    "memorySearch",
  );
  const section = merge(defaults, readSection(agent ?? {}, "memorySearch"));
  if (section.enabled === false) throw turnedOff();
  const root = resolve(source.root);
  const chunking = readSection(section, "chunking");
  const query = readSection(section, "query");
  const hybrid = readSection(query, "hybrid");
  const sync = readSection(section, "sync");
  const tokens = numberAt(chunking, "tokens");
  return {
    places: { root, extraPaths: readTexts(section.extraPaths).map((path) => resolve(root, path)) },
    indexFile: readIndexFile({ ...source, root }, section),
    chunking: {
      maxChars: tokens === undefined ? DEFAULT_CHUNK_CHARS : tokens * CHARS_PER_TOKEN,
      overlapChars: (numberAt(chunking, "overlap") ?? 0) * CHARS_PER_TOKEN,
    },
    query: {
      maxResults: numberAt(query, "maxResults") ?? DEFAULT_MAX_RESULTS,
      minScore: numberAt(query, "minScore") ?? DEFAULT_MIN_SCORE,
      weights: {
        words: numberAt(hybrid, "textWeight") ?? EVEN_WEIGHT,
        meaning: numberAt(hybrid, "vectorWeight") ?? EVEN_WEIGHT,
      },
    },
    sync: {
      watch: sync.watch !== false,
      onSearch: sync.onSearch !== false,
      debounceMs: numberAt(sync, "watchDebounceMs") ?? DEFAULT_DEBOUNCE_MS,
    },
    embedding: hybrid.enabled === false ? undefined : readEmbedding(section),
  };
}

function merge(all: Section, own: Section): Section {
  const merged: Record<string, unknown> = { ...all };
  for (const [key, value] of Object.entries(own)) {
    const isSection = typeof value === "object" && value !== null && !Array.isArray(value);
    merged[key] = isSection ? merge(readSection(all, key), readSection(own, key)) : value;
  }
  return merged;
}

function readIndexFile({ root, agentId, stateDir }: MemorySource, section: Section) {
  const name = agentId !== undefined && SAFE_NAME.test(agentId) ? agentId : MAIN_AGENT;
  const written = readSection(section, "store").path;
  if (typeof written === "string" && written !== "") {
    const path = written.replaceAll("{agentId}", name);
    if (isAbsolute(path)) return path;
    return stateDir === undefined ? undefined : join(stateDir, path);
  }
  if (stateDir === undefined) return undefined;
  const hash = createHash("sha256")
    .update(`${agentId ?? ""}\0${root}`)
    .digest("hex");
  return join(stateDir, "memory", `${name}-${hash.slice(0, HASH_CHARS)}.db`);
}

function readEmbedding(section: Section): EmbeddingSettings | undefined {
  const { provider: written, model } = section;
  const given = typeof written === "string" ? written.toLowerCase() : undefined;
  if (NO_PROVIDERS.includes(given)) return undefined;
  const name = OTHER_NAMES[given ?? ""] ?? given;
  const provider = EMBEDDING_PROVIDERS.find((one) => one === name);
  if (provider === undefined) throw unknownProvider(String(written));
  const remote = readSection(section, "remote");
  const defaults = EMBEDDING_DEFAULTS[provider];
  const baseUrl = textAt(remote, "baseUrl") ?? defaults.baseUrl;
  if (!URL.canParse(baseUrl)) throw badAddress(baseUrl);
  // A key of the environment goes to the provider it is for, and to no address of someone else.
  const isOwn = baseUrl === defaults.baseUrl && defaults.keyVariable !== undefined;
  const ownKey = isOwn ? readEnvironment()[defaults.keyVariable] : undefined;
  const headers = Object.entries(readSection(remote, "headers")).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return {
    provider,
    model: typeof model === "string" && model !== "" ? model : defaults.model,
    baseUrl: baseUrl.replace(/\/+$/, ""),
    apiKey: textAt(remote, "apiKey") ?? ownKey,
    headers: Object.fromEntries(headers),
  };
}

function numberAt(section: Section, key: string): number | undefined {
  const value = section[key];
  return typeof value === "number" ? value : undefined;
}

function textAt(section: Section, key: string): string | undefined {
  const value = section[key];
  return typeof value === "string" && value !== "" ? value : undefined;
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
