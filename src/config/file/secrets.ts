// Secret references of OpenClaw, `{ source, provider, id }`: what is there is read from the
// environment or from a file of `secrets.providers`. Nothing is run to get a secret.

import { readFileSync, statSync } from "node:fs";
import { isObject } from "../check/check-value.js";
import { type ConfigPlace, toAbsolute } from "./paths.js";

const SOURCES: readonly unknown[] = ["env", "file", "exec", "store"];
const REFERENCE_KEYS: ReadonlySet<string> = new Set(["source", "provider", "id"]);
const MAX_SECRET_FILE_BYTES = 1024 * 1024;

export interface SecretReference {
  readonly source: string;
  readonly provider?: string;
  readonly id: string;
}

export function isSecretReference(value: unknown): value is SecretReference {
  if (!isObject(value) || !Object.keys(value).every((key) => REFERENCE_KEYS.has(key))) return false;
  const { source, provider = "", id } = value;
  return SOURCES.includes(source) && typeof provider === "string" && typeof id === "string";
}

/** "" when it cannot be read. `secrets` is that section; `cwd` of the place is the config's folder. */
export function readSecret(
  { source, provider, id }: SecretReference,
  { secrets, place }: { readonly secrets: unknown; readonly place: ConfigPlace },
): string {
  const standard = String(below(secrets, "defaults", source) ?? "default");
  const own = below(secrets, "providers", provider ?? standard);
  const isBuiltIn = source === "env" && own === undefined && (provider ?? standard) === standard;
  if (!isBuiltIn && below(own, "source") !== source) return "";
  if (source === "file") return readFromFile(own, { id, place });
  const allowlist = below(own, "allowlist");
  const isHidden = source !== "env" || (Array.isArray(allowlist) && !allowlist.includes(id));
  return isHidden ? "" : String(below(place.env, id) ?? "");
}

/** `id` is a JSON pointer, or `value` for a file that holds one secret. */
function readFromFile(own: unknown, { id, place }: { id: string; place: ConfigPlace }): string {
  try {
    const path = toAbsolute(String(below(own, "path")), place);
    const facts = statSync(path);
    if (!facts.isFile() || facts.size > MAX_SECRET_FILE_BYTES) return "";
    const text = readFileSync(path, "utf8");
    if (below(own, "mode") === "singleValue") return id === "value" ? text.trimEnd() : "";
    const steps = id.split("/").slice(1);
    const keys = steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
    const found = below(JSON.parse(text), ...keys);
    return typeof found === "string" ? found : "";
  } catch {
    // The words of a parser could show a part of a secret.
    return "";
  }
}

function below(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}
