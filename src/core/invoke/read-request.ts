// A call as it comes to the door, from callers with and without types: read once, so that nothing of
// it changes or throws on the way.

import { cutChars } from "../../lib/unicode-text.js";
import { type ToolError, ToolInputError } from "../errors.js";
import type { RandomSource } from "../ports/clock.js";
import { ENTRY_POINTS } from "../ports/records.js";
import type { InvokeRequest } from "./call-state.js";
import { isSignal } from "./scope/abort-relay.js";

/** Some providers send ids of several hundred characters. */
const MAX_KEY_CHARS = 2_000;
/** No tool has a name of this length, and more of it is not repeated to anybody. */
const MAX_NAME_CHARS = 128;
const MADE_ID_BYTES = 12;
const MISPLACED =
  "invoke takes one object, so put signal, onUpdate and turn next to id, name and arguments";

export interface ReadRequest {
  /** Safe to use, also when something was wrong. */
  readonly request: InvokeRequest;
  readonly error: ToolError | undefined;
}

/**
 * Never throws. A call without an id gets one; what is of a wrong kind is the error, and so is an
 * object behind the call, whose signal would be heard by no one. Other things there do no harm:
 * `calls.map(invoke)` passes an index.
 */
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
  const wrong = [
    isNamed ? undefined : "name must be text",
    id === undefined || isKey(id)
      ? undefined
      : `id must be text of at most ${MAX_KEY_CHARS} characters`,
    turn === undefined || isTurn(turn)
      ? undefined
      : `turn must be a number, or text of at most ${MAX_KEY_CHARS} characters`,
    isSignalFine ? undefined : "signal must be an AbortSignal",
    onUpdate === undefined || isFunction(onUpdate) ? undefined : "onUpdate must be a function",
    entryPoint === undefined || knownEntry
      ? undefined
      : `entryPoint must be one of ${ENTRY_POINTS.join(", ")}`,
  ].filter((problem) => problem !== undefined);
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
