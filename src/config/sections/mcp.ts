// `mcp`: servers whose tools are offered next to our own.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { either, openSection, section } from "./section.js";

const variables = lazy(() =>
  t.record(either([t.string(), t.number(), t.boolean()]), {
    description: "Variables of its environment.",
  }),
);

const server = lazy(() =>
  openSection("One server: give `command` or `url`.", {
    enabled: t.boolean({ description: "Use it.", default: true }),
    command: t.string({ description: "Program to start.", minLength: 1 }),
    args: t.array(t.string(), { description: "Its arguments." }),
    env: variables(),
    cwd: t.string({ description: "Folder in which it starts.", minLength: 1 }),
    url: t.string({ description: "Address of a server that runs.", minLength: 1 }),
    transport: t.choice(["stdio", "streamable-http", "sse"], { description: "How to talk to it." }),
    headers: t.record(t.string(), { description: "Headers of each request." }),
    connectionTimeoutMs: t.integer({ description: "Milliseconds to reach it.", minimum: 1 }),
  }),
);

export const mcp = lazy(() =>
  section("MCP.", {
    servers: t.record(server(), { description: "Servers by id; the id is a group in policies." }),
  }),
);
