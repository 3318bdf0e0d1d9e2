// Readers of single parameters for hand-written tools: lenient in spelling, exact in type.

import { toCamelCase, toSnakeCase } from "../lib/letter-case.js";
import { ToolInputError } from "./errors.js";

const TRUE_WORDS: readonly string[] = ["true", "1"];
const FALSE_WORDS: readonly string[] = ["false", "0"];

type Params = Readonly<Record<string, unknown>>;

export interface StringParamOptions {
  required?: boolean;
  /** Default true. */
  trim?: boolean;
  /** Shown instead of the key in error messages. */
  label?: string;
  /** Without it an empty string counts as absent. */
  allowEmpty?: boolean;
}

export interface NumberParamOptions {
  required?: boolean;
  /** Rounds down. */
  integer?: boolean;
  label?: string;
}

export interface BooleanParamOptions {
  required?: boolean;
  /** Default false. */
  defaultValue?: boolean;
  label?: string;
  /** Refuses objects and every string but true, 1, false and 0. */
  strict?: true;
}

export interface StringArrayParamOptions {
  required?: boolean;
  label?: string;
}

type AsRequired<TOptions> = TOptions & { required: true };

/** Throws ToolInputError when the value is neither a string nor a finite number. */
export function readStringParam(
  params: Params,
  key: string,
  options: AsRequired<StringParamOptions>,
): string;
export function readStringParam(
  params: Params,
  key: string,
  options?: StringParamOptions,
): string | undefined;
export function readStringParam(
  params: Params,
  key: string,
  options: StringParamOptions = {},
): string | undefined {
  const label = options.label ?? key;
  const value = readValue(params, key);
  if (value === undefined) return absentValue(label, options);
  const text = toText(value);
  if (text === undefined) throw new ToolInputError(`${label} must be a string`);
  const kept = options.trim === false ? text : text.trim();
  return kept === "" && !options.allowEmpty ? absentValue(label, options) : kept;
}

/** A blank string counts as absent; throws ToolInputError when the value is not a finite number. */
export function readNumberParam(
  params: Params,
  key: string,
  options: AsRequired<NumberParamOptions>,
): number;
export function readNumberParam(
  params: Params,
  key: string,
  options?: NumberParamOptions,
): number | undefined;
export function readNumberParam(
  params: Params,
  key: string,
  options: NumberParamOptions = {},
): number | undefined {
  const label = options.label ?? key;
  const value = readValue(params, key);
  if (value === undefined || isBlank(value)) return absentValue(label, options);
  const number = typeof value === "string" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) {
    throw new ToolInputError(`${label} must be a number`);
  }
  return options.integer ? Math.floor(number) : number;
}

export function readBooleanParam(
  params: Params,
  key: string,
  optionsOrDefault: boolean | BooleanParamOptions = {},
): boolean {
  const options =
    typeof optionsOrDefault === "boolean" ? { defaultValue: optionsOrDefault } : optionsOrDefault;
  const label = options.label ?? key;
  const value = readValue(params, key);
  if (value === undefined) return absentValue(label, options) ?? options.defaultValue ?? false;
  const word = typeof value === "string" ? value.trim().toLowerCase() : undefined;
  if (options.strict && (word === undefined ? typeof value === "object" : !isBooleanWord(word))) {
    throw new ToolInputError(`${label} must be a boolean`);
  }
  if (word !== undefined) return TRUE_WORDS.includes(word);
  return value === true || (typeof value === "number" && value !== 0 && !Number.isNaN(value));
}

export function readStringArrayParam(
  params: Params,
  key: string,
  options: AsRequired<StringArrayParamOptions>,
): string[];
export function readStringArrayParam(
  params: Params,
  key: string,
  options?: StringArrayParamOptions,
): string[] | undefined;
export function readStringArrayParam(
  params: Params,
  key: string,
  options: StringArrayParamOptions = {},
): string[] | undefined {
  const label = options.label ?? key;
  const value = readValue(params, key);
  if (value === undefined || isBlank(value)) return absentValue(label, options);
  const texts = typeof value === "string" || Array.isArray(value) ? toTexts(value) : undefined;
  if (texts === undefined) throw new ToolInputError(`${label} must be a string or string array`);
  return texts.length === 0 && options.required ? absentValue(label, options) : texts;
}

/** Throws ToolInputError for the first key that is missing, null or a blank string. */
export function assertRequiredParams(params: Params, required: readonly string[]): void {
  for (const key of required) {
    const value = readValue(params, key);
    if (value === undefined || isBlank(value)) throw new ToolInputError(`${key} required`);
  }
}

function absentValue(label: string, options: { required?: boolean }): undefined {
  if (options.required) throw new ToolInputError(`${label} required`);
  return undefined;
}

function readValue(params: Params, key: string): unknown {
  if (typeof params !== "object" || params === null || Array.isArray(params)) {
    throw new ToolInputError("parameters must be an object");
  }
  for (const name of [key, toSnakeCase(key), toCamelCase(key)]) {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

function toText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "bigint" || Number.isFinite(value)) return String(value);
  return undefined;
}

function toTexts(value: unknown): string[] | undefined {
  const texts: string[] = [];
  for (const element of Array.isArray(value) ? value : [value]) {
    const text = toText(element)?.trim();
    if (text === undefined) return undefined;
    if (text !== "") texts.push(text);
  }
  return texts;
}

function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}

function isBooleanWord(word: string): boolean {
  return TRUE_WORDS.includes(word) || FALSE_WORDS.includes(word);
}

interface Bounds {
  readonly name: string;
  readonly least: number;
  readonly most: number;
}

interface Clamped {
  readonly value: number | undefined;
  /** One sentence when the number was changed, else none. */
  readonly notes: readonly string[];
}

export function clampOption(asked: number | undefined, { name, least, most }: Bounds): Clamped {
  if (asked === undefined) return { value: undefined, notes: [] };
  const value = Math.min(Math.max(asked, least), most);
  const note = `${name} ${asked} was taken as ${value}: it goes from ${least} to ${most}.`;
  return { value, notes: value === asked ? [] : [note] };
}

export const PATH_ALIASES = {
  file_path: "path",
  filename: "path",
  file: "path",
  target_file: "path",
  absolute_path: "path",
} as const;
