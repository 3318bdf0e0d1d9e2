// Asks a browser what it is and what it shows, by the http side of its port. The answer is bounded:
// whoever listens there may be another program.

import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";

const LOOPBACK = "127.0.0.1";
const MAX_ANSWER_BYTES = 1_000_000;
const GOOD_STATUS = 200;

export interface EndpointQuestion {
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
  const facts = await getJson("/json/version", question);
  const socketUrl = read(facts, "webSocketDebuggerUrl");
  if (typeof socketUrl !== "string" || !URL.canParse(socketUrl)) {
    throw new Error("it answers, but not as a browser that can be driven");
  }
  return { socketUrl, isHeadless: String(read(facts, "User-Agent")).includes("Headless") };
}

/** The ids of the targets of a browser on this machine; undefined when none answers there. */
export async function readTargetIds(question: {
  readonly port: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}): Promise<readonly string[] | undefined> {
  const base = `http://${LOOPBACK}:${question.port}`;
  try {
    const list = await getJson("/json/list", { ...question, base, headers: {}, search: "" });
    if (!Array.isArray(list)) return undefined;
    return list.map((entry: unknown) => read(entry, "id")).filter((id) => typeof id === "string");
  } catch {
    // Nobody there, or another program: the caller asks nothing else.
    return undefined;
  }
}

async function getJson(path: string, question: EndpointQuestion): Promise<unknown> {
  return JSON.parse(await get(path, question));
}

function get(path: string, question: EndpointQuestion): Promise<string> {
  const { base, headers, search, timeoutMs, signal } = question;
  const url = new URL(`${path}${search}`, base);
  const request = url.protocol === "https:" ? requestSecure : requestPlain;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, headers, signal: limit }, (answer) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      if (answer.statusCode !== GOOD_STATUS) {
        answer.destroy(new Error(`it answers with status ${answer.statusCode}`));
      }
      answer.on("data", (part: Buffer) => {
        bytes += part.length;
        if (bytes > MAX_ANSWER_BYTES) answer.destroy(new Error("its answer does not end"));
        else parts.push(part);
      });
      answer.on("end", () => resolve(Buffer.concat(parts).toString("utf8")));
      answer.on("error", reject);
    });
    sent.on("error", reject);
    sent.end();
  });
}

function read(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
