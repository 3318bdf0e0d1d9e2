// The whole config, composed of its sections: the type, and the JSON Schema for editors and clients.

import { type ArgumentsOf, t } from "../core/index.js";
import { lazy } from "../lib/lazy.js";
import { agents, memory } from "./sections/agents.js";
import { browser } from "./sections/browser.js";
import { approvals, audit, budgets, hooks, limits, secrets, undo } from "./sections/calls.js";
import { channels, messages, session } from "./sections/conversations.js";
import { mcp, plugins } from "./sections/extensions.js";
import { canvasHost, commands, cron, gateway, update } from "./sections/gateway.js";
import { models } from "./sections/models.js";
import { section } from "./sections/section.js";
import { tools } from "./sections/tools.js";

const JSON_SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Made at its first use: most programs that import the library have no config to check. */
export const configSchema = lazy(() =>
  section("clawtools configuration.", {
    $schema: t.string({ description: "Schema URL for editors; otherwise ignored." }),
    tools: tools(),
    agents: agents(),
    models: models(),
    limits: limits(),
    budgets: budgets(),
    undo: undo(),
    audit: audit(),
    approvals: approvals(),
    browser: browser(),
    plugins: plugins(),
    mcp: mcp(),
    memory: memory(),
    secrets: secrets(),
    session: session(),
    messages: messages(),
    channels: channels(),
    gateway: gateway(),
    cron: cron(),
    hooks: hooks(),
    commands: commands(),
    canvasHost: canvasHost(),
    update: update(),
  }),
);

export type ClawtoolsConfig = ArgumentsOf<ReturnType<typeof configSchema>>;

export interface SchemaNode {
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  readonly description?: string;
  readonly default?: unknown;
  readonly deprecated?: boolean;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: SchemaNode;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: true | SchemaNode;
  readonly propertyNames?: { readonly pattern: string; readonly maxLength: number };
  readonly anyOf?: readonly SchemaNode[];
}

export function configSchemaNode(): SchemaNode {
  // TypeBox's types say nothing of keywords such as `minimum`; the JSON below them has this shape.
  return configSchema() as object as SchemaNode;
}

/** JSON Schema, draft 2020-12; a new object at each call. */
export function configJsonSchema(): Record<string, unknown> {
  return {
    $schema: JSON_SCHEMA_DIALECT,
    title: "clawtools.json",
    ...structuredClone(configSchema()),
  };
}
