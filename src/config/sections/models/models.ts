// `models`: providers of language models next to those that are known by name, and changes to those.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { openSection } from "../section.js";

const price = (description: string) => t.number({ description, minimum: 0 });

const headers = lazy(() =>
  t.record(t.string(), { description: "Further headers of each request." }),
);

const compat = lazy(() =>
  t.record(t.unknown(), {
    description: "How the service differs from the format; see docs/models.md.",
  }),
);

const api = lazy(() =>
  t.string({
    description:
      "`openai-completions`, `openai-responses`, `anthropic-messages` or `google-generative-ai`.",
    minLength: 1,
  }),
);

const model = lazy(() =>
  openSection("One model.", {
    id: t.string({ description: "Name of the model at the provider.", minLength: 1 }),
    name: t.string({ description: "Name for people." }),
    api: api(),
    reasoning: t.boolean({ description: "The model can think before it answers." }),
    input: t.array(t.choice(["text", "image"]), { description: "What the model takes." }),
    contextWindow: t.integer({ description: "Tokens of the whole conversation.", minimum: 1 }),
    maxTokens: t.integer({ description: "Tokens of one answer at most.", minimum: 1 }),
    cost: openSection("Prices in US dollars for a million tokens.", {
      input: price("Tokens sent."),
      output: price("Tokens of the answer."),
      cacheRead: price("Tokens read from the prompt cache."),
      cacheWrite: price("Tokens written to the prompt cache."),
    }),
    headers: headers(),
    compat: compat(),
  }),
);

const provider = lazy(() =>
  openSection("One provider.", {
    baseUrl: t.string({ description: "Address of the service.", minLength: 1 }),
    apiKey: t.string({ description: "Key of the service.", minLength: 1 }),
    api: api(),
    headers: headers(),
    compat: compat(),
    models: t.array(model(), { description: "Models that are not known by name, or differ." }),
  }),
);

export const models = lazy(() =>
  openSection("Language models.", {
    providers: t.record(provider(), {
      description: "Providers by id, the first part of `provider/model`.",
    }),
  }),
);
