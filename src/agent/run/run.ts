// One run: asks the model, runs its calls, and goes on until it has answered, was stopped or reached a
// limit. What it has done is in the transcript alone, so another process can take it up anywhere.

import { RETRYABLE } from "../../connectors/index.js";
import type { ModelDescriptor, UsageInfo } from "../../core/connector.js";
import type { Clock } from "../../core/index.js";
import type { RunState } from "../../core/server.js";
import { pause } from "../../lib/system/pause.js";
import {
  type AssistantContent,
  type AssistantRecord,
  type TranscriptRecord,
  textOfContent,
} from "../../sessions/index.js";
import { isOverWindow } from "../context/compaction.js";
import type { SessionContext } from "../context/prompt.js";
import { type Answer, ask, type ModelChoice } from "./ask.js";
import { type CallsRequest, MAX_PARALLEL, missing, runCalls } from "./run-calls.js";

const MAX_EQUAL_ANSWERS = 3;
const MAX_RETRIES = 4;
const MAX_RETRY_WAIT_MS = 10 * 60_000;
const FIRST_RETRY_MS = 1_000;
export const THINKING_LEVELS = ["off", "minimal", "low", "medium", "high"] as const;

export interface RunLimits {
  /** Answers of the model; default 50. */
  readonly turns: number;
  /** Milliseconds from the first message; default `agents.defaults.timeoutSeconds`, else 48 hours. */
  readonly wallMs: number;
  readonly tokens?: number | undefined;
  readonly usd?: number | undefined;
}

export interface RunEnd {
  readonly state: Exclude<RunState, "queued" | "running">;
  readonly reason?: string | undefined;
}

export interface RunRequest extends Omit<CallsRequest, "turn"> {
  /** In the order in which they are tried. */
  readonly choices: readonly ModelChoice[];
  readonly context: () => Promise<SessionContext>;
  readonly limits: RunLimits;
  readonly clock: Clock;
  readonly thinking?: (typeof THINKING_LEVELS)[number] | undefined;
  /** Appends what waits for this session, when it may join the run; whether there was something. */
  readonly takeSteer: () => Promise<boolean>;
  readonly compact: (options: { readonly force: boolean }) => Promise<boolean>;
  readonly reportUsage: (use: { readonly tokens: number; readonly usd: number }) => void;
}

export async function runToEnd(request: RunRequest): Promise<RunEnd> {
  const { transcript, signal, takeSteer, compact } = request;
  const own = new Set<string>();
  const repeats = createRepeatCount();
  let mayForce = true;
  for (;;) {
    const { fold } = transcript;
    if (fold.openCalls.length > 0) {
      await runCalls({ ...request, turn: turnName(request) }, own);
      if (!signal.aborted) await takeSteer();
      continue;
    }
    if (signal.aborted) return readStop(signal);
    if (fold.messages.at(-1)?.role === "assistant") {
      if (await takeSteer()) continue;
      return { state: "done" };
    }
    const limit = findLimit(request) ?? repeats.limit();
    if (limit !== undefined) {
      await say(request, `Stopped: ${limit}.`);
      return { state: "limit", reason: limit };
    }
    if (isOverWindow(fold, request.choices[0]?.model) && mayForce)
      mayForce = await compact({ force: false });
    const { answer, model } = await askModels(request);
    if (answer.kind === "aborted") {
      await appendAnswer(request, { content: answer.content, stop: "aborted" }, model);
      return readStop(signal);
    }
    if (answer.kind === "fault") {
      if (answer.reason === "context_overflow" && mayForce) {
        mayForce = false;
        await compact({ force: true });
        continue;
      }
      return { state: "failed", reason: answer.message };
    }
    repeats.count(answer.content);
    await takeAnswer(request, { answer, model, own });
    mayForce = true;
  }
}

interface Asked {
  readonly answer: Answer;
  readonly model: ModelDescriptor;
}

/** The first choice that answers; the last fault when none does. */
async function askModels(request: RunRequest): Promise<Asked> {
  const { choices, signal } = request;
  let asked: Asked | undefined;
  for (const choice of choices) {
    asked = { answer: await askChoice(choice, request), model: choice.model };
    const { answer } = asked;
    if (signal.aborted || answer.kind !== "fault" || answer.reason === "context_overflow")
      return asked;
  }
  if (asked === undefined) throw new Error("A run needs at least one model.");
  return asked;
}

async function askChoice(choice: ModelChoice, request: RunRequest): Promise<Answer> {
  const { transcript, signal, emit, clock, thinking: reasoning } = request;
  const { model } = choice;
  const nextRetry = createRetries();
  const { systemPrompt, tools } = await request.context();
  for (;;) {
    emit({ type: "model", model: nameOf(model), turn: turnNumber(request) });
    const answer = await ask({
      choice,
      context: { systemPrompt, tools, messages: [...transcript.fold.messages] },
      options: { maxTokens: model.maxTokens, cacheKey: transcript.sessionId, reasoning },
      signal,
      onDelta: emit,
      callId: (index) => `${turnName(request)}_${index}`,
    });
    if (answer.kind !== "fault") return answer;
    const delayMs = nextRetry(answer);
    if (delayMs === undefined) return answer;
    emit({ type: "retry", reason: answer.reason, message: answer.message, delayMs });
    await pause(clock, { delayMs, signal });
    if (signal.aborted) return { kind: "aborted", content: [] };
  }
}

