// `tools.web`: searching and fetching.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { openSection, section } from "../section.js";

const MAX_SEARCH_RESULTS = 10;
const MIN_FETCH_CHARS = 100;
const MIN_RESPONSE_BYTES = 32_000;
const MAX_RESPONSE_BYTES = 10_000_000;

const enabled = lazy(() => t.boolean({ description: "Offer the tool.", default: true }));
const apiKey = lazy(() =>
  t.string({ description: "Key of the provider; wins over the environment." }),
);
const baseUrl = lazy(() => t.string({ description: "Address of the provider." }));
const timeoutSeconds = lazy(() =>
  t.number({
    description: "Seconds that one request may take.",
    minimum: 1,
    default: 30,
  }),
);
const cacheTtlMinutes = lazy(() =>
  t.number({
    description: "Minutes for which an answer is kept; 0 keeps none.",
    minimum: 0,
    default: 15,
  }),
);

const search = lazy(() =>
  openSection("The tool `web_search`.", {
    enabled: enabled(),
    provider: t.string({
      description:
        "Who searches: `brave`, `perplexity`, `firecrawl`, `searxng`, `duckduckgo`, or one that a plugin adds. Without it the first that is set up, and the next when it fails.",
      minLength: 1,
    }),
    apiKey: t.string({
      description: "Key of the chosen provider, or of `brave`; wins over the environment.",
    }),
    maxResults: t.integer({
      description: "Results when the call does not say how many.",
      minimum: 1,
      maximum: MAX_SEARCH_RESULTS,
      default: 5,
    }),
    timeoutSeconds: timeoutSeconds(),
    cacheTtlMinutes: cacheTtlMinutes(),
    brave: openSection("For the provider `brave`.", { apiKey: apiKey(), baseUrl: baseUrl() }),
    perplexity: openSection("For the provider `perplexity`.", {
      apiKey: apiKey(),
      baseUrl: baseUrl(),
      model: t.string({ description: "Model that answers.", default: "perplexity/sonar-pro" }),
    }),
    firecrawl: openSection("For the provider `firecrawl`.", {
      apiKey: apiKey(),
      baseUrl: baseUrl(),
    }),
    searxng: openSection("For the provider `searxng`.", {
      apiKey: t.string({ description: "Sent as a bearer token, for an instance behind a proxy." }),
      baseUrl: t.string({
        description: "Address of the instance, such as `http://127.0.0.1:8080`.",
      }),
      categories: t.string({
        description: "Categories of engines, with commas between them.",
        default: "general",
      }),
      language: t.string({ description: "Language when the call names none." }),
    }),
    duckduckgo: openSection("For the provider `duckduckgo`.", {
      baseUrl: baseUrl(),
      region: t.string({ description: "Region when the call names no country, such as `de-de`." }),
      safeSearch: t.choice(["strict", "moderate", "off"], { description: "What is left out." }),
    }),
  }),
);

const firecrawl = lazy(() =>
  openSection("Firecrawl, asked when a page cannot be read otherwise.", {
    enabled: t.boolean({ description: "Ask it. Default: when there is a key." }),
    apiKey: apiKey(),
    baseUrl: baseUrl(),
    onlyMainContent: t.boolean({ description: "Leave out menus and footers.", default: true }),
    maxAgeMs: t.integer({ description: "Milliseconds that its own copy may be old.", minimum: 0 }),
    timeoutSeconds: timeoutSeconds(),
  }),
);

const fetching = lazy(() =>
  openSection("The tool `web_fetch`.", {
    enabled: enabled(),
    maxChars: t.integer({
      description: "Characters of text when the call does not say how many.",
      minimum: MIN_FETCH_CHARS,
      default: 50_000,
    }),
    maxCharsCap: t.integer({
      description: "Characters that a call can ask for at most.",
      minimum: MIN_FETCH_CHARS,
      default: 50_000,
    }),
    maxResponseBytes: t.integer({
      description: "Bytes of a page that are read.",
      minimum: MIN_RESPONSE_BYTES,
      maximum: MAX_RESPONSE_BYTES,
      default: 5_000_000,
    }),
    maxRedirects: t.integer({
      description: "Redirects that are followed.",
      minimum: 0,
      maximum: 5,
      default: 3,
    }),
    timeoutSeconds: timeoutSeconds(),
    cacheTtlMinutes: cacheTtlMinutes(),
    userAgent: t.string({ description: "Name under which pages are asked for." }),
    headers: t.record(t.string(), { description: "Further headers of each request." }),
    readability: t.boolean({
      description: "Take the main part of a page. `false` takes all of it but menus and footers.",
      default: true,
    }),
    firecrawl: firecrawl(),
  }),
);

export const web = lazy(() => section("The web.", { search: search(), fetch: fetching() }));
