// One request on its way and its answer, as the HTTP client tells of them. The head is awaited, the
// body is handed on as it comes, and both can be ended at every moment, also before there is a
// connection.

import type { Dispatcher } from "undici";
import type { BodyReader, BodySource } from "../body/body-source.js";
import type { HeaderMap } from "./headers.js";

/** What is held back while no one reads; one piece of a connection has as much. */
const MAX_WAITING_BYTES = 64 * 1024;
const FIRST_FINAL_STATUS = 200;

type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface AnswerHead {
  readonly status: number;
  readonly headers: HeaderMap;
}

export class Exchange implements Dispatcher.DispatchHandler, BodySource {
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

  /** Without effect on what has ended. */
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
