// Models that need no network and no key, for trying things out and for tests. The same conversation
// always gets the same answer.

import type {
  Connector,
  ContextMessage,
  ModelDescriptor,
  StreamContext,
  StreamEvent,
} from "../../core/connector.js";
import { parseJson } from "../../lib/json/parse-json.js";

const API = "debug";
const CHARS_PER_TOKEN = 4;
const CHUNK_CHARS = 16;
/** `call NAME {JSON}` as a whole message makes `echo` call that tool. */
const CALL_REQUEST = /^call ([\w.-]+)\s*(\{[\s\S]*\})?\s*$/;
const CANNED = [
  "Understood.",
  "Here is what I heard.",
  "Thanks for your message.",
  "Let me repeat that.",
] as const;

interface Answer {
  readonly thinking?: string;
  readonly text: string;
  readonly call?: { readonly name: string; readonly json: string };
}

type AnswerBy = (context: StreamContext, lastUser: string) => Answer;

const ANSWERS = {
  "dummy-echo-1": (_context, user) => ({ text: `${pickCanned(user)} You said: "${user}"` }),
  "sys-echo-1": ({ systemPrompt = "" }) => ({ text: systemPrompt }),
  "parrot-1": (_context, user) => ({ text: user }),
  "silent-1": () => ({ text: "(silent)" }),
  "upper-parrot-1": (_context, user) => ({ text: user.toUpperCase() }),
  "tagged-parrot-1": (_context, user) => ({ text: `[relay] ${user}` }),
  "inspect-echo-1": ({ messages }, user) => ({
    text: `[inspect] messages: ${messages.length}\nlast_user: ${user}`,
  }),
  "thinking-stream-1": (_context, user) => ({
    thinking: `The user wrote ${user.length} characters. I repeat them.`,
    text: user,
  }),
  echo: answerAsEcho,
} satisfies Record<string, AnswerBy>;

/** `debug` has all models; `clawfice-debug` is the documented name and has the eight without `echo`. */
export function createDebugConnector(provider: "debug" | "clawfice-debug"): Connector {
  const names = Object.keys(ANSWERS).filter((id) => provider === "debug" || id !== "echo");
  return {
    id: `builtin/${provider}`,
    label: "Debug",
    provider,
    api: API,
    models: names.map((id) => describe(id, provider)),
    async *stream(model, context, { signal }) {
      yield { type: "start" };
      const answerBy = new Map<string, AnswerBy>(Object.entries(ANSWERS)).get(model.id);
      if (answerBy === undefined) {
        const error = `Unknown model "${provider}/${model.id}". Use one of: ${names.join(", ")}.`;
        yield { type: "error", error, reason: "model_unknown" };
        return;
      }
      const answer = answerBy(context, lastUserText(context.messages));
      for (const event of toEvents(answer, context)) {
        if (signal?.aborted) {
          yield { type: "error", error: "The request was aborted.", reason: "aborted" };
          return;
        }
        yield event;
      }
    },
  };
}

function describe(id: string, provider: string): ModelDescriptor {
  return {
    ...{ id, provider, api: API },
    reasoning: id === "thinking-stream-1",
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 128_000,
    maxTokens: 8_192,
  };
}

function* toEvents(answer: Answer, context: StreamContext): Generator<StreamEvent> {
  const { thinking, text, call } = answer;
  if (thinking !== undefined) {
    for (const delta of cut(thinking)) yield { type: "thinking_delta", delta };
    yield { type: "thinking_end", content: thinking };
  }
  if (text !== "") {
    for (const delta of cut(text)) yield { type: "text_delta", delta };
    yield { type: "text_end", content: text };
  }
  if (call !== undefined) {
    const id = `call_${context.messages.length}`;
    yield { type: "toolcall_start", id };
    yield { type: "toolcall_delta", delta: call.json, id };
    yield { type: "toolcall_end", toolCall: { id, name: call.name, arguments: parse(call.json) } };
  }
  const outputTokens = countTokens(`${thinking ?? ""}${text}${call?.json ?? ""}`);
  const sent = context.messages.map(textOf).join("") + (context.systemPrompt ?? "");
  yield {
    type: "done",
    stopReason: call === undefined ? "stop" : "toolUse",
    usage: { inputTokens: countTokens(sent), outputTokens },
  };
}

/** Calls the tool that the message asks for, and repeats what comes back. */
function answerAsEcho({ messages }: StreamContext, lastUser: string): Answer {
  const last = messages.at(-1);
  if (last?.role === "toolResult") return { text: `${last.toolName} answered: ${textOf(last)}` };
  const [, name, json = "{}"] = CALL_REQUEST.exec(lastUser) ?? [];
  return name === undefined
    ? { text: `You said: ${lastUser}` }
    : { text: "", call: { name, json } };
}

/** A person typed it; for other text the tool's own error says what is missing. */
function parse(json: string): Record<string, unknown> {
  const value = parseJson(json);
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function lastUserText(messages: readonly ContextMessage[]): string {
  const last = messages.findLast(({ role }) => role === "user");
  return last === undefined ? "" : textOf(last);
}

function textOf({ content }: ContextMessage): string {
  if (typeof content === "string") return content;
  const texts = (content ?? []).map((block) => (block.type === "text" ? block.text : ""));
  return texts.filter((text) => text !== "").join("\n");
}

function cut(text: string): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${CHUNK_CHARS}}`, "gu")) ?? [];
}

function countTokens(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

function pickCanned(text: string): string {
  const hash = [...text].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) >>> 0, 7);
  return CANNED[hash % CANNED.length] ?? CANNED[0];
}
