// What a wire format must say: how a request is written and how each event of the answer is read.
// Sending it, time limits and the one terminal event are in stream-answer.ts.

import type { ModelDescriptor, StreamContext, StreamOptions } from "../../core/connector.js";
import type { Assembler } from "./assemble.js";
import type { SseEvent } from "./sse.js";

export interface IdleLimits {
  readonly firstMs: number;
  readonly betweenMs: number;
}

export interface WireQuestion {
  readonly model: ModelDescriptor;
  readonly context: StreamContext;
  readonly options: StreamOptions;
}

export interface WireRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface WireFormat {
  toRequest(question: WireQuestion): WireRequest;
  createReader(answer: Assembler, question: WireQuestion): WireReader;
}

export interface WireReader {
  /** One event; `data` is parsed JSON, undefined when it was not JSON. */
  read(data: unknown, event: SseEvent): void;
  /** The stream is over: ends the answer when its end is known by now. */
  close?(): void;
}
