// `models`: model providers, and how a model is chosen.
import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { either, flag, integer, number, openSection, section, text, texts } from "./section.js";

const price = (description: string) => number(description, { minimum: 0 });

const headers = () => t.record(t.string(), { description: "Extra request headers." });

const compat = () =>
  t.record(t.unknown(), {
    description: "Deviations from the API format; see docs/models.md.",
  });

const api = () =>
  text(
    "`openai-completions`, `openai-responses`, `anthropic-messages` or `google-generative-ai`.",
    { minLength: 1 },
  );

const model = () =>
  openSection("One model.", {
    id: text("Model id at the provider.", { minLength: 1 }),
    name: text("Display name."),
    api: api(),
    reasoning: flag("The model supports reasoning."),
    input: t.array(t.choice(["text", "image"]), { description: "Accepted input." }),
    contextWindow: integer("Context window in tokens.", { minimum: 1 }),
    maxTokens: integer("Maximum output tokens.", { minimum: 1 }),
    cost: openSection("Prices in US dollars per million tokens.", {
      input: price("USD per million input tokens."),
      output: price("USD per million output tokens."),
      cacheRead: price("USD per million tokens read from the prompt cache."),
      cacheWrite: price("USD per million tokens written to the prompt cache."),
    }),
    headers: headers(),
    compat: compat(),
  });

const provider = () =>
  openSection("One provider.", {
    baseUrl: text("Base URL.", { minLength: 1 }),
    apiKey: text("API key.", { minLength: 1 }),
    api: api(),
    headers: headers(),
    compat: compat(),
    models: t.array(model(), { description: "Models that are not built in, or that differ." }),
  });

export const models = () =>
  openSection("Model providers.", {
    providers: t.record(provider(), {
      description: "Providers by id, the first part of `provider/model`.",
    }),
  });

const name = () => text("`provider/model`.", { minLength: 1 });

export const modelChoice = lazy(() =>
  either(
    [
      name(),
      section("A primary model and fallbacks.", {
        primary: name(),
        fallbacks: texts("Tried in order when the primary fails."),
      }),
    ],
    { description: "`provider/model`, or a primary with fallbacks." },
  ),
);
