// Plans a config change: which file it goes into, and the file and config afterwards.

import { isUtf8 } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import { ToolError, ToolInputError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { splitByteOrderMark } from "../../lib/unicode-text.js";
import type { Part } from "../file/include.js";
import { decodeName, parseText } from "../file/parse-text.js";
import { type ConfigPlace, configPath, readBytes, realPathOf } from "../file/paths.js";
import { type LoadedConfig, loadConfig, loadDraft } from "../load.js";
import { INDEX, type KeyPath, parseKeyPath, showKeyPath, valueAt } from "../problem.js";
import { type EditedText, editText, type TextChange } from "./edit-text.js";

const NEW_FILE = "{}\n";
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_SHOWN_PATH_CHARS = 4_096;

export interface ConfigEdit {
  readonly path: string;
  /** undefined takes it out. */
  readonly value: unknown;
  /** Before the entry of a list that is at this place, instead of over it. */
  readonly insert?: boolean | undefined;
}

export interface ConfigPlan {
  readonly file: string;
  readonly bytes: Buffer | undefined;
  readonly text: string;
  /** What the file adds to the config, before and after. */
  readonly values: { readonly before: unknown; readonly after: unknown };
  readonly isChange: boolean;
  readonly before: LoadedConfig;
  readonly after: LoadedConfig;
}

/** All edits go into one file. Throws when a place cannot be changed. */
export async function planConfigChange(
  place: ConfigPlace,
  edits: readonly ConfigEdit[],
): Promise<ConfigPlan> {
  const before = await loadConfig(place);
  const main = configPath(place);
  const paths = edits.map(({ path }) => parsePath(path));
  const part = findHolder({ loaded: before, main: (await realPathOf(main)) ?? main, paths });
  for (const { path, value } of edits) {
    const isSet = valueAt(nestedIn(part), parsePath(path)) !== undefined;
    if (value === undefined && !isSet) throw notSet(path, part.path);
  }
  const bytes = await readWritten(part.path);
  if (bytes !== undefined && !isUtf8(bytes)) {
    throw notEditable(part.path, { path: "", why: "is not UTF-8 text" });
  }
  let text = bytes === undefined ? NEW_FILE : bytes.toString();
  let value = part.value;
  for (const [index, edit] of edits.entries()) {
    const inside = (paths[index] ?? []).slice(part.under.length);
    const change = toChange(edit, toSteps(value, inside));
    const edited = await editDocument(text, change);
    if (!edited.ok) throw notEditable(part.path, { path: edit.path, why: edited.why });
    text = edited.text;
    value = changeValue(value, change);
  }
  const drafted = Buffer.from(text);
  const after = await loadDraft(place, [{ path: part.path, bytes: drafted }]);
  const isChange = !isDeepStrictEqual(part.value, value);
  const values = { before: nestedIn(part), after: nestedIn({ ...part, value }) };
  return { file: part.path, bytes, text, values, isChange, before, after };
}

function nestedIn({ under, value }: Part): unknown {
  return under.toReversed().reduce<unknown>((whole, step) => ({ [step]: whole }), value);
}

function notSet(path: string, file: string): ToolError {
  return new ToolError(
    "not_found",
    `"${toPrintable(path, 80)}" is not set in ${showFile(file)}; nothing was changed.`,
    { reason: "config_not_set" },
  );
}

function toChange({ value, insert }: ConfigEdit, path: KeyPath): TextChange {
  return value === undefined ? { path, remove: true } : { path, value, insert };
}

function parsePath(text: string): KeyPath {
  const path = parseKeyPath(text);
  if (path.length > 0) return path;
  throw new ToolInputError("Name a key, such as tools.profile.", { reason: "config_path_invalid" });
}

function findHolder(request: {
  readonly loaded: LoadedConfig;
  readonly main: string;
  readonly paths: readonly KeyPath[];
}): Part {
  const { loaded, main, paths } = request;
  if (!loaded.exists) return { path: main, under: [], value: {} };
  const [mainPart] = loaded.parts;
  if (mainPart === undefined) throw unreadable(loaded);
  const holders = new Set(paths.flatMap((path) => listHolders(loaded.parts, path)));
  const [holder = mainPart, ...others] = holders;
  if (others.length === 0) return holder;
  const files = [holder, ...others].map((part) => showFile(part.path)).join(", ");
  const shown = paths.map(showKeyPath).join(", ");
  throw new ToolError(
    "conflict",
    `${shown} is in several files that are joined: ${files}; change it there by hand.`,
    { reason: "config_in_several_files" },
  );
}

function listHolders(parts: readonly Part[], path: KeyPath): Part[] {
  const depth = path.findIndex(
    (step, index) =>
      parts.some(
        ({ under, value }) =>
          under.length <= index &&
          isOnTheWay(under, path) &&
          Array.isArray(valueAt(value, path.slice(under.length, index))),
      ) &&
      (typeof step === "number" || /^\d+$/.test(step)),
  );
  const joined = depth === -1 ? path : path.slice(0, depth);
  return parts.filter(({ under, value }) => {
    if (!isOnTheWay(under, joined)) return false;
    return (
      under.length >= joined.length || valueAt(value, joined.slice(under.length)) !== undefined
    );
  });
}

function isOnTheWay(under: KeyPath, path: KeyPath): boolean {
  return under.every((step, index) => index >= path.length || step === path[index]);
}

async function readWritten(path: string): Promise<Buffer | undefined> {
  const content = await readBytes(path, MAX_FILE_BYTES);
  if (content.kind === "missing") return undefined;
  if (content.kind === "bytes") return content.bytes;
  throw new ToolError("unavailable", `${showFile(path)} ${content.why}; nothing was changed.`, {
    reason: "file_unwritable",
  });
}

function notEditable(
  file: string,
  { path, why }: { readonly path: string; readonly why: string },
): ToolInputError {
  const place = path === "" ? "" : `${toPrintable(path, 80)}: `;
  return new ToolInputError(`${place}${showFile(file)} ${why}; nothing was changed.`, {
    reason: "config_not_editable",
  });
}

function unreadable({ path, problems }: LoadedConfig): ToolInputError {
  const first = problems.find(({ severity }) => severity === "error");
  const why = first?.message ?? `${showFile(path ?? "")} cannot be read`;
  return new ToolInputError(`${why}; nothing was changed. Fix the file by hand first.`, {
    reason: "config_not_editable",
  });
}

function showFile(path: string): string {
  return `"${toPrintable(path, MAX_SHOWN_PATH_CHARS)}"`;
}

export async function editDocument(text: string, change: TextChange): Promise<EditedText> {
  const { parse } = (await import("json5")).default;
  const { mark, body } = splitByteOrderMark(text);
  const before = parseText(body, parse);
  if (!before.ok) return { ok: false, why: before.faults[0]?.message ?? "cannot be read" };
  const path = toSteps(before.value, change.path);
  const edited = editText(body, {
    change: { ...change, path },
    decodeName: (raw) => decodeName(raw, parse),
  });
  if (!edited.ok) return edited;
  const after = parseText(edited.text, parse);
  const expected = changeValue(before.value, { ...change, path });
  if (
    !after.ok ||
    !isDeepStrictEqual(after.value, expected) ||
    hasLostStrictness(body, edited.text)
  ) {
    return { ok: false, why: "is written in a way that cannot be edited; change it by hand" };
  }
  return { ok: true, text: mark + edited.text };
}

/** `list.0` is `list[0]` where a list is. */
function toSteps(value: unknown, path: KeyPath): KeyPath {
  let found = value;
  return path.map((step) => {
    const key = Array.isArray(found) && INDEX.test(String(step)) ? Number(step) : step;
    found = valueAt(found, [key]);
    return key;
  });
}

export function changeValue(value: unknown, change: TextChange): unknown {
  const [step, ...rest] = change.path;
  if (step === undefined) return "remove" in change ? undefined : change.value;
  const copy: object = Array.isArray(value)
    ? [...value]
    : typeof value === "object" && value !== null
      ? { ...value }
      : typeof step === "number"
        ? []
        : {};
  if ("remove" in change && rest.length === 0) {
    if (Array.isArray(copy)) copy.splice(Number(step), 1);
    else Reflect.deleteProperty(copy, step);
    return copy;
  }
  if ("value" in change && change.insert === true && rest.length === 0 && Array.isArray(copy)) {
    copy.splice(Number(step), 0, change.value);
    return copy;
  }
  const inner = changeValue(valueAt(copy, [step]), { ...change, path: rest });
  Object.defineProperty(copy, step, {
    value: inner,
    writable: true,
    enumerable: true,
    configurable: true,
  });
  return copy;
}

/** Other programs may read the file too, and not all of them take JSON5. */
function hasLostStrictness(before: string, after: string): boolean {
  return isStrictJson(before) && !isStrictJson(after);
}

function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
