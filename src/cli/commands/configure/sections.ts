// What `clawtools configure` asks, section by section: each question has a flag and a key of the
// config. What a key takes is read from the schema.

import type { ClawtoolsConfig } from "../../../config/index.js";
import { SEARCH_PROVIDER_IDS } from "../../../core/index.js";
import { createEnvironment } from "../../../drivers/environment.js";
import { loadSearchSetup } from "../../../tools/web_search/index.js";
import { findProviderFault } from "../config/search-provider.js";

export interface Question {
  /** The flag that answers it; of a key of a service the first half: `api-key` has two flags. */
  readonly flag: string;
  readonly text: string;
  /** Default: text. */
  readonly kind?: "number" | "switch" | "secret";
  /** Must be answered. */
  readonly required?: true;
  /** By the answers before it; a flag answers it all the same. Default: always. */
  readonly isAsked?: (answers: Answers) => boolean;
  /** Where the answer goes; the answers before it may decide. */
  readonly key: string | ((answers: Answers) => string);
  /** What Enter means when the config has no value. */
  readonly suggested?: (answers: Answers) => string | undefined;
  readonly examples?: readonly string[];
  readonly meanings?: Readonly<Record<string, string>>;
  /** What applies when neither the config nor the schema has a value. */
  readonly unsetMeans?: string;
  readonly findFault?: (typed: string, config: ClawtoolsConfig) => string | undefined;
}

export type Answers = ReadonlyMap<string, string>;

export interface Section {
  readonly name: string;
  readonly about: string;
  readonly questions: readonly Question[];
}

const SEARCH = "tools.web.search";
const MEMORY = "agents.defaults.memorySearch";
export const PROVIDER_KEY = `${SEARCH}.provider`;
/** The key that several providers share. */
export const SHARED_KEY = `${SEARCH}.apiKey`;
const SEARCH_MEANINGS: Readonly<Record<string, string>> = {
  brave: "Brave Search, with a key",
  perplexity: "Perplexity, with a key",
  firecrawl: "Firecrawl, with a key",
  searxng: "a SearXNG server of yours, without a key",
  duckduckgo: "DuckDuckGo, without a key",
};

const KEYLESS = ["searxng", "duckduckgo"];

/** undefined for a provider without a key. */
export function keyOfProvider(provider: string): string | undefined {
  if (KEYLESS.includes(provider)) return undefined;
  return provider === "perplexity" ? `${SEARCH}.perplexity.apiKey` : SHARED_KEY;
}

/** As plugins name theirs, too: `BRAVE_API_KEY`. */
function variableOf(provider: string): string {
  return `${provider.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_API_KEY`;
}

const providerIn = (answers: Answers) => answers.get("provider") ?? "";

export const SECTIONS: readonly Section[] = [
  {
    name: "tools",
    about: "Which tools are offered.",
    questions: [
      {
        flag: "profile",
        text: "Which set of tools",
        required: true,
        key: "tools.profile",
        suggested: () => "coding",
        meanings: {
          minimal: "the state of the session, nothing else",
          coding: "files, commands, sessions, the memory and images",
          messaging: "messages and sessions",
          full: "every tool",
        },
      },
    ],
  },
  {
    name: "web",
    about: "The web: who searches, and with which key.",
    questions: [
      {
        flag: "provider",
        text: "Who searches",
        required: true,
        key: PROVIDER_KEY,
        suggested: () => "brave",
        examples: SEARCH_PROVIDER_IDS,
        meanings: SEARCH_MEANINGS,
        findFault: findProviderFault,
      },
      {
        flag: "base-url",
        text: "Address of the server that searches",
        required: true,
        isAsked: (answers) => providerIn(answers) === "searxng",
        key: (answers) => `${SEARCH}.${answers.get("provider") ?? "searxng"}.baseUrl`,
        suggested: () => "http://127.0.0.1:8080",
      },
      {
        flag: "api-key",
        text: "Name of the environment variable that holds the key",
        kind: "secret",
        required: true,
        isAsked: (answers) => !KEYLESS.includes(providerIn(answers)),
        key: (answers) => keyOfProvider(providerIn(answers)) ?? SHARED_KEY,
        suggested: (answers) => variableOf(providerIn(answers)),
      },
      {
        flag: "max-results",
        text: "Results when a call does not say how many",
        kind: "number",
        key: `${SEARCH}.maxResults`,
      },
    ],
  },
  {
    name: "exec",
    about: "Commands: what contains them, and who is asked.",
    questions: [
      {
        flag: "sandbox",
        text: "What contains commands",
        key: "tools.exec.sandbox",
        meanings: {
          auto: "bubblewrap where it works, else this machine itself",
          bwrap: "bubblewrap; where it does not work, no command runs",
          none: "nothing: commands run on this machine",
        },
      },
      {
        flag: "network",
        text: "May commands in the sandbox use the network",
        kind: "switch",
        key: "tools.exec.network",
        unsetMeans: "off",
      },
      {
        flag: "security",
        text: "What may run",
        key: "tools.exec.security",
        meanings: {
          deny: "no command runs",
          allowlist: "what the list of grants covers; the rest is asked about or refused",
          full: "everything; outside of a sandbox nothing contains it",
        },
        unsetMeans: "full in a sandbox, else allowlist",
      },
      {
        flag: "ask",
        text: "When a person is asked",
        key: "tools.exec.ask",
        meanings: {
          off: "never: what the list does not cover is refused",
          "on-miss": "about what the list does not cover",
          always: "about every command",
        },
        unsetMeans: "off in a sandbox, else on-miss",
      },
    ],
  },
  {
    name: "memory",
    about: "The memory: whether it is searched, and who makes embeddings.",
    questions: [
      {
        flag: "memory",
        text: "Offer the memory tools",
        kind: "switch",
        key: `${MEMORY}.enabled`,
      },
      {
        flag: "provider",
        text: "Embedding provider",
        key: `${MEMORY}.provider`,
        examples: ["openai", "local"],
        unsetMeans: "none",
      },
      {
        flag: "api-key",
        text: "Name of the environment variable that holds the key",
        kind: "secret",
        key: `${MEMORY}.remote.apiKey`,
        unsetMeans: "none",
      },
      {
        flag: "citations",
        text: "Name the place of each hit",
        key: "memory.citations",
        meanings: {
          auto: "in direct chats only",
          on: "always",
          off: "never",
        },
      },
    ],
  },
];

export function flagsOf({ flag, kind }: Question): string[] {
  return kind === "secret" ? [`${flag}-env`, `${flag}-stdin`] : [flag];
}

export async function readSearchSetup(config: ClawtoolsConfig) {
  const { describeSearchSetup } = await loadSearchSetup();
  return describeSearchSetup({ config, environment: createEnvironment() });
}
