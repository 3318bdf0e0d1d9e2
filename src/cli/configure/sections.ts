// What `clawtools configure` asks, section by section: each question has a flag and a key of the
// config. What a key takes is read from the schema.

import { SEARCH_PROVIDER_IDS } from "../../core/index.js";

export interface Question {
  /** The flag that answers it; of a key of a service the first half: `api-key` has two flags. */
  readonly flag: string;
  readonly text: string;
  readonly kind: "text" | "number" | "switch" | "secret";
  /** Must be answered. */
  readonly required: boolean;
  /** By the answers before it; a flag answers it all the same. Default: always. */
  readonly isAsked?: (answers: Answers) => boolean;
  /** Where the answer goes; the answers before it may decide. */
  readonly key: (answers: Answers) => string;
  /** What Enter means where the config says nothing. */
  readonly suggested?: (answers: Answers) => string | undefined;
  /** Offered, but others are taken too. */
  readonly examples?: readonly string[];
}

/** By flag, as typed. */
export type Answers = ReadonlyMap<string, string>;

export interface Section {
  readonly name: string;
  readonly about: string;
  readonly questions: readonly Question[];
}

const SEARCH = "tools.web.search";
const MEMORY = "agents.defaults.memorySearch";
const SEARCH_KEYS: Readonly<Record<string, { readonly key: string; readonly variable: string }>> = {
  brave: { key: `${SEARCH}.apiKey`, variable: "BRAVE_API_KEY" },
  perplexity: { key: `${SEARCH}.perplexity.apiKey`, variable: "PERPLEXITY_API_KEY" },
};

/** Those that want no key; every other one does. */
const KEYLESS = ["searxng", "duckduckgo"];

function searchKey(answers: Answers): { readonly key: string; readonly variable: string } {
  const provider = answers.get("provider") ?? "";
  const variable = `${provider.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}_API_KEY`;
  return Object.hasOwn(SEARCH_KEYS, provider)
    ? (SEARCH_KEYS[provider] ?? { key: `${SEARCH}.apiKey`, variable })
    : { key: `${SEARCH}.apiKey`, variable };
}

const at = (key: string) => () => key;

export const SECTIONS: readonly Section[] = [
  {
    name: "tools",
    about: "Which tools are offered.",
    questions: [
      {
        flag: "profile",
        text: "Which set of tools",
        kind: "text",
        required: true,
        key: at("tools.profile"),
        suggested: () => "coding",
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
        kind: "text",
        required: true,
        key: at(`${SEARCH}.provider`),
        suggested: () => "brave",
        examples: SEARCH_PROVIDER_IDS,
      },
      {
        flag: "base-url",
        text: "Address of the server that searches",
        kind: "text",
        required: true,
        isAsked: (answers) => answers.get("provider") === "searxng",
        key: (answers) => `${SEARCH}.${answers.get("provider") ?? "searxng"}.baseUrl`,
        suggested: () => "http://127.0.0.1:8080",
      },
      {
        flag: "api-key",
        text: "Name of the environment variable that holds the key",
        kind: "secret",
        required: true,
        isAsked: (answers) => !KEYLESS.includes(answers.get("provider") ?? ""),
        key: (answers) => searchKey(answers).key,
        suggested: (answers) => searchKey(answers).variable,
      },
      {
        flag: "max-results",
        text: "Results when a call does not say how many",
        kind: "number",
        required: false,
        key: at(`${SEARCH}.maxResults`),
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
        kind: "text",
        required: false,
        key: at("tools.exec.sandbox"),
      },
      {
        flag: "network",
        text: "May commands in the sandbox use the network",
        kind: "switch",
        required: false,
        key: at("tools.exec.network"),
      },
      {
        flag: "security",
        text: "What may run",
        kind: "text",
        required: false,
        key: at("tools.exec.security"),
      },
      {
        flag: "ask",
        text: "When a person is asked",
        kind: "text",
        required: false,
        key: at("tools.exec.ask"),
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
        required: false,
        key: at(`${MEMORY}.enabled`),
      },
      {
        flag: "provider",
        text: "Who makes embeddings",
        kind: "text",
        required: false,
        key: at(`${MEMORY}.provider`),
        examples: ["openai", "local"],
      },
      {
        flag: "api-key",
        text: "Name of the environment variable that holds the key",
        kind: "secret",
        required: false,
        key: at(`${MEMORY}.remote.apiKey`),
      },
      {
        flag: "citations",
        text: "Name the place of each hit",
        kind: "text",
        required: false,
        key: at("memory.citations"),
      },
    ],
  },
];

/** Flags that can answer a question. */
export function flagsOf({ flag, kind }: Question): string[] {
  return kind === "secret" ? [`${flag}-env`, `${flag}-stdin`] : [flag];
}
