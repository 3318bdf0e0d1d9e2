// `mcp`: servers whose tools are offered next to our own.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { either, openSection, section } from "./section.js";

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
