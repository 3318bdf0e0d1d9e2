// `$include` in a config file: the named files are read, followed and merged.
import { dirname, resolve } from "node:path";
import { isBelow } from "../../lib/paths.js";
import { INCLUDE_KEY, isObject } from "../check-value.js";
import {
  type KeyPath,
  type ProblemList,
  type Step,
  showKeyPath,
  showName,
  valueAt,
} from "../problem.js";

const MAX_INCLUDE_DEPTH = 8;
const MAX_INCLUDED_FILES = 200;

export interface ConfigFile {
  readonly path: string;
  readonly value: unknown;
}

export interface FileRequest {
  readonly path: string;
  readonly namedAt: KeyPath;
  readonly under: KeyPath;
}

interface IncludeOptions {
  readonly folder: string;
  readonly problems: ProblemList;
  readonly realPath: (path: string) => Promise<string | undefined>;
  /** undefined when the file cannot be used; a problem has then been added. */
  readonly read: (request: FileRequest) => Promise<ConfigFile | undefined>;
}

interface Spot extends IncludeOptions {
  readonly chain: readonly string[];
  readonly path: KeyPath;
  readonly state: { files: number };
}

export async function followIncludes(file: ConfigFile, options: IncludeOptions): Promise<unknown> {
  return follow(file.value, { ...options, chain: [file.path], path: [], state: { files: 0 } });
}

async function follow(value: unknown, spot: Spot): Promise<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const [index, item] of value.entries()) {
      items.push(await follow(item, within(spot, index)));
    }
    return items;
  }
  if (!isObject(value)) return value;
  const own: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (key !== INCLUDE_KEY) own[key] = await follow(item, within(spot, key));
  }
  if (!Object.hasOwn(value, INCLUDE_KEY)) return own;
  const included = await includeAll(value[INCLUDE_KEY], spot);
  if (included.length === 1 && Object.keys(own).length === 0) return included[0];
  if (included.every(isObject)) return [...included, own].reduce(mergeValues, {});
  const message = "joins objects only: a file that holds something else must stand alone";
  return fail(within(spot, INCLUDE_KEY), message);
}

async function includeAll(names: unknown, spot: Spot): Promise<unknown[]> {
  const at = within(spot, INCLUDE_KEY);
  const list: [unknown, Spot][] = Array.isArray(names)
    ? names.map((name: unknown, index) => [name, within(at, index)])
    : [[names, at]];
  const included: unknown[] = [];
  for (const [name, place] of list) {
    const path = await findFile(name, place);
    const file = path && (await spot.read({ path, namedAt: place.path, under: spot.path }));
    if (file)
      included.push(await follow(file.value, { ...spot, chain: [...spot.chain, file.path] }));
  }
  return included;
}

async function findFile(name: unknown, spot: Spot): Promise<string | undefined> {
  const { chain, folder, state } = spot;
  if (typeof name !== "string" || name === "" || name.includes("\0")) {
    return fail(spot, "expected the path of a file, or a list of such paths");
  }
  state.files += 1;
  if (state.files > MAX_INCLUDED_FILES) {
    return fail(spot, `more than ${MAX_INCLUDED_FILES} files are included`);
  }
  if (chain.length > MAX_INCLUDE_DEPTH) {
    return fail(spot, `more than ${MAX_INCLUDE_DEPTH} files include each other in a row`);
  }
  const shown = showName(name);
  const named = resolve(dirname(chain.at(-1) ?? folder), name);
  const target = await spot.realPath(named);
  if (target === undefined) return fail(spot, `${shown} is not there, or cannot be reached`);
  if (!isBelow(target, folder)) {
    return fail(spot, `${shown} is outside the folder of the config file`);
  }
  // A link could be pointed elsewhere without a change of any file of the config.
  if (target !== named) return fail(spot, `${shown} is a link or is behind one; name the file`);
  return chain.includes(target) ? fail(spot, `${shown} includes itself`) : target;
}

function within(spot: Spot, step: Step): Spot {
  return { ...spot, path: [...spot.path, step] };
}

function fail({ path, problems }: Spot, message: string): undefined {
  problems.add({ path: showKeyPath(path), severity: "error", message });
}

function mergeValues(earlier: unknown, later: unknown): unknown {
  if (Array.isArray(earlier) && Array.isArray(later)) return [...earlier, ...later];
  if (!isObject(earlier) || !isObject(later)) return later;
  const merged: Record<string, unknown> = { ...earlier };
  for (const [key, value] of Object.entries(later)) {
    merged[key] = Object.hasOwn(merged, key) ? mergeValues(merged[key], value) : value;
  }
  return merged;
}

export interface Part {
  readonly path: string;
  readonly under: KeyPath;
  readonly value: unknown;
}

export function findParts(parts: readonly Part[], keys: readonly string[]): string[] {
  return parts.filter((part) => holds(part, keys)).map(({ path }) => path);
}

function holds({ under, value }: Part, keys: readonly string[]): boolean {
  const isOnTheWay = under.every((step, index) => index >= keys.length || step === keys[index]);
  return isOnTheWay && valueAt(value, keys.slice(under.length)) !== undefined;
}
