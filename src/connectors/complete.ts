// The `Models` port: one answer of a language model, from the first configured model that gives it.

import { setTimeout } from "node:timers/promises";
import type { ModelFault, StreamEvent, UsageInfo } from "../core/connector.js";
import type { Completion, CompletionRequest, Models } from "../core/index.js";
import { abortError, ToolError } from "../core/index.js";
import { leaveOutImages, seesImages } from "./carry-over.js";
import type { ModelSources, ResolvedModel } from "./describe-model.js";
import { noModelError, resolveModels } from "./resolve-models.js";

const MAX_RETRIES = 2;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
const DEFAULT_TIMEOUT_MS = 5 * 60_000;
/** Faults that may pass. */
export const RETRYABLE: ReadonlySet<ModelFault> = new Set([
  "rate_limited",
  "overloaded",
  "provider_failed",
  "connection_failed",
  "stream_cut",
  "stream_stalled",
]);

export interface ModelsOptions extends ModelSources {
  readonly agentId?: string | undefined;
  /** The model of the conversation, used before the agent's configured one. */
  readonly sessionModel?: string | undefined;
}

interface Answer {
  readonly text: string;
  readonly usage?: UsageInfo;
}

type Fault = Omit<Extract<StreamEvent, { type: "error" }>, "type">;

export function createModels(options: ModelsOptions): Models {
  const { sessionModel } = options;
  const resolve = (purpose: "text" | "image" | undefined, model?: string) =>
    resolveModels({
      ...options,
      purpose,
      model: model ?? (purpose === "image" ? undefined : sessionModel),
    });
  return {
    list: (purpose) => resolve(purpose).usable.map(({ model }) => model),
    async complete(request) {
      const found = resolve(request.purpose, request.model);
      if (found.usable.length === 0) throw noModelError(found);
      const failed: { model: string; error: string }[] = found.unusable.map(({ ref, error }) => ({
        model: ref,
        error: error.message,
      }));
      const { signal, timeoutMs = DEFAULT_TIMEOUT_MS } = request;
      const deadline = AbortSignal.timeout(timeoutMs);
      const limits = { signal: AbortSignal.any([signal, deadline]) };
      for (const candidate of found.usable) {
        const { ref: model } = candidate;
        if (request.purpose === "image" && !seesImages(candidate.model)) {
          failed.push({ model, error: `${model} does not accept images.` });
          continue;
        }
        const answer = await tryModel(candidate, { ...request, ...limits });
        if (signal.aborted) throw abortError(signal);
        if (deadline.aborted) throw tooSlow(model, timeoutMs);
        if (!("error" in answer)) return { ...answer, model, failed };
        failed.push({ model, error: answer.error });
      }
      throw allFailed(failed);
    },
  };
}

/** Waits and asks again at most twice, and only for what may pass. */
async function tryModel(
  candidate: ResolvedModel,
  request: CompletionRequest,
): Promise<Answer | Fault> {
  for (let attempt = 0; ; attempt++) {
    const answer = await ask(candidate, request);
    const { signal } = request;
    if (!("error" in answer) || signal.aborted || attempt === MAX_RETRIES) return answer;
    if (answer.reason === undefined || !RETRYABLE.has(answer.reason)) return answer;
    const delayMs = answer.retryAfterMs ?? FIRST_DELAY_MS * 2 ** attempt;
    if (delayMs > MAX_DELAY_MS) return answer;
    // Ends early when the signal fires; the next answer says so.
    await setTimeout(delayMs, undefined, { signal }).catch(() => undefined);
  }
}

async function ask(candidate: ResolvedModel, request: CompletionRequest): Promise<Answer | Fault> {
  const { model, connector, apiKey } = candidate;
  const { systemPrompt, messages, temperature, maxTokens, reasoning, signal } = request;
  const shown = leaveOutImages(messages, model);
  const context = { messages: shown, ...(systemPrompt !== undefined && { systemPrompt }) };
  const options = { temperature, maxTokens, reasoning, signal, apiKey };
  const texts: string[] = [];
  for await (const event of connector.stream(model, context, options)) {
    if (event.type === "text_end") texts.push(event.content);
    if (event.type === "error") return event;
    if (event.type === "done") {
      return { text: texts.join(""), ...(event.usage && { usage: event.usage }) };
    }
  }
  return { error: `${candidate.ref} ended without an answer.`, reason: "stream_cut" };
}

function tooSlow(ref: string, timeoutMs: number): ToolError {
  return new ToolError("timeout", `${ref} did not answer within ${timeoutMs / 1000} seconds.`, {
    reason: "model_timeout",
  });
}

function allFailed(failed: Completion["failed"]): ToolError {
  const list = failed.map(({ error }) => error).join(" Then: ");
  return new ToolError("failed", `No model answered. ${list}`, {
    reason: "model_failed",
    details: { models: failed.map(({ model }) => model) },
  });
}
