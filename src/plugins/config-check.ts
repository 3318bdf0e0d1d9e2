// Checks the settings of a plugin against the schema in its manifest, before any of its code runs.

import {
  compileValidator,
  type Problem,
  type TimeGuard,
  toToolError,
  type Validator,
} from "../core/index.js";
import type { PluginManifest } from "./manifest.js";
import { PluginError } from "./problem.js";
import { readPluginConfig, type SettingsSource } from "./settings.js";

const MAX_SHOWN_PROBLEMS = 5;
const MASK = "…";

export interface ConfigCheck {
  readonly manifest: PluginManifest;
  readonly source: SettingsSource;
  /** Ends a pattern of the schema that would not end by itself. */
  readonly guard: TimeGuard | undefined;
}

/** A frozen copy of the settings. Throws a PluginError that names each wrong field. */
export async function checkPluginConfig(
  request: ConfigCheck,
): Promise<Readonly<Record<string, unknown>>> {
  const { manifest, source } = request;
  const place = `config.plugins.entries.${manifest.id}.config`;
  const config = copyConfig(readPluginConfig(manifest.id, source), place);
  if (manifest.configSchema === undefined) return config;
  const validator = await compile(manifest, request.guard);
  const problems = findProblems(validator, { config, place });
  if (problems.length === 0) return config;
  const shown = problems.slice(0, MAX_SHOWN_PROBLEMS);
  const listed = shown.map(({ path, message }) => `${joinPath(place, path)}: ${message}`);
  const more = problems.length - shown.length;
  if (more > 0) listed.push(`and ${more} more`);
  throw new PluginError(
    `the settings of "${manifest.id}" do not fit its configSchema: ${listed.join("; ")}.`,
    { problem: "config_invalid" },
  );
}

async function compile(manifest: PluginManifest, guard: TimeGuard | undefined): Promise<Validator> {
  try {
    return await compileValidator(manifest.configSchema, guard === undefined ? {} : { guard });
  } catch (error) {
    throw new PluginError(
      `the configSchema of "${manifest.id}" cannot be used: ${toToolError(error).message}`,
      { problem: "manifest_invalid", cause: error },
    );
  }
}

/**
 * The validator shows what it received, and settings hold keys and passwords. So the words come
 * from a second check, of a copy in which every text is a placeholder.
 */
function findProblems(
  validator: Validator,
  settings: { readonly config: unknown; readonly place: string },
): readonly Problem[] {
  try {
    const checked = validator.check(settings.config);
    if (checked.ok) return [];
    const masked = validator.check(maskTexts(settings.config));
    const words = new Map(
      masked.ok ? [] : masked.problems.map(({ path, message }) => [path, message]),
    );
    return checked.problems.map(({ path }) => ({
      path,
      message: words.get(path) ?? "does not fit the schema",
    }));
  } catch (error) {
    throw new PluginError(`${settings.place} cannot be checked: ${toToolError(error).message}`, {
      problem: "config_invalid",
      cause: error,
    });
  }
}

function maskTexts(config: unknown): unknown {
  const mask = (_key: string, value: unknown) => (typeof value === "string" ? MASK : value);
  return JSON.parse(JSON.stringify(config, mask));
}

/** `config` and `server.port` or `[0].name`, as one path. */
function joinPath(place: string, path: string): string {
  return path === "" || path.startsWith("[") ? `${place}${path}` : `${place}.${path}`;
}

/** A copy, so that a plugin cannot change the settings of the program that loads it. */
function copyConfig(config: Record<string, unknown>, place: string): Record<string, unknown> {
  try {
    const copy = structuredClone(config);
    freezeAll(copy);
    return copy;
  } catch (error) {
    throw new PluginError(`${place} must be plain data: ${toToolError(error).message}`, {
      problem: "config_invalid",
      cause: error,
    });
  }
}

function freezeAll(root: object): void {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== "object" || value === null || Object.isFrozen(value)) continue;
    // A view of bytes cannot be frozen; the copy is the plugin's own, so it may stay open.
    if (ArrayBuffer.isView(value)) continue;
    pending.push(...Object.values(Object.freeze(value)));
  }
}
