// One request on its way and its answer, as the HTTP client tells of them. The head is awaited, the
// body is handed on as it comes, and both can be ended at every moment, also before there is a
// connection.
import type { Dispatcher } from "undici";
import { lazy } from "../../../lib/lazy.js";
import type { Lane } from "../connect/pools.js";
import type { Deadline } from "../deadline.js";
import type { BodyReader, BodySource } from "../decode.js";
import { headerInvalid, toNetError } from "../errors.js";
import { hostOf } from "../policy.js";
import type { Hop } from "./follow.js";

/** What is held back while no one reads; one piece of a connection has as much. */
const MAX_WAITING_BYTES = 64 * 1024;
const FIRST_FINAL_STATUS = 200;

type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

interface AnswerHead {
  readonly status: number;
  readonly headers: HeaderMap;
}

class Exchange implements Dispatcher.DispatchHandler, BodySource {
  readonly head: Promise<AnswerHead>;

  #resolveHead: (head: AnswerHead) => void = () => undefined;
  #rejectHead: (error: unknown) => void = () => undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #reader: BodyReader | undefined;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #isComplete = false;
  #failure: { readonly error: unknown } | undefined;

  readonly #onSend: () => void;

  constructor(onSend: () => void) {
    this.#onSend = onSend;
    this.head = new Promise((resolve, reject) => {
      this.#resolveHead = resolve;
      this.#rejectHead = reject;
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure) controller.abort(toError(this.#failure.error));
    else this.#onSend();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: RawHeaders,
  ): void {
    if (status < FIRST_FINAL_STATUS) return;
    this.#resolveHead({ status, headers: joinValues(headers) });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    // The parser says nothing in this many bytes whenever it goes on after a pause.
    if (chunk.length === 0) return;
    if (this.#reader) {
      this.#reader.data(chunk);
      return;
    }
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes >= MAX_WAITING_BYTES) controller.pause();
  }

  onResponseEnd(): void {
    this.#isComplete = true;
    if (!this.#failure) this.#reader?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  read(reader: BodyReader): void {
    this.#reader = reader;
    for (const chunk of this.#waiting.splice(0)) reader.data(chunk);
    if (this.#failure) reader.fail(this.#failure.error);
    else if (this.#isComplete) reader.end();
    else this.resume();
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  cancel(): void {
    if (!this.#isComplete && !this.#failure) this.abort(new Error("the answer was left"));
  }

  abort(error: unknown): void {
    if (this.#isComplete || this.#failure) return;
    this.#fail(error);
    this.#controller?.abort(toError(error));
  }

  #fail(error: unknown): void {
    if (this.#isComplete || this.#failure) return;
    this.#failure = { error };
    this.#rejectHead(error);
    this.#reader?.fail(error);
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function joinValues(headers: RawHeaders): HeaderMap {
  const joined: Record<string, string> = {};
  for (const [name, value = ""] of Object.entries(headers)) {
    joined[name] = typeof value === "string" ? value : value.join(", ");
  }
  return joined;
}

export interface HopAnswer extends AnswerHead {
  readonly body: BodySource;
  end(): void;
}

export async function sendHop(request: {
  readonly lane: Lane;
  readonly hop: Hop;
  readonly deadline: Deadline;
  readonly onSend: () => void;
}): Promise<HopAnswer> {
  const { lane, hop, deadline, onSend } = request;
  const { url, method, headers, body = null } = hop;
  const exchange = new Exchange(onSend);
  const forget = deadline.onOver((error) => exchange.abort(error));
  const end = lazy(() => {
    forget();
    lane.leave();
    exchange.cancel();
  });
  try {
    const path = `${url.pathname}${url.search}`;
    lane.dispatcher.dispatch({ origin: url.origin, path, method, headers, body }, exchange);
    const { status, headers: answered } = await exchange.head;
    return { status, headers: answered, body: exchange, end };
  } catch (error) {
    end();
    throw toNetError(error, hostOf(url));
  }
}

const OWN_HEADERS = new Set([
  "host",
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
/** An allow list: any other header may carry a secret, whatever its name is. */
const HARMLESS_HEADERS = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "user-agent",
]);
const DEFAULT_HEADERS = { accept: "*/*", "accept-encoding": "gzip, br", "user-agent": "clawtools" };
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const BROKEN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

export type HeaderMap = Readonly<Record<string, string>>;

export function readHeaders(given: HeaderMap = {}): HeaderMap {
  const headers: Record<string, string> = { ...DEFAULT_HEADERS };
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    if (!HEADER_NAME.test(name)) throw headerInvalid(name, "has characters that no name may have");
    if (OWN_HEADERS.has(lower)) throw headerInvalid(name, "cannot be set");
    if (BROKEN_VALUE.test(value)) {
      throw headerInvalid(name, "has line breaks or other characters that no value may have");
    }
    headers[lower] = value;
  }
  return headers;
}

export function keepHarmless(headers: HeaderMap): HeaderMap {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.has(name)));
}

export function withoutBody(headers: HeaderMap): HeaderMap {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith("content-")),
  );
}
