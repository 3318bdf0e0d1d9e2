// Asks a browser what it is, by the http side of its port. The answer is bounded:
// anyone who listens there may be another program.

import type { Net } from "../../../core/index.js";
import { readField, readText } from "../../../lib/read-field.js";

const MAX_ANSWER_BYTES = 1_000_000;
const GOOD_STATUS = 200;

export interface EndpointQuestion {
  /** Someone has chosen the address, so it may be private. */
  readonly net: Pick<Net, "fetch">;
  /** http or https, without a path. */
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of the address, with its question mark: some services want a token in it. */
  readonly search: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface EndpointFacts {
  readonly socketUrl: string;
  readonly isHeadless: boolean;
}

/** Rejects as the network does, or with an Error that says what came instead. */
export async function readEndpoint(question: EndpointQuestion): Promise<EndpointFacts> {
  const facts = await readJson("/json/version", question);
  const socketUrl = readText(facts, "webSocketDebuggerUrl");
  if (socketUrl === undefined || !URL.canParse(socketUrl)) {
    throw new Error("it answers, but not as a browser that can be driven");
  }
  return { socketUrl, isHeadless: String(readField(facts, "User-Agent")).includes("Headless") };
}

async function readJson(path: string, question: EndpointQuestion): Promise<unknown> {
  const { net, base, headers, search, timeoutMs, signal } = question;
  const url = new URL(`${path}${search}`, base);
  const { status, body } = await net.fetch({
    ...{ url: url.href, headers, signal },
    limits: { timeoutMs, maxBytes: MAX_ANSWER_BYTES, maxRedirects: 0 },
    alsoAllowedHostnames: [url.hostname],
  });
  if (status !== GOOD_STATUS) throw new Error(`it answers with status ${status}`);
  return JSON.parse(new TextDecoder().decode(body));
}
