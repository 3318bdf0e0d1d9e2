// `plugins` and `mcp`: tools from outside.
import { t } from "../../core/index.js";
import { choice, either, flag, integer, openSection, section, text, texts } from "./section.js";

const pluginEntry = () =>
  openSection("One plugin.", {
    enabled: flag("Load this plugin.", { default: true }),
    config: t.record(t.unknown(), {
      description: "Plugin settings, validated against its `configSchema`.",
    }),
  });

export const plugins = () =>
  section("Plugins.", {
    enabled: flag("Load plugins.", { default: true }),
    allow: texts("Load only these plugins; an empty list loads none."),
    deny: texts("Never load these plugins; deny wins over allow."),
    load: section("Plugin discovery.", {
      paths: texts("Plugin directories, or directories of plugins."),
    }),
    slots: openSection("Exclusive plugin slots.", {
      memory: text("Memory plugin, or `none`."),
    }),
    entries: t.record(pluginEntry(), { description: "Plugins by id." }),
    installs: t.record(openSection("One installation.", {}), {
      description: "Records of an installer.",
    }),
  });

const variables = () =>
  t.record(either([t.string(), t.number(), t.boolean()]), {
    description: "Environment variables.",
  });

const server = () =>
  openSection("One server: set `command` or `url`.", {
    enabled: flag("Enable the server.", { default: true }),
    command: text("Executable.", { minLength: 1 }),
    args: t.array(t.string(), { description: "Arguments." }),
    env: variables(),
    cwd: text("Working directory.", { minLength: 1 }),
    url: text("URL of a running server.", { minLength: 1 }),
    transport: choice("Transport.", ["stdio", "streamable-http", "sse"]),
    headers: t.record(t.string(), { description: "Request headers." }),
    connectionTimeoutMs: integer("Connect timeout.", { minimum: 1 }),
  });

export const mcp = () =>
  section("MCP servers.", {
    servers: t.record(server(), {
      description: "Servers by id; policies can use the id as a group.",
    }),
  });
