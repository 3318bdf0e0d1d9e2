// The command that asks for the settings most people want.

import { JSON_FLAG } from "../flags.js";
import type { Command, CommandGroup } from "./command.js";

const CONFIGURE: Command = {
  group: "configure",
  name: "",
  operands: [],
  summary: "Set up one part of the config by questions, or by flags.",
  notes: [
    "In a terminal it asks for what no flag says; elsewhere it names the flags that are missing.",
    "A key of a service is written as a reference to a variable (--api-key-env), or into the config (--api-key-stdin); it is never taken from the command line.",
  ],
  flags: {
    section: {
      type: "string",
      value: "NAME",
      text: "Which part: tools, web, exec or memory.",
      completes: ["tools", "web", "exec", "memory"],
    },
    profile: {
      type: "string",
      value: "NAME",
      text: "tools: minimal, coding, messaging or full.",
      completes: ["minimal", "coding", "messaging", "full"],
    },
    provider: {
      type: "string",
      value: "NAME",
      text: "web: who searches. memory: who makes embeddings.",
      completes: ["brave", "perplexity", "firecrawl", "searxng", "duckduckgo", "openai", "local"],
    },
    "api-key-env": {
      type: "string",
      value: "NAME",
      text: "web, memory: the variable with the key.",
    },
    "api-key-stdin": { type: "boolean", text: "web, memory: read the key from stdin." },
    "base-url": {
      type: "string",
      value: "URL",
      text: "web: where the provider is, such as your SearXNG.",
    },
    "max-results": { type: "string", value: "COUNT", text: "web: results of one search." },
    sandbox: {
      type: "string",
      value: "KIND",
      text: "exec: auto, bwrap, docker or none.",
      completes: ["auto", "bwrap", "docker", "none"],
    },
    network: {
      type: "string",
      value: "on|off",
      text: "exec: network in the sandbox.",
      completes: ["on", "off"],
    },
    security: {
      type: "string",
      value: "KIND",
      text: "exec: deny, allowlist or full.",
      completes: ["deny", "allowlist", "full"],
    },
    ask: {
      type: "string",
      value: "WHEN",
      text: "exec: off, on-miss or always.",
      completes: ["off", "on-miss", "always"],
    },
    memory: {
      type: "string",
      value: "on|off",
      text: "memory: offer its tools.",
      completes: ["on", "off"],
    },
    citations: {
      type: "string",
      value: "WHEN",
      text: "memory: auto, on or off.",
      completes: ["auto", "on", "off"],
    },
    "dry-run": { type: "boolean", text: "Show the change, check it, and write nothing." },
    ...JSON_FLAG,
  },
  required: [],
  sample: "clawtools configure --section web --provider brave --api-key-env BRAVE_API_KEY",
  load: () => import("../configure/configure.js"),
};

export const CONFIGURE_GROUP: CommandGroup = {
  name: "configure",
  summary: CONFIGURE.summary,
  commands: [CONFIGURE],
};
