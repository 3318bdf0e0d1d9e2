// The journal of one call: what is intended before the tool runs, and how it ended. Without the
// intent nothing runs; an end that cannot be written is reported, and the answer is given all the
// same: the journal then says that the outcome is unknown, which is true.

import { ToolError, toToolError } from "../errors.js";
import type { Clock } from "../ports/clock.js";
import type { Journal, JournalEnd, JournalIntent } from "../ports/records.js";
import { isSecretName } from "./hide-secrets.js";
import { type CallScope, type TimeLimit, waitAtMost } from "./scope/deadline.js";

const MAX_ARGUMENT_CHARS = 2_000;
const REDACTED = "[redacted]";
const JOURNAL_LIMIT_MS = 10_000;

export interface JournalDeps {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly report: (problem: { message: string; cause: unknown }) => void;
}

export type FinishJournal = (outcome: JournalEnd["outcome"]) => Promise<void>;

interface BegunCall extends Omit<JournalIntent, "argumentsText" | "atMs"> {
  readonly params: unknown;
  /** Of such a call nothing is written. */
  readonly readOnly: boolean;
}

export interface JournalCall {
  /** Once, however many ask. Rejects when the intent could not be written, or the call is over. */
  begin(): Promise<FinishJournal>;
  /** The same for a call that is over, also one that was stopped. */
  beginLate(): Promise<FinishJournal>;
}

/** Of a call that is made now, whenever that is written. */
export function createJournalCall(
  call: BegunCall,
  { scope, ...deps }: JournalDeps & { readonly scope: CallScope },
): JournalCall {
  const { clock } = deps;
  const atMs = clock.now();
  let begun: Promise<FinishJournal> | undefined;
  const beginOnce = (within: CallScope["within"]) => {
    begun ??= beginJournal({ ...call, atMs }, { ...deps, within });
    return begun;
  };
  return {
    async begin() {
      scope.assertGoing();
      return beginOnce(scope.within);
    },
    beginLate: () =>
      beginOnce(async (limit, work) => waitAtMost({ ...limit, clock }, (async () => work())())),
  };
}

async function beginJournal(
  call: BegunCall & { readonly atMs: number },
  { journal, clock, report, within }: JournalDeps & { readonly within: CallScope["within"] },
): Promise<FinishJournal> {
  const { params, readOnly, ...names } = call;
  if (readOnly) return async () => undefined;
  const argumentsText = writeArguments(params).slice(0, MAX_ARGUMENT_CHARS);
  const end = await within(JOURNAL_LIMIT, () => journal.intend({ ...names, argumentsText }));
  return async (outcome) => {
    try {
      await waitAtMost({ ...JOURNAL_LIMIT, clock }, end({ outcome, atMs: clock.now() }));
    } catch (cause) {
      const message = `The journal could not record the end of a ${call.toolName} call.`;
      report({ message, cause });
    }
  };
}

/** A schema may have made values of the arguments that JSON cannot write; the call goes on. */
function writeArguments(params: unknown): string {
  try {
    return JSON.stringify(params, keepable) ?? "";
  } catch (error) {
    return `not writable as JSON: ${toToolError(error).message}`;
  }
}

/** Nothing that is named like a secret, of variables the names, of a long text the beginning. */
function keepable(name: string, value: unknown): unknown {
  if (value !== undefined && isSecretName(name)) return REDACTED;
  if (name === "env" && typeof value === "object") return Object.keys(value ?? {});
  return typeof value === "string" && value.length > MAX_ARGUMENT_CHARS
    ? value.slice(0, MAX_ARGUMENT_CHARS)
    : value;
}

const JOURNAL_LIMIT: TimeLimit = {
  limitMs: JOURNAL_LIMIT_MS,
  error: (limitMs) =>
    new ToolError(
      "unavailable",
      `The journal did not take the call within ${limitMs / 1000} seconds.`,
      { reason: "journal_timeout" },
    ),
};
