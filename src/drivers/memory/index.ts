// The door of the memory driver: the notes of an agent, and the search over them.

export { createMemory } from "./create-memory.js";
export {
  EMBEDDING_DEFAULTS,
  EMBEDDING_PROVIDERS,
  type EmbeddingProvider,
  type EmbeddingSettings,
} from "./embeddings/wire.js";
export {
  DEFAULT_CHUNK_CHARS,
  DEFAULT_DEBOUNCE_MS,
  DEFAULT_MAX_RESULTS,
  DEFAULT_MIN_SCORE,
  type MemoryPorts,
  type MemorySettings,
} from "./settings.js";
