// The whole config, composed of its sections: the type, and the JSON Schema for editors and clients.

import { type ArgumentsOf, t } from "../core/index.js";
import { lazy } from "../lib/lazy.js";
import { agents } from "./sections/agents/agents.js";
import { approvals } from "./sections/approvals.js";
import { audit } from "./sections/audit.js";
import { browser } from "./sections/browser.js";
import { budgets } from "./sections/budgets.js";
import { canvasHost } from "./sections/canvas-host.js";
import { channels } from "./sections/channels.js";
import { commands, update } from "./sections/commands.js";
import { cron } from "./sections/cron.js";
import { gateway } from "./sections/gateway.js";
import { hooks } from "./sections/hooks.js";
import { limits } from "./sections/limits.js";
import { mcp } from "./sections/mcp.js";
import { memory } from "./sections/memory.js";
import { messages } from "./sections/messages.js";
import { models } from "./sections/models/models.js";
import { plugins } from "./sections/plugins.js";
import { secrets } from "./sections/secrets.js";
import { section } from "./sections/section.js";
import { session } from "./sections/session.js";
import { tools } from "./sections/tools/tools.js";
import { undo } from "./sections/undo.js";

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

/** What `clawtools.json` may hold; every key may be left out. */
export type ClawtoolsConfig = ArgumentsOf<ReturnType<typeof configSchema>>;

/** The keywords that our sections use, and no others; a test holds that. */
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

/** The same schema as plain JSON, to be walked. */
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
