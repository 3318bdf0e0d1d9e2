// Reads an incoming call once, so that it cannot change later; decodes the text of one provider.

import { cutChars } from "../../lib/unicode-text.js";
import { type ToolError, ToolInputError } from "../errors.js";
import { ENTRY_POINTS, type EntryPoint } from "../ports/records.js";
import type { RandomSource } from "../ports/run-ports.js";
import { isPlainObject, isRecord } from "../schema/json-value.js";
import type { ToolUpdateCallback } from "../tool.js";
import { isSignal } from "./scope.js";

export type InvokeStage =
  | "find"
  | "authorize"
  | "arguments"
  | "before"
  | "budget"
  | "execute"
  | "bound"
  | "answer";

export interface InvokeRequest {
  /** As the model's API gave it; need not be unique. A call without one gets one. */
  readonly id: string;
  readonly name: string;
  /** An object, or JSON text. */
  readonly arguments?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly onUpdate?: ToolUpdateCallback | undefined;
  /** Calls of one turn share one allowance of text. */
  readonly turn?: string | number | undefined;
  /** For the audit: by which way the call came. Default `library`. */
  readonly entryPoint?: EntryPoint | undefined;
}

export interface Caller {
  readonly agentId: string | undefined;
  readonly sessionKey: string | undefined;
  readonly owner: boolean;
  readonly sender?: string | undefined;
  readonly sandboxed: boolean;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
}

export interface CallState {
  readonly request: InvokeRequest;
  readonly startedMs: number;
  readonly taintedBy: readonly string[];
  stage: InvokeStage;
  toolName: string;
  params: unknown;
  approvedBy: string | undefined;
  note: string | undefined;
}

const MAX_KEY_CHARS = 2_000;
const MAX_NAME_CHARS = 128;
const MADE_ID_BYTES = 12;
const MISPLACED =
  "invoke takes one object, so put signal, onUpdate and turn next to id, name and arguments";

interface ReadRequest {
  readonly request: InvokeRequest;
  readonly error: ToolError | undefined;
}

export function readRequest(
  [given, misplaced]: readonly [given: unknown, misplaced?: unknown],
  random: RandomSource,
): ReadRequest {
  const read = readGiven(given, random);
  if (typeof misplaced !== "object" || misplaced === null || read.error) return read;
  return { ...read, error: invalid([MISPLACED], "request_invalid") };
}

function readGiven(given: unknown, random: RandomSource): ReadRequest {
  const makeId = () => `made_${random.hex(MADE_ID_BYTES)}`;
  try {
    return readFields(typeof given === "object" && given !== null ? given : {}, makeId);
  } catch (cause) {
    // A getter or a proxy threw.
    const error = new ToolInputError("The call cannot be read; give a plain object.", {
      reason: "request_invalid",
      cause,
    });
    return { request: { id: makeId(), name: "" }, error };
  }
}

function readFields(given: object, makeId: () => string): ReadRequest {
  const read = (field: keyof InvokeRequest): unknown => Reflect.get(given, field) ?? undefined;
  const [id, name, signal, onUpdate, turn, entryPoint] = [
    read("id"),
    read("name"),
    read("signal"),
    read("onUpdate"),
    read("turn"),
    read("entryPoint"),
  ];
  const knownEntry = ENTRY_POINTS.find((known) => known === entryPoint);
  const isNamed = typeof name === "string";
  const isSignalFine = signal === undefined || isSignal(signal);
  const keyWords = `text of at most ${MAX_KEY_CHARS} characters`;
  const checks: readonly (readonly [isFine: boolean, problem: string])[] = [
    [isNamed, "name must be text"],
    [id === undefined || isKey(id), `id must be ${keyWords}`],
    [turn === undefined || isTurn(turn), `turn must be a number, or ${keyWords}`],
    [isSignalFine, "signal must be an AbortSignal"],
    [onUpdate === undefined || isFunction(onUpdate), "onUpdate must be a function"],
    [
      entryPoint === undefined || knownEntry !== undefined,
      `entryPoint must be one of ${ENTRY_POINTS.join(", ")}`,
    ],
  ];
  const wrong = checks.flatMap(([isFine, problem]) => (isFine ? [] : [problem]));
  const request: InvokeRequest = {
    id: typeof id === "string" && id !== "" ? cutChars(id, MAX_KEY_CHARS) : makeId(),
    name: isNamed ? cutChars(name, MAX_NAME_CHARS) : "",
    arguments: Reflect.get(given, "arguments"),
    signal: isSignal(signal) ? signal : undefined,
    onUpdate: isFunction(onUpdate) ? onUpdate : undefined,
    turn: isTurn(turn) ? turn : undefined,
    entryPoint: knownEntry,
  };
  if (wrong.length === 0) return { request, error: undefined };
  const isOnlySignal = !isSignalFine && wrong.length === 1;
  return { request, error: invalid(wrong, isOnlySignal ? "signal_invalid" : "request_invalid") };
}

function isKey(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_KEY_CHARS;
}

function isTurn(value: unknown): value is string | number {
  return typeof value === "number" || isKey(value);
}

function isFunction(value: unknown): value is (...args: unknown[]) => void {
  return typeof value === "function";
}

function invalid(problems: readonly string[], reason: string): ToolError {
  return new ToolInputError(`The call cannot be used: ${problems.join("; ")}.`, { reason });
}

export type TextEncoding = "plain" | "html";

const XAI_PROVIDERS: ReadonlySet<string> = new Set(["xai", "x-ai"]);
const XAI_MODEL = /^x-?ai\//;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["quot", '"'],
  ["#34", '"'],
  ["#x22", '"'],
  ["apos", "'"],
  ["#39", "'"],
  ["#x27", "'"],
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
]);
const ENTITY = /&(quot|apos|lt|gt|amp|#34|#39|#x22|#x27);/gi;

export function textEncodingOf(model: {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
}): TextEncoding {
  const provider = model.provider?.trim().toLowerCase() ?? "";
  const name = model.model?.trim().toLowerCase() ?? "";
  return XAI_PROVIDERS.has(provider) || XAI_MODEL.test(name) ? "html" : "plain";
}

export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY, (whole, name: string) => ENTITIES.get(name.toLowerCase()) ?? whole);
}

export function decodeTexts(value: unknown): unknown {
  if (typeof value === "string") return decodeEntities(value);
  if (Array.isArray(value)) return value.map(decodeTexts);
  if (!isRecord(value) || !isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, decodeTexts(part)]));
}
