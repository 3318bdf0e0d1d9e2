// What is searched when an agent looks into its memory, and how hits are weighed.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { openSection, texts } from "../section.js";

const share = (description: string, value: number) =>
  t.number({ description, minimum: 0, maximum: 1, default: value });
const flag = (description: string) => t.boolean({ description });

const remote = lazy(() =>
  openSection("Embeddings provider.", {
    baseUrl: t.string({ description: "Base URL." }),
    apiKey: t.string({ description: "API key." }),
    headers: t.record(t.string(), { description: "Extra request headers." }),
  }),
);

const sync = lazy(() =>
  openSection("When the index is updated.", {
    onSessionStart: flag("Update when a session starts."),
    onSearch: flag("Update before a search."),
    watch: flag("Update when a file changes."),
    watchDebounceMs: t.integer({
      description: "Debounce time after a change.",
      minimum: 0,
      default: 1_500,
    }),
    intervalMinutes: t.number({
      description: "Update interval; 0 disables it.",
      minimum: 0,
      default: 0,
    }),
  }),
);

const query = lazy(() =>
  openSection("Ranking of hits.", {
    maxResults: t.integer({ description: "Maximum hits.", minimum: 1, default: 6 }),
    minScore: share("Minimum score, relative to the best hit.", 0.15),
    hybrid: openSection("Combined keyword and embedding search.", {
      enabled: flag("Combine keyword and embedding search."),
      vectorWeight: share("Weight of embeddings.", 0.5),
      textWeight: share("Weight of keywords.", 0.5),
      candidateMultiplier: t.integer({
        description: "Candidates per requested hit.",
        minimum: 1,
        default: 4,
      }),
    }),
  }),
);

export const memorySearch = lazy(() =>
  openSection("Memory search.", {
    enabled: t.boolean({ description: "Offer the memory tools.", default: true }),
    sources: t.array(t.choice(["memory", "sessions"]), { description: "Sources to search." }),
    extraPaths: texts("Extra Markdown files and directories."),
    provider: t.string({
      description: "Embeddings provider: `openai`, `gemini` or `ollama`. Default: none.",
    }),
    model: t.string({ description: "Embeddings model." }),
    fallback: t.string({
      description: "Provider to use when the first fails, or `none`.",
    }),
    remote: remote(),
    local: openSection("Local embeddings.", {
      modelPath: t.string({ description: "Model file." }),
    }),
    store: openSection("The index.", {
      path: t.string({ description: "Index file; `{agentId}` is replaced." }),
    }),
    chunking: openSection("Chunk size.", {
      tokens: t.integer({ description: "Chunk length in tokens.", minimum: 1, default: 400 }),
      overlap: t.integer({ description: "Overlap of chunks in tokens.", minimum: 0, default: 0 }),
    }),
    sync: sync(),
    query: query(),
    experimental: openSection("Experimental.", {
      sessionMemory: t.boolean({ description: "Also search sessions.", default: false }),
    }),
  }),
);
