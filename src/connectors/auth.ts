// Finds the API key of a provider in values that are passed in.
// Reading the live environment is left to `toolkit/resolve-auth.ts`.

import type { ResolvedAuth } from "../core/connector.js";

export type AuthResolver = (provider: string) => ResolvedAuth | undefined;

export interface AuthRequest {
  readonly provider: string;
  /** Names of variables, best first. */
  readonly envVars?: readonly string[] | undefined;
  readonly explicitKey?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The explicit key, else the first variable of `envVars` that is set, else `<PROVIDER>_API_KEY`.
 * A blank value counts as absent, and white space around a key is dropped. Never throws.
 */
export function resolveAuthFrom(request: AuthRequest): ResolvedAuth | undefined {
  const explicit = readKey(request.explicitKey);
  if (explicit !== undefined) return { mode: "api-key", apiKey: explicit, source: "explicit" };
  for (const name of readNames(request)) {
    const apiKey = readKey(request.env[name]);
    if (apiKey !== undefined) return { mode: "api-key", apiKey, source: `env:${name}` };
  }
  return undefined;
}

/** Callers may be plain JavaScript: one text is one name, and what is not text is not a name. */
function readNames({ envVars, provider }: { envVars?: unknown; provider: unknown }): string[] {
  const named: unknown[] = Array.isArray(envVars) ? envVars : [envVars];
  const usual = typeof provider === "string" ? [toConventionalName(provider)] : [];
  return [...named.filter((name) => typeof name === "string"), ...usual];
}

/** `my-provider` → `MY_PROVIDER_API_KEY`. */
export function toConventionalName(provider: string): string {
  return `${provider.replaceAll("-", "_").toUpperCase()}_API_KEY`;
}

function readKey(value: unknown): string | undefined {
  return (typeof value === "string" && value.trim()) || undefined;
}
