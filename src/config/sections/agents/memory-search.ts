// What is searched when an agent looks into its memory, and how hits are weighed.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { openSection, texts } from "../section.js";

const share = (description: string, value: number) =>
  t.number({ description, minimum: 0, maximum: 1, default: value });
const flag = (description: string) => t.boolean({ description });

const remote = lazy(() =>
  openSection("A provider of embeddings.", {
    baseUrl: t.string({ description: "Address of the provider." }),
    apiKey: t.string({ description: "Key of the provider." }),
    headers: t.record(t.string(), { description: "Further headers of each request." }),
  }),
);

const sync = lazy(() =>
  openSection("When the index is brought up to date.", {
    onSessionStart: flag("When a session starts."),
    onSearch: flag("When something is searched."),
    watch: flag("When a file changes."),
    watchDebounceMs: t.integer({
      description: "Milliseconds of quiet after a change.",
      minimum: 0,
      default: 1_500,
    }),
    intervalMinutes: t.number({
      description: "Minutes between two rounds; 0 is never.",
      minimum: 0,
      default: 0,
    }),
  }),
);

const query = lazy(() =>
  openSection("What counts as a hit.", {
    maxResults: t.integer({ description: "Hits at most.", minimum: 1, default: 6 }),
    minScore: share("Share of the best score that a hit needs.", 0.15),
    hybrid: openSection("Words and meaning together.", {
      enabled: flag("Use both."),
      vectorWeight: share("Weight of the meaning.", 0.5),
      textWeight: share("Weight of the words.", 0.5),
      candidateMultiplier: t.integer({
        description: "Candidates per hit that is wanted.",
        minimum: 1,
        default: 4,
      }),
    }),
  }),
);

export const memorySearch = lazy(() =>
  openSection("Searching the memory.", {
    enabled: t.boolean({ description: "Offer the memory tools.", default: true }),
    sources: t.array(t.choice(["memory", "sessions"]), { description: "What is searched." }),
    extraPaths: texts("Further Markdown files and folders."),
    provider: t.string({
      description: "Who makes embeddings: `openai`, `gemini`, `ollama`; no one without it.",
    }),
    model: t.string({ description: "Model that makes embeddings." }),
    fallback: t.string({
      description: "Who makes them when the provider fails; `none` is no one.",
    }),
    remote: remote(),
    local: openSection("Embeddings on this machine.", {
      modelPath: t.string({ description: "File of the model." }),
    }),
    store: openSection("The index.", {
      path: t.string({ description: "File of the index; `{agentId}` is the agent." }),
    }),
    chunking: openSection("How files are cut.", {
      tokens: t.integer({ description: "Length of a piece.", minimum: 1, default: 400 }),
      overlap: t.integer({ description: "What two pieces share.", minimum: 0, default: 0 }),
    }),
    sync: sync(),
    query: query(),
    experimental: openSection("Not settled yet.", {
      sessionMemory: t.boolean({ description: "Search sessions too.", default: false }),
    }),
  }),
);
