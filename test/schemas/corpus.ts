// The schemas that every target is tried with: our own tools, and tools in the style of well-known
// MCP servers. Each has two samples of valid arguments.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CATALOG } from "../../src/tools/catalog.js";
import { sampleArguments } from "../fakes/sample-arguments.js";

const SERVERS = join(import.meta.dirname, "../data/schemas/servers");

export interface CorpusTool {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
  readonly aliases: Readonly<Record<string, string>>;
  /** Only what is required. */
  readonly minimal: Record<string, unknown>;
  readonly full: Record<string, unknown>;
}

export function readOwnTools(): CorpusTool[] {
  return CATALOG.map(({ tool }) => {
    const full = sampleArguments(tool.parameters);
    const { required } = tool.parameters;
    const names = Array.isArray(required) ? required : [];
    const minimal = Object.fromEntries(names.map((name) => [name, full[name]]));
    const { name, description, parameters, aliases } = tool;
    return { server: "clawtools", name, description, parameters, aliases, minimal, full };
  });
}

export function readServerTools(): CorpusTool[] {
  return readdirSync(SERVERS).flatMap((file) => {
    const tools: Omit<CorpusTool, "server" | "aliases">[] = JSON.parse(
      readFileSync(join(SERVERS, file), "utf8"),
    );
    const server = file.replace(/\.json$/, "");
    return tools.map((tool) => ({ ...tool, server, aliases: {} }));
  });
}
