// The MCP clients that can be set up: where their servers are configured, and how.

import { join } from "node:path";

export type Scope = "project" | "user";

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface HttpServer {
  readonly url: string;
  readonly token: string;
}

export interface ClientPlaces {
  readonly root: string;
  readonly home: string;
  readonly platform: string;
}

export interface McpClient {
  readonly id: string;
  readonly title: string;
  readonly key: string;
  readonly file: (scope: Scope, places: ClientPlaces) => string;
  readonly entry: (server: ServerCommand) => Readonly<Record<string, unknown>>;
  readonly line?: (server: ServerCommand, scope: Scope) => readonly string[];
  /** What its entry has for an HTTP server, besides url and headers; or the command that makes one. */
  readonly http?: Readonly<Record<string, string>> | ((server: HttpServer) => string);
  readonly nextStep: string;
}

/** What a person copies to connect the client to a running server, and where it goes. */
export function overHttp(client: McpClient, server: HttpServer) {
  const { key, http = {} } = client;
  if (typeof http === "function") return { where: "in a shell", text: http(server) };
  const where = client.file("project", { root: "", home: "", platform: "" });
  return {
    where,
    text: JSON.stringify({ [key]: { clawtools: { ...http, ...httpEntry(server) } } }),
  };
}

function plainEntry({ command, args }: ServerCommand): Readonly<Record<string, unknown>> {
  return { command, args };
}

function typedEntry(server: ServerCommand): Readonly<Record<string, unknown>> {
  return { type: "stdio", ...plainEntry(server) };
}

function httpEntry({ url, token }: HttpServer): Readonly<Record<string, unknown>> {
  return { url, headers: { Authorization: `Bearer ${token}` } };
}

function codeFolder({ home, platform }: ClientPlaces): string {
  return platform === "darwin"
    ? join(home, "Library", "Application Support", "Code", "User")
    : join(home, ".config", "Code", "User");
}

export const CLIENTS: readonly McpClient[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    key: "mcpServers",
    file: (scope, { root, home }) =>
      scope === "project" ? join(root, ".mcp.json") : join(home, ".claude.json"),
    entry: typedEntry,
    line: ({ command, args }, scope) => [
      ...["claude", "mcp", "add", "--scope", scope, "clawtools", "--"],
      ...[command, ...args],
    ],
    http: ({ url, token }) =>
      `claude mcp add --transport http clawtools ${url} --header "Authorization: Bearer ${token}"`,
    nextStep: "Start `claude` in the project; `/mcp` shows the server.",
  },
  {
    id: "cursor",
    title: "Cursor",
    key: "mcpServers",
    file: (scope, { root, home }) => join(scope === "project" ? root : home, ".cursor", "mcp.json"),
    entry: plainEntry,
    nextStep: "Open the project in Cursor; the server is listed in its settings, under MCP.",
  },
  {
    id: "vscode",
    title: "VS Code",
    key: "servers",
    file: (scope, places) =>
      scope === "project"
        ? join(places.root, ".vscode", "mcp.json")
        : join(codeFolder(places), "mcp.json"),
    entry: typedEntry,
    http: { type: "http" },
    nextStep: "Open the project in VS Code; the command `MCP: List Servers` starts it.",
  },
  {
    id: "zed",
    title: "Zed",
    key: "context_servers",
    file: (scope, { root, home }) =>
      scope === "project"
        ? join(root, ".zed", "settings.json")
        : join(home, ".config", "zed", "settings.json"),
    entry: (server) => ({ source: "custom", ...plainEntry(server), env: {} }),
    nextStep: "Open the project in Zed; the server is listed in the settings of the Agent Panel.",
  },
];