/** Milliseconds to wait before the next try; undefined: do not try again. */
function createRetries() {
  let tries = 0;
  let waitedMs = 0;
  return ({ reason, retryAfterMs = 0 }: Extract<Answer, { kind: "fault" }>) => {
    if (reason === "call_malformed") return tries++ === 0 ? 0 : undefined;
    if (!RETRYABLE.has(reason) || tries >= MAX_RETRIES) return undefined;
    const delayMs = Math.max(retryAfterMs, FIRST_RETRY_MS * 2 ** tries);
    tries += 1;
    waitedMs += delayMs;
    return waitedMs > MAX_RETRY_WAIT_MS ? undefined : delayMs;
  };
}

interface TakenAnswer {
  readonly answer: Extract<Answer, { kind: "answer" }>;
  readonly model: ModelDescriptor;
  readonly own: Set<string>;
}

async function takeAnswer(request: RunRequest, { answer, model, own }: TakenAnswer): Promise<void> {
  const { stop, usage, notice } = answer;
  const note = notice === undefined ? [] : [{ type: "text" as const, text: `[${notice}]` }];
  const content = [...note, ...answer.content];
  const calls = content.filter((part) => part.type === "toolCall");
  if (stop === "length") {
    const cut = calls.map((call) =>
      missing(
        call,
        "not_run",
        "Not run: the answer was cut at its limit, so the arguments may be incomplete.",
      ),
    );
    return appendAnswer(request, { content, stop, usage }, model, cut);
  }
  const first = calls.slice(0, MAX_PARALLEL).map(({ id }) => id);
  for (const id of first) own.add(id);
  const begin = first.length === 0 ? [] : [{ type: "begin" as const, calls: first }];
  await appendAnswer(request, { content, stop, usage }, model, begin);
}

async function appendAnswer(
  request: RunRequest,
  answer: Pick<AssistantRecord, "content" | "stop" | "usage">,
  model: ModelDescriptor,
  more: readonly TranscriptRecord[] = [],
): Promise<void> {
  const { transcript, emit } = request;
  const { fold } = transcript;
  if (answer.stop === "aborted" && answer.content.length === 0) return;
  const { id, provider, api } = model;
  const usd = toUsd(model, answer.usage);
  const record: AssistantRecord = {
    ...{ type: "assistant", run: fold.openRun?.run ?? "", turn: turnNumber(request), usd },
    ...{ ...answer, origin: { provider, api, model: id } },
  };
  await transcript.append([record, ...more]);
  const messageId = String(transcript.fold.last - more.length);
  emit({ type: "message", role: "assistant", text: textOfContent(answer.content), messageId });
  if (answer.usage === undefined) return;
  emit({ type: "usage", usage: answer.usage, usd });
  const { inputTokens = 0, outputTokens = 0 } = answer.usage;
  request.reportUsage({ tokens: inputTokens + outputTokens, usd });
}

/** A sentence of ours in the model's place, so that the conversation stays whole. */
async function say(request: RunRequest, text: string): Promise<void> {
  const { model } = request.choices[0] ?? {};
  if (model === undefined) return;
  await appendAnswer(
    request,
    { content: [{ type: "text", text }], stop: "notice", usage: undefined },
    model,
  );
}

function findLimit({ transcript, limits }: RunRequest): string | undefined {
  const run = transcript.fold.openRun;
  if (run === undefined) return undefined;
  const { turns, tokens, usd } = limits;
  if (run.turns >= turns) return `the run reached its limit of ${turns} turns`;
  if (tokens !== undefined && run.inputTokens + run.outputTokens >= tokens) {
    return `the run reached its limit of ${tokens} tokens`;
  }
  return usd !== undefined && run.usd >= usd
    ? `the run reached its limit of ${usd} USD`
    : undefined;
}

/** Equal answers with calls in a row are a loop: another round would give the same. */
function createRepeatCount() {
  let last = "";
  let equal = 0;
  return {
    count(content: AssistantContent) {
      const shape = JSON.stringify(
        content.map((part) => ({ ...part, id: undefined, signature: undefined })),
      );
      equal = shape === last ? equal + 1 : 1;
      last = shape;
    },
    limit: () =>
      equal >= MAX_EQUAL_ANSWERS ? `the model gave the same answer ${equal} times` : undefined,
  };
}

function turnNumber({ transcript }: Pick<RunRequest, "transcript">): number {
  return (transcript.fold.openRun?.turns ?? 0) + 1;
}

/** Unique over sessions, and short and plain enough for every provider. */
function turnName({ transcript }: Pick<RunRequest, "transcript">): string {
  const { fold, sessionId } = transcript;
  return `${sessionId.slice(0, 8)}_${fold.openRun?.firstSequence ?? 0}_${turnNumber({ transcript })}`;
}

function nameOf({ provider, id }: ModelDescriptor): string {
  return `${provider}/${id}`;
}

/** The caller that stops a run says how it ends. */
function readStop({ reason }: { readonly reason: RunEnd }): RunEnd {
  return reason;
}

const TOKENS_PER_PRICE = 1_000_000;

function toUsd({ cost }: ModelDescriptor, usage: UsageInfo | undefined): number {
  if (cost === undefined || usage === undefined) return 0;
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const fresh = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const price =
    fresh * cost.input +
    outputTokens * cost.output +
    cacheReadTokens * cost.cacheRead +
    cacheWriteTokens * cost.cacheWrite;
  return price / TOKENS_PER_PRICE;
}
