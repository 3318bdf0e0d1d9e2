// A server that speaks the four formats of model providers. The model id is the scenario: a good
// answer, an HTTP failure, or a good answer that breaks on the way.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ANSWERS, describeFailure, type MockAnswer, type WireName } from "./answers.js";
import { INNER_ERRORS, type WireEvent, WRITERS } from "./write-events.js";

const SMALL_CHUNK_BYTES = 7;

export interface MockRequest {
  readonly wire: WireName;
  readonly scenario: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
}

export interface ModelServer {
  readonly url: string;
  readonly requests: readonly MockRequest[];
  /** The `baseUrl` of a provider with this format. */
  baseUrl(wire: WireName): string;
  /** Answers a scenario with this from now on. */
  setAnswer(scenario: string, answer: MockAnswer): void;
  /** Resolves when a client has closed the connection of a stalled answer. */
  readonly stallEnded: Promise<void>;
  close(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  const requests: MockRequest[] = [];
  const answers = new Map(Object.entries(ANSWERS));
  let endStall: () => void = () => undefined;
  const stallEnded = new Promise<void>((resolve) => {
    endStall = resolve;
  });
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { wire, scenario } = readTarget(request.url ?? "", body);
      requests.push({ wire, scenario, headers: request.headers, body });
      const failure = describeFailure(scenario, readKey(request));
      if (failure !== undefined) {
        const isHtml = typeof failure.body === "string";
        response.writeHead(failure.status, {
          "content-type": isHtml ? "text/html" : "application/json",
          ...failure.headers,
        });
        response.end(
          typeof failure.body === "string" ? failure.body : JSON.stringify(failure.body[wire]),
        );
        return;
      }
      response.on("close", () => {
        if (scenario.startsWith("stall")) endStall();
      });
      play({ wire, scenario, response, answer: answers.get(scenario) ?? ANSWERS.text });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address with a port.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    baseUrl: (wire) => `${url}/${wire}`,
    setAnswer: (scenario, answer) => void answers.set(scenario, answer),
    stallEnded,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Playing {
  readonly wire: WireName;
  readonly scenario: string;
  readonly answer: MockAnswer | undefined;
  readonly response: ServerResponse;
}

function play({ wire, scenario, answer, response }: Playing): void {
  if (scenario === "stall-headers") return;
  response.writeHead(200, { "content-type": "text/event-stream" });
  const events = answer === undefined ? [] : WRITERS[wire](answer);
  const begun = events.slice(0, Math.max(2, Math.floor(events.length / 3)));
  if (scenario === "no-end") {
    response.end(toText(begun));
  } else if (scenario === "drop") {
    response.write(toText(begun), () => response.destroy());
  } else if (scenario === "inner-error") {
    response.end(toText([...begun, INNER_ERRORS[wire]]));
  } else if (scenario === "stall") {
    response.write(toText(begun));
  } else if (scenario === "small-chunks") {
    const bytes = Buffer.from(toText(events).replaceAll("\n", "\r\n"));
    for (let at = 0; at < bytes.length; at += SMALL_CHUNK_BYTES) {
      response.write(bytes.subarray(at, at + SMALL_CHUNK_BYTES));
    }
    response.end();
  } else {
    response.end(`: keep-alive\n\n${toText(events)}`);
  }
}

function toText(events: readonly WireEvent[]): string {
  return events
    .map(({ event, data }) => `${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`)
    .join("");
}

function readTarget(url: string, body: Record<string, unknown>) {
  const [, wire = ""] = url.split("/");
  const inPath = /models\/([^:]+):/.exec(url)?.[1];
  // The tests name the format in the path.
  return { wire: wire as WireName, scenario: inPath ?? String(body.model) };
}

function readKey({ headers }: IncomingMessage): string {
  return String(headers.authorization ?? "").replace(/^Bearer /, "");
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  // Only clients of the tests write here.
  return JSON.parse(Buffer.concat(chunks).toString() || "{}") as Record<string, unknown>;
}
