// Secret references of OpenClaw, `{ source, provider, id }`: what stands there is read from the
// environment or from a file of `secrets.providers`. Nothing is run to get a secret.

import { isObject } from "../check/check-value.js";
import { readBytes } from "./read-bytes.js";

const SOURCES: readonly unknown[] = ["env", "file", "exec", "store"];
const REFERENCE_KEYS: ReadonlySet<string> = new Set(["source", "provider", "id"]);
const DEFAULT_PROVIDER = "default";
const MAX_SECRET_FILE_BYTES = 1024 * 1024;

export interface SecretReference {
  readonly source: string;
  readonly provider?: string;
  readonly id: string;
}

/** "has no such value", behind the place; the secret itself is never in it. */
export type ReadSecret = (
  reference: SecretReference,
) => { readonly secret: string } | { readonly why: string };

type Plain = Readonly<Record<string, unknown>>;

export interface SecretPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly toAbsolute: (path: string) => string;
}

export function isSecretReference(value: unknown): value is SecretReference {
  if (!isObject(value) || !Object.keys(value).every((key) => REFERENCE_KEYS.has(key))) return false;
  const { source, provider = "", id } = value;
  return SOURCES.includes(source) && typeof provider === "string" && typeof id === "string";
}

/** Reads the files of all providers first; one that cannot be read fails what refers to it only. */
export async function createSecretReader(
  config: unknown,
  places: SecretPlaces,
): Promise<ReadSecret> {
  const { providers, defaults } = below(below(config).secrets);
  const texts = new Map<string, string>();
  for (const [name, provider] of Object.entries(below(providers))) {
    const { source, path } = below(provider);
    if (source !== "file" || typeof path !== "string") continue;
    const read = await readBytes(places.toAbsolute(path), MAX_SECRET_FILE_BYTES);
    if (read.kind === "bytes") texts.set(name, read.bytes.toString("utf8"));
  }
  return ({ source, provider, id }) => {
    const standard = String(below(defaults)[source] ?? DEFAULT_PROVIDER);
    const name = provider ?? standard;
    const own = below(below(providers)[name]);
    if (source !== "env" && source !== "file") {
      return { why: `has the source "${source}", which is not supported here; use env or file` };
    }
    if (own.source !== source && !(source === "env" && name === standard && !own.source)) {
      return { why: `needs a provider of secrets.providers with the source "${source}"` };
    }
    const secret = source === "env" ? fromEnv(id, own, places) : fromFile(id, own, texts.get(name));
    if (secret !== undefined && secret !== "") return { secret };
    const place = source === "env" ? "The environment" : "The file of its provider";
    return { why: `names a secret that cannot be read. ${place} must have it under the id` };
  };
}

function fromEnv(id: string, { allowlist }: Plain, { env }: SecretPlaces): string | undefined {
  if (Array.isArray(allowlist) && !allowlist.includes(id)) return undefined;
  return Object.hasOwn(env, id) ? env[id] : undefined;
}

/** `id` is a JSON pointer, or `value` for a file that holds one secret. */
function fromFile(id: string, { mode }: Plain, text = ""): string | undefined {
  if (mode === "singleValue") return id === "value" ? text.replace(/\r?\n$/, "") : undefined;
  try {
    const steps = id.split("/").slice(1);
    const found = steps.reduce<unknown>((value, step) => {
      const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
      return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    }, JSON.parse(text));
    return typeof found === "string" ? found : undefined;
  } catch {
    // What is no JSON holds no secret; the parser's words could show a part of one.
    return undefined;
  }
}

function below(value: unknown): Plain {
  return isObject(value) ? value : {};
}
