// A server on this machine that speaks the wire formats of the providers of embeddings. A vector
// counts concepts, so that two texts without a common word can mean the same.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const CONCEPTS = [
  ["dog", "beagle", "puppy", "hound"],
  ["shot", "shots", "vaccination", "vaccine"],
  ["money", "euro", "invoice", "price"],
  ["heater", "boiler", "warm"],
];

export interface Asked {
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface Failure {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly times: number;
}

export interface EmbeddingServer {
  readonly baseUrl: string;
  readonly asked: Asked[];
  /** Answers with this instead, as often as it says; without a status it does not answer at all. */
  fail(failure: Failure): void;
  /** Answers to what waits, and to what comes. */
  mend(): void;
  /** How many texts were sent. */
  texts(): number;
  close(): Promise<void>;
}

export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const asked: Asked[] = [];
  let failure: Failure = { times: 0 };
  let textCount = 0;
  let waiting: (() => void)[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = "", headers } = request;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part));
    const body = Buffer.concat(parts).toString("utf8");
    asked.push({ url, headers, body });
    if (failure.times > 0) {
      failure = { ...failure, times: failure.times - 1 };
      if (failure.status !== undefined) {
        response.writeHead(failure.status, { "retry-after": "0", ...failure.headers });
        response.end(failure.body);
        return;
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    const { texts, wrap } = readRequest(url, JSON.parse(body));
    textCount += texts.length;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(wrap(texts.map(embed))));
  }

  const server: Server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(400).end(String(error));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    asked,
    fail(given) {
      failure = { ...given };
    },
    mend() {
      failure = { times: 0 };
      for (const goOn of waiting) goOn();
      waiting = [];
    },
    texts: () => textCount,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface ReadRequest {
  readonly texts: readonly string[];
  wrap(vectors: readonly number[][]): unknown;
}

interface GeminiPart {
  readonly content: { readonly parts: readonly [{ readonly text: string }] };
}

function readRequest(url: string, body: Record<string, unknown>): ReadRequest {
  if (url.endsWith(":batchEmbedContents")) {
    // What the test itself sent.
    const requests = body.requests as GeminiPart[];
    return {
      texts: requests.map(({ content }) => content.parts[0].text),
      wrap: (vectors) => ({ embeddings: vectors.map((values) => ({ values })) }),
    };
  }
  const texts = body.input as string[];
  if (url === "/api/embed") return { texts, wrap: (vectors) => ({ embeddings: vectors }) };
  return {
    texts,
    // Backwards: the order of rows is not promised.
    wrap: (vectors) => ({
      data: vectors.map((embedding, index) => ({ index, embedding })).reverse(),
    }),
  };
}

function embed(text: string): number[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return [
    ...CONCEPTS.map((concept) => words.filter((word) => concept.includes(word)).length),
    0.05,
  ];
}
