// `plugins` and `mcp`: tools from outside.
import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { either, openSection, section, texts } from "./section.js";

const pluginEntry = lazy(() =>
  openSection("One plugin.", {
    enabled: t.boolean({ description: "Load this plugin.", default: true }),
    config: t.record(t.unknown(), {
      description: "Plugin settings, validated against its `configSchema`.",
    }),
  }),
);

export const plugins = lazy(() =>
  section("Plugins.", {
    enabled: t.boolean({ description: "Load plugins.", default: true }),
    allow: texts("Load only these plugins; an empty list loads none."),
    deny: texts("Never load these plugins; deny wins over allow."),
    load: section("Plugin discovery.", {
      paths: texts("Plugin directories, or directories of plugins."),
    }),
    slots: openSection("Exclusive plugin slots.", {
      memory: t.string({ description: "Memory plugin, or `none`." }),
    }),
    entries: t.record(pluginEntry(), { description: "Plugins by id." }),
    installs: t.record(openSection("One installation.", {}), {
      description: "Records of an installer.",
    }),
  }),
);

const variables = lazy(() =>
  t.record(either([t.string(), t.number(), t.boolean()]), {
    description: "Environment variables.",
  }),
);

const server = lazy(() =>
  openSection("One server: set `command` or `url`.", {
    enabled: t.boolean({ description: "Enable the server.", default: true }),
    command: t.string({ description: "Executable.", minLength: 1 }),
    args: t.array(t.string(), { description: "Arguments." }),
    env: variables(),
    cwd: t.string({ description: "Working directory.", minLength: 1 }),
    url: t.string({ description: "URL of a running server.", minLength: 1 }),
    transport: t.choice(["stdio", "streamable-http", "sse"], { description: "Transport." }),
    headers: t.record(t.string(), { description: "Request headers." }),
    connectionTimeoutMs: t.integer({ description: "Connect timeout.", minimum: 1 }),
  }),
);

export const mcp = lazy(() =>
  section("MCP servers.", {
    servers: t.record(server(), {
      description: "Servers by id; policies can use the id as a group.",
    }),
  }),
);
