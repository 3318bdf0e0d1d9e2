// `tools.web`: searching and fetching.
import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { choice, flag, integer, number, openSection, section, text, texts } from "./section.js";

const MAX_SEARCH_RESULTS = 10;
const MIN_FETCH_CHARS = 100;
const MIN_RESPONSE_BYTES = 32_000;
const MAX_RESPONSE_BYTES = 10_000_000;

const enabled = () => flag("Offer the tool.", { default: true });
const apiKey = () => text("API key; takes precedence over the environment.");
const baseUrl = () => text("Base URL.");
const timeoutSeconds = () => number("Request timeout.", { minimum: 1, default: 30 });
const cacheTtlMinutes = () =>
  number("Cache lifetime; 0 disables the cache.", { minimum: 0, default: 15 });

const search = () =>
  openSection("The `web_search` tool.", {
    enabled: enabled(),
    provider: text(
      "`brave`, `perplexity`, `firecrawl`, `searxng`, `duckduckgo`, or one from a plugin. Default: the first configured, then the next when it fails.",
      { minLength: 1 },
    ),
    apiKey: text(
      "API key of the chosen provider, or of `brave`; takes precedence over the environment.",
    ),
    maxResults: integer("Default number of results.", {
      minimum: 1,
      maximum: MAX_SEARCH_RESULTS,
      default: 5,
    }),
    timeoutSeconds: timeoutSeconds(),
    cacheTtlMinutes: cacheTtlMinutes(),
    brave: openSection("The `brave` provider.", { apiKey: apiKey(), baseUrl: baseUrl() }),
    perplexity: openSection("The `perplexity` provider.", {
      apiKey: apiKey(),
      baseUrl: baseUrl(),
      model: text("Model.", { default: "perplexity/sonar-pro" }),
    }),
    firecrawl: openSection("The `firecrawl` provider.", {
      apiKey: apiKey(),
      baseUrl: baseUrl(),
    }),
    searxng: openSection("The `searxng` provider.", {
      apiKey: text("Bearer token for an instance behind a proxy."),
      baseUrl: text("Instance URL, such as `http://127.0.0.1:8080`."),
      categories: text("Comma-separated engine categories.", { default: "general" }),
      language: text("Default language."),
    }),
    duckduckgo: openSection("The `duckduckgo` provider.", {
      baseUrl: baseUrl(),
      region: text("Default region, such as `de-de`."),
      safeSearch: choice("Safe search level.", ["strict", "moderate", "off"]),
    }),
  });

const firecrawl = () =>
  openSection("Firecrawl, used when a page cannot be read directly.", {
    enabled: flag("Use Firecrawl. Default: if an API key is set."),
    apiKey: apiKey(),
    baseUrl: baseUrl(),
    onlyMainContent: flag("Omit menus and footers.", { default: true }),
    maxAgeMs: integer("Maximum age of Firecrawl's cached copy.", { minimum: 0 }),
    timeoutSeconds: timeoutSeconds(),
  });

const fetching = () =>
  openSection("The `web_fetch` tool.", {
    enabled: enabled(),
    maxChars: integer("Default length of the returned text.", {
      minimum: MIN_FETCH_CHARS,
      default: 50_000,
    }),
    maxCharsCap: integer("Maximum length a call can request.", {
      minimum: MIN_FETCH_CHARS,
      default: 50_000,
    }),
    maxResponseBytes: integer("Maximum bytes read from a page.", {
      minimum: MIN_RESPONSE_BYTES,
      maximum: MAX_RESPONSE_BYTES,
      default: 5_000_000,
    }),
    maxRedirects: integer("Maximum redirects.", { minimum: 0, maximum: 5, default: 3 }),
    timeoutSeconds: timeoutSeconds(),
    cacheTtlMinutes: cacheTtlMinutes(),
    userAgent: text("User-Agent header."),
    headers: t.record(t.string(), { description: "Extra request headers." }),
    readability: flag("Extract the main content. `false` keeps all but menus and footers.", {
      default: true,
    }),
    firecrawl: firecrawl(),
  });

export const web = () => section("Web tools.", { search: search(), fetch: fetching() });

export const net = () =>
  section("Network access of all tools. The browser shares only the proxy.", {
    ssrfPolicy: ssrfPolicy(),
    proxy: text(
      "Proxy URL, or `env` to use HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Default: no proxy.",
      { minLength: 1 },
    ),
    noProxy: texts("Hosts to reach without the proxy, including their subdomains."),
  });

const off = (description: string) => flag(description, { default: false });

export const ssrfPolicy = lazy(() =>
  section("Which addresses may be reached. Private addresses are blocked by default.", {
    allowedHostnames: texts("Hosts that may have a private address, such as `localhost`."),
    blockedHostnames: texts("Blocked hosts: a name or `*.example.com`."),
    hostnameAllowlist: texts("If set, only these hosts can be reached."),
    dangerouslyAllowPrivateNetwork: off("Allow all private addresses."),
    allowRfc2544BenchmarkRange: off("Allow 198.18.0.0/15, which some proxies answer with."),
    allowIpv6UniqueLocalRange: off("Allow fc00::/7."),
  }),
);
