// Fills `${NAME}` and secret references in a config. `$${NAME}` stays `${NAME}`.

import { readFileSync, statSync } from "node:fs";
import { isObject } from "../check-value.js";
import { type KeyPath, type ProblemList, type Step, showKeyPath, valueAt } from "../problem.js";
import { type ConfigPlace, toAbsolute } from "./paths.js";

const MAX_FILLED_CHARS = 4 * 1024 * 1024;
/** A missing key for a provider disables only what needs it. */
const SPARED_KEY = "apiKey";
const VARIABLE = /(\$?)\$\{([A-Z_][A-Z0-9_]*)\}/g;

interface FilledConfig {
  readonly value: unknown;
  /** Paths of filled values; these are never shown. */
  readonly paths: ReadonlySet<string>;
  /** Paths whose variable is missing. */
  readonly unfilled: ReadonlySet<string>;
  /** Filled text to the text as written. */
  readonly written: ReadonlyMap<string, string>;
}

interface Filled {
  readonly paths: Set<string>;
  readonly unfilled: Set<string>;
  readonly written: Map<string, string>;
  chars: number;
}

interface Spot {
  readonly path: KeyPath;
  readonly place: ConfigPlace;
  readonly secrets: unknown;
  readonly problems: ProblemList;
  readonly filled: Filled;
}

/**
 * A variable that is missing or empty is an error that names it; it never becomes empty text. In an
 * `apiKey` it is a warning, and the key is left out.
 */
export function fillVariables(
  value: unknown,
  options: Pick<Spot, "place" | "problems">,
): FilledConfig {
  const filled: Filled = { paths: new Set(), unfilled: new Set(), written: new Map(), chars: 0 };
  const { paths, unfilled, written } = filled;
  const secrets = isObject(value) ? value.secrets : undefined;
  return {
    value: fill(value, { ...options, secrets, path: [], filled }),
    paths,
    unfilled,
    written,
  };
}

function fill(value: unknown, spot: Spot): unknown {
  if (typeof value === "string") return fillText(value, spot);
  if (Array.isArray(value)) return value.map((item, index) => fill(item, within(spot, index)));
  if (!isObject(value)) return value;
  if (isSecretReference(value)) return fillSecret(value, spot);
  const entries = Object.entries(value).map(([key, item]) => {
    return [key, fill(item, within(spot, key))] as const;
  });
  return Object.fromEntries(entries.filter(([key]) => !isLeftOut(within(spot, key))));
}

function fillText(text: string, spot: Spot): string {
  const { paths, written } = spot.filled;
  const place = showKeyPath(spot.path);
  const result = text.replace(VARIABLE, (whole: string, mark: string, name: string) => {
    if (mark !== "") return whole.slice(1);
    paths.add(place);
    const value = readVariable(name, spot);
    if (value !== "") written.set(value, whole);
    return value;
  });
  if (result !== text && !isLeftOut(spot)) written.set(result, text);
  return result;
}

function readVariable(name: string, { place: { env }, path, problems, filled }: Spot): string {
  const value = Object.hasOwn(env, name) ? (env[name] ?? "") : "";
  filled.chars += value.length;
  if (value !== "" && filled.chars <= MAX_FILLED_CHARS) return value;
  const message =
    value === ""
      ? `needs the environment variable ${name}, which is not set or empty; write $\${${name}} for the text itself`
      : `makes the config larger than ${MAX_FILLED_CHARS} characters`;
  return leaveOut(message, { path, problems, filled });
}

function fillSecret(reference: SecretReference, spot: Spot): string {
  const secret = readSecret(reference, spot);
  spot.filled.paths.add(showKeyPath(spot.path));
  if (secret === "") return leaveOut(unreadable(reference), spot);
  spot.filled.written.set(secret, `(secret ${JSON.stringify(reference.id)})`);
  return secret;
}

function unreadable({ source, provider, id }: SecretReference): string {
  if (source !== "env" && source !== "file") {
    return `cannot read secrets of source "${source}"; use env or file`;
  }
  const from = provider === undefined ? "" : ` of the provider "${provider}"`;
  const what = source === "env" ? "the environment variable" : "the file entry";
  return `needs ${what} "${id}"${from}, which is not set, empty or not allowed by secrets.providers`;
}

function leaveOut(message: string, spot: Pick<Spot, "path" | "problems" | "filled">): string {
  const { path, problems, filled } = spot;
  filled.unfilled.add(showKeyPath(path));
  if (path.at(-1) === SPARED_KEY) {
    const cost = "it is left out, and what needs it is not set up";
    problems.add({ path: showKeyPath(path), severity: "warning", message: `${message}; ${cost}` });
  } else {
    problems.add({ path: showKeyPath(path), severity: "error", message });
  }
  return "";
}

function isLeftOut({ path, filled }: Spot): boolean {
  return path.at(-1) === SPARED_KEY && filled.unfilled.has(showKeyPath(path));
}

function within(spot: Spot, step: Step): Spot {
  return { ...spot, path: [...spot.path, step] };
}

const SOURCES: readonly unknown[] = ["env", "file", "exec", "store"];
const REFERENCE_KEYS: ReadonlySet<string> = new Set(["source", "provider", "id"]);
const MAX_SECRET_FILE_BYTES = 1024 * 1024;

interface SecretReference {
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
function readSecret(
  { source, provider, id }: SecretReference,
  { secrets, place }: { readonly secrets: unknown; readonly place: ConfigPlace },
): string {
  const standard = String(valueAt(secrets, ["defaults", source]) ?? "default");
  const own = valueAt(secrets, ["providers", provider ?? standard]);
  const isBuiltIn = source === "env" && own === undefined && (provider ?? standard) === standard;
  if (!isBuiltIn && valueAt(own, ["source"]) !== source) return "";
  if (source === "file") return readFromFile(own, { id, place });
  const allowlist = valueAt(own, ["allowlist"]);
  const isHidden = source !== "env" || (Array.isArray(allowlist) && !allowlist.includes(id));
  return isHidden ? "" : String(valueAt(place.env, [id]) ?? "");
}

/** `id` is a JSON pointer, or `value` for a file that holds one secret. */
function readFromFile(own: unknown, { id, place }: { id: string; place: ConfigPlace }): string {
  try {
    const path = toAbsolute(String(valueAt(own, ["path"])), place);
    const facts = statSync(path);
    if (!facts.isFile() || facts.size > MAX_SECRET_FILE_BYTES) return "";
    const text = readFileSync(path, "utf8");
    if (valueAt(own, ["mode"]) === "singleValue") return id === "value" ? text.trimEnd() : "";
    const steps = id.split("/").slice(1);
    const keys = steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
    const found = valueAt(JSON.parse(text), keys);
    return typeof found === "string" ? found : "";
  } catch {
    // The words of a parser could show a part of a secret.
    return "";
  }
}
