// The documented types of a tool, its result, its context and its metadata.

import type { ToolDefinition } from "./define-tool.js";
import { ToolInputError } from "./errors.js";
import type { Browsers } from "./ports/browser.js";
import type { FsBridge } from "./ports/fs-bridge.js";
import type { Images } from "./ports/images.js";
import type { Memory } from "./ports/memory.js";
import type { Net } from "./ports/net.js";
import type { Processes } from "./ports/processes.js";
import type { ArtifactStore } from "./ports/records.js";
import type { Environment } from "./ports/run-ports.js";
import type { SearchProvider } from "./ports/search.js";
import type { Gateway, Models, Sessions } from "./server.js";

export interface TextContent {
  type: "text";
  text: string;
}

export interface ImageContent {
  type: "image";
  /** Base64. */
  data: string;
  mimeType: string;
}

export type ContentBlock = TextContent | ImageContent;

/** `content` is for the model, `details` for programs and never for the model. */
export interface ToolResult<TDetails = unknown> {
  content: ContentBlock[];
  details?: TDetails;
  isError?: true;
  /** The text comes from outside and is data, not instruction; the invoker wraps it. */
  untrusted?: { source: string };
  /** Sentences of the tool itself; the invoker shows them below the content, outside of the wrapper. */
  notices?: readonly string[];
}

export type DetailsOf<Run extends (call: never) => Promise<ToolResult>> = NonNullable<
  Awaited<ReturnType<Run>>["details"]
>;

export interface ToolUpdate {
  content?: ContentBlock[];
  details?: unknown;
  untrusted?: { source: string };
}
export type ToolUpdateCallback = (partial: ToolUpdate) => void;

/** `TParams` types the schema, not the arguments; `defineTool` infers the arguments. */
export interface Tool<TParams = Record<string, unknown>, TDetails = unknown> {
  name: string;
  label?: string;
  description: string;
  parameters: TParams;
  execute(
    toolCallId: string,
    params: Record<string, unknown>,
    signal?: AbortSignal,
    onUpdate?: ToolUpdateCallback,
  ): Promise<ToolResult<TDetails>>;
  ownerOnly?: boolean;
}

/** What a caller knows when tools are resolved. Every field is optional. */
export interface ToolContext {
  /** The shape of `clawtools.json`. */
  config?: Record<string, unknown>;
  workspaceDir?: string;
  agentDir?: string;
  agentId?: string;
  sessionKey?: string;
  /** The run of the session that makes the calls. */
  runId?: string;
  messageChannel?: string;
  agentAccountId?: string;
  sandboxed?: boolean;
  /** File root of the fs tools; defaults to `workspaceDir`. */
  root?: string;
  bridge?: FsBridge;
  /** The caller is the owner: the documents' own name for it. */
  ownerOnly?: boolean;
  /** Texts that were too long for a result, for the tool that pages through them. */
  artifacts?: ArtifactStore;
  /** Decodes pictures; by default that of this machine. */
  images?: Images;
  /** Runs commands; by default those of this machine, in `root`. */
  processes?: Processes;
  /** Reaches the network; by default that of this machine, by the policy of `config`. */
  net?: Net;
  /** Searches and reads notes; by default those in `agentDir`. */
  memory?: Memory;
  /** Drives browsers; by default those of this machine, by the policy of `config`. */
  browsers?: Browsers;
  /** Asks a language model; attached by an agent or a gateway. */
  models?: Models;
  /** The caller can look at images itself. */
  vision?: boolean;
  /** Reads and messages sessions; attached by an agent or a gateway. */
  sessions?: Sessions;
  /** Calls a gateway; by default the one of the state folder. */
  gateway?: Gateway;
  /** Keys and addresses of services; by default the variables of this process. */
  environment?: Environment;
  /** Providers of web search in addition to the built-in ones. */
  searchProviders?: readonly SearchProvider[];
}

export const TOOL_PROFILES = ["minimal", "coding", "messaging", "full"] as const;
export type ToolProfile = (typeof TOOL_PROFILES)[number];

export interface ToolSection {
  id: string;
  label: string;
}

export interface ToolMeta {
  id: string;
  label: string;
  description: string;
  sectionId: string;
  profiles: ToolProfile[];
  /** Part of `group:openclaw` in discovery. */
  includeInOpenClawGroup?: boolean;
  source: "core" | "plugin";
  pluginId?: string;
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export function isToolName(name: unknown): name is string {
  return typeof name === "string" && TOOL_NAME.test(name);
}

export function assertToolName(name: unknown): asserts name is string {
  if (isToolName(name)) return;
  const shown = typeof name === "string" ? JSON.stringify(name.slice(0, 80)) : typeof name;
  throw new ToolInputError(
    `${shown} is not a valid tool name: use 1 to 64 letters, digits, "_" or "-", as every provider requires.`,
    { reason: "name_invalid" },
  );
}

export interface ToolAnnotations {
  /** For people. */
  readonly title: string;
  /** It changes nothing anywhere. */
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
}

/** `definition`: undefined for a plain tool, which says nothing. */
export function toAnnotations(
  definition: ToolDefinition | undefined,
  title: string,
): ToolAnnotations {
  // A definition made by another copy of this package may be without it.
  const { destructive, idempotent, openWorld } = definition?.effects ?? {};
  const readOnly = definition?.readOnly === true;
  return {
    title,
    readOnly,
    destructive: readOnly ? false : (destructive ?? true),
    idempotent: readOnly ? true : (idempotent ?? false),
    openWorld: openWorld ?? true,
  };
}
