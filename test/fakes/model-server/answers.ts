// What the mock models say, by scenario, before it is written in any wire format.

export type WireName = "chat" | "responses" | "anthropic" | "gemini";

export interface MockCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as they arrive. */
  readonly pieces: readonly string[];
  readonly signature?: string;
}

export interface MockAnswer {
  readonly thinking?: { readonly pieces: readonly string[]; readonly signature: string };
  /** Thinking that only the provider can read; Anthropic alone has it. */
  readonly redacted?: string;
  readonly text?: readonly string[];
  readonly calls?: readonly MockCall[];
  readonly stop: "stop" | "length" | "refused" | "malformed";
  readonly usage: {
    readonly fresh: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly output: number;
    readonly reasoning: number;
  };
}

const USAGE = { fresh: 10, cacheRead: 0, cacheWrite: 0, output: 5, reasoning: 0 };

const CALLS: readonly MockCall[] = [
  { id: "toolu_A1", name: "read", pieces: ['{"pa', 'th": "a.t', 'xt"}'], signature: "sig-call" },
  { id: "toolu_B2", name: "list", pieces: ["{}"] },
];

export const ANSWERS: Readonly<Record<string, MockAnswer>> = {
  text: { text: ["Hel", "lo, ", "wörld 🌍"], stop: "stop", usage: USAGE },
  calls: { text: ["Let me see."], calls: CALLS, stop: "stop", usage: USAGE },
  thinking: {
    thinking: { pieces: ["I should ", "look."], signature: "sig-thinking" },
    redacted: "opaque-data",
    text: ["Looking."],
    calls: CALLS.slice(0, 1),
    stop: "stop",
    usage: { ...USAGE, output: 30, reasoning: 20 },
  },
  cached: {
    text: ["Cached."],
    stop: "stop",
    usage: { ...USAGE, cacheRead: 100, cacheWrite: 7 },
  },
  "broken-json": {
    calls: [{ id: "toolu_C3", name: "read", pieces: ['{"path": ', '"a'] }],
    stop: "stop",
    usage: USAGE,
  },
  "no-arguments": {
    calls: [{ id: "toolu_D4", name: "list", pieces: [""] }],
    stop: "stop",
    usage: USAGE,
  },
  length: { text: ["Once upon"], stop: "length", usage: USAGE },
  refused: { text: ["I"], stop: "refused", usage: USAGE },
  malformed: { text: ["I"], stop: "malformed", usage: USAGE },
  "renamed-call": {
    calls: [{ id: "toolu_E5", name: "Read", pieces: ['{"path":"a"}'] }],
    stop: "stop",
    usage: USAGE,
  },
};

export interface MockFailure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** By format; text is sent as HTML. */
  readonly body: Readonly<Record<WireName, unknown>> | string;
}

const openaiError = (message: string, type: string, code: string) => ({
  error: { message, type, param: null, code },
});
const anthropicError = (type: string, message: string) => ({
  type: "error",
  error: { type, message },
});
const geminiError = (code: number, status: string, message: string, details: unknown[] = []) => ({
  error: { code, message, status, details },
});

/** `key` is what the client sent: OpenAI repeats it in its message. */
export function describeFailure(scenario: string, key: string): MockFailure | undefined {
  const limited = {
    chat: openaiError("Rate limit reached", "requests", "rate_limit_exceeded"),
    responses: openaiError("Rate limit reached", "requests", "rate_limit_exceeded"),
    anthropic: anthropicError("rate_limit_error", "Number of requests has exceeded your limit"),
    gemini: geminiError(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted"),
  };
  const date = new Date("2026-11-18T00:00:00Z");
  const failures: Record<string, MockFailure> = {
    "rate-limit": { status: 429, headers: { "retry-after": "7" }, body: limited },
    "rate-limit-ms": { status: 429, headers: { "retry-after-ms": "1500" }, body: limited },
    "rate-limit-date": {
      status: 429,
      headers: {
        date: date.toUTCString(),
        "retry-after": new Date(date.getTime() + 7_000).toUTCString(),
      },
      body: limited,
    },
    "rate-limit-body": {
      status: 429,
      body: {
        ...limited,
        gemini: [
          geminiError(429, "RESOURCE_EXHAUSTED", "Quota exceeded, retry later", [
            { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7s" },
          ]),
        ],
      },
    },
    overloaded: {
      status: 529,
      body: {
        chat: openaiError("The server is overloaded", "server_error", "overloaded"),
        responses: openaiError("The server is overloaded", "server_error", "overloaded"),
        anthropic: anthropicError("overloaded_error", "Overloaded"),
        gemini: geminiError(503, "UNAVAILABLE", "The model is overloaded."),
      },
    },
    "bad-gateway": { status: 502, body: "<html><body>502 Bad Gateway</body></html>" },
    overflow: {
      status: 400,
      body: {
        chat: openaiError(
          "This model's maximum context length is 128000 tokens.",
          "invalid_request_error",
          "context_length_exceeded",
        ),
        responses: openaiError(
          "Your input exceeds the context window of this model.",
          "invalid_request_error",
          "context_length_exceeded",
        ),
        anthropic: anthropicError(
          "invalid_request_error",
          "prompt is too long: 210000 tokens > 200000 maximum",
        ),
        gemini: geminiError(
          400,
          "INVALID_ARGUMENT",
          "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        ),
      },
    },
    quota: {
      status: 429,
      body: {
        chat: openaiError(
          "You exceeded your current quota",
          "insufficient_quota",
          "insufficient_quota",
        ),
        responses: openaiError(
          "You exceeded your current quota",
          "insufficient_quota",
          "insufficient_quota",
        ),
        anthropic: anthropicError(
          "invalid_request_error",
          "Your credit balance is too low to access the API.",
        ),
        gemini: geminiError(429, "RESOURCE_EXHAUSTED", "Billing is not enabled for this project."),
      },
    },
    "bad-key": {
      status: 401,
      body: {
        chat: openaiError(
          `Incorrect API key provided: ${key}.`,
          "invalid_request_error",
          "invalid_api_key",
        ),
        responses: openaiError(
          `Incorrect API key provided: ${key}.`,
          "invalid_request_error",
          "invalid_api_key",
        ),
        anthropic: anthropicError("authentication_error", "invalid x-api-key"),
        gemini: [
          geminiError(400, "INVALID_ARGUMENT", "API key not valid.", [
            { reason: "API_KEY_INVALID" },
          ]),
        ],
      },
    },
    "unknown-model": {
      status: 404,
      body: {
        chat: openaiError("The model does not exist", "invalid_request_error", "model_not_found"),
        responses: openaiError(
          "The model does not exist",
          "invalid_request_error",
          "model_not_found",
        ),
        anthropic: anthropicError("not_found_error", "model: unknown-model"),
        gemini: geminiError(404, "NOT_FOUND", "models/unknown-model is not found"),
      },
    },
    "bad-request": {
      status: 400,
      body: {
        chat: openaiError("messages: field required", "invalid_request_error", "invalid"),
        responses: openaiError("input: field required", "invalid_request_error", "invalid"),
        anthropic: anthropicError("invalid_request_error", "messages: at least one is required"),
        gemini: geminiError(400, "INVALID_ARGUMENT", "contents is not specified"),
      },
    },
  };
  return failures[scenario];
}
