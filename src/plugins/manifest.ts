// The manifest `openclaw.plugin.json`: what a plugin says of itself, read without running its code.
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ErrorCode, ToolError, toToolError } from "../core/index.js";
import { isMissing } from "../lib/errno.js";
import { isBelow } from "../lib/paths.js";
import { readPlainFile } from "../lib/system/open-plain.js";

type ContainedFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "outside" }
  | { readonly kind: "not_a_file" }
  | { readonly kind: "too_large"; readonly bytes: number };

interface ContainedFileRequest {
  readonly folder: string;
  readonly name: string;
  readonly maxBytes: number;
}

export const MANIFEST_FILE = "openclaw.plugin.json";
export const MAX_MANIFEST_BYTES = 256 * 1024;
const PLUGIN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const BYTE_ORDER_MARK = "\uFEFF";
const TEXT: FieldRule = { fits: (value) => typeof value === "string", expected: "a text" };
const TEXTS: FieldRule = { fits: isTextList, expected: "a list of texts" };
const FIELDS: Readonly<Record<string, FieldRule>> = {
  id: { fits: isPluginId, expected: 'up to 128 letters, digits, ".", "_" or "-"' },
  configSchema: { fits: isPlainObject, expected: "a JSON Schema object" },
  name: TEXT,
  description: TEXT,
  version: TEXT,
  kind: TEXT,
  channels: TEXTS,
  providers: TEXTS,
  skills: TEXTS,
};

interface FieldRule {
  readonly fits: (value: unknown) => boolean;
  readonly expected: string;
}

export interface PluginManifest {
  id: string;
  name?: string;
  description?: string;
  version?: string;
  /** Such as `memory`; any word is kept. */
  kind?: string;
  /** JSON Schema of the plugin's own settings. */
  configSchema?: Record<string, unknown>;
  channels?: string[];
  providers?: string[];
  skills?: string[];
}

interface JsonSource {
  readonly text: string;
  readonly file: string;
  readonly problem: PluginProblem;
}

export function isPluginId(value: unknown): value is string {
  return typeof value === "string" && PLUGIN_ID.test(value);
}

/** `folder` is a real path. Throws a PluginError that names the file, and the field if it is one. */
export async function readManifest(folder: string) {
  const file = `${folder}/${MANIFEST_FILE}`;
  const text = await readText(folder, file);
  return parseManifest(parseJsonText({ text, file, problem: "manifest_not_json" }), file);
}

export function parseManifest(value: unknown, file: string) {
  if (!isPlainObject(value)) throw wrongField(file, "the manifest must be an object");
  for (const [field, { fits, expected }] of Object.entries(FIELDS)) {
    const isLeftOut = value[field] === undefined && field !== "id";
    if (!isLeftOut && !fits(value[field])) {
      throw wrongField(file, `"${field}" must be ${expected}`);
    }
  }
  const isKnown = (key: string) => Object.hasOwn(FIELDS, key);
  const known: object = Object.fromEntries(Object.entries(value).filter(([key]) => isKnown(key)));
  // A parse border: every field has just been checked.
  const manifest = known as PluginManifest;
  return { manifest, unknownKeys: Object.keys(value).filter((key) => !isKnown(key)) };
}

/** Strips a byte order mark. The error names the position, never the text around it. */
export function parseJsonText(source: JsonSource): unknown {
  const { text, file, problem } = source;
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch (error) {
    const offset = /position (\d+)/.exec(toToolError(error).message)?.[1];
    const place = offset === undefined ? "" : ` at character ${offset}`;
    throw new PluginError(`${file} is not valid JSON${place}.`, { problem });
  }
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function readText(folder: string, file: string): Promise<string> {
  const read = await readContainedFile({
    folder,
    name: MANIFEST_FILE,
    maxBytes: MAX_MANIFEST_BYTES,
  }).catch((error: unknown) => {
    throw new PluginError(`${file} cannot be read: ${toToolError(error).message}`, {
      problem: "manifest_unreadable",
      cause: error,
    });
  });
  if (read.kind === "text") return read.text;
  if (read.kind === "too_large") {
    throw new PluginError(
      `${file} has ${read.bytes} bytes; a manifest may have ${MAX_MANIFEST_BYTES}.`,
      { problem: "manifest_too_large" },
    );
  }
  const why = {
    missing: "it is not there",
    outside: "it is a link that leaves the plugin folder",
    not_a_file: "it is not a regular file",
  }[read.kind];
  throw new PluginError(`${file} cannot be read: ${why}.`, { problem: "manifest_unreadable" });
}

function wrongField(file: string, what: string): PluginError {
  return new PluginError(`${file}: ${what}.`, { problem: "manifest_invalid" });
}

export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

/** Throws what the file system throws, but for a file that is not there. */
export async function readContainedFile(request: ContainedFileRequest): Promise<ContainedFile> {
  const { folder, name, maxBytes } = request;
  const target = await realPathOf(join(folder, name));
  if (target === undefined) return { kind: "missing" };
  if (!isBelow(target, folder)) return { kind: "outside" };
  const content = await readPlainFile(target, maxBytes);
  if (content !== undefined) return { kind: "text", text: content.toString() };
  const facts = await stat(target);
  return facts.isFile() ? { kind: "too_large", bytes: facts.size } : { kind: "not_a_file" };
}

export async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export const PROBLEM_CODES = {
  search_path_invalid: "invalid_input",
  search_path_missing: "not_found",
  search_path_unreadable: "failed",
  manifest_unreadable: "failed",
  manifest_too_large: "limit",
  manifest_not_json: "invalid_input",
  manifest_invalid: "invalid_input",
  package_invalid: "invalid_input",
  entry_missing: "not_found",
  entry_outside_folder: "denied",
  entry_needs_newer_node: "unavailable",
  import_failed: "failed",
  no_register: "invalid_input",
  register_failed: "failed",
  register_timeout: "timeout",
  id_duplicate: "conflict",
  id_is_tool_name: "conflict",
  settings_invalid: "invalid_input",
  config_invalid: "invalid_input",
  disabled: "denied",
  not_found: "not_found",
  stopped: "aborted",
  unexpected: "internal",
} as const satisfies Record<string, ErrorCode>;

export type PluginProblem = keyof typeof PROBLEM_CODES;

interface PluginErrorOptions {
  readonly problem: PluginProblem;
  readonly cause?: unknown;
}

export class PluginError extends ToolError {
  readonly problem: PluginProblem;

  constructor(message: string, options: PluginErrorOptions) {
    super(PROBLEM_CODES[options.problem], message, {
      reason: options.problem,
      cause: options.cause,
    });
    this.name = "PluginError";
    this.problem = options.problem;
  }
}
