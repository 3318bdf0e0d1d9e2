// A provider of embeddings that refuses, fails, drags or lies: words answer all the same, and the
// answer says which ways of searching ran.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Memory, MemoryAnswer, Net } from "../../src/core/index.js";
import type { EmbeddingProvider, EmbeddingSettings } from "../../src/drivers/memory/index.js";
import { createNet } from "../../src/drivers/net/index.js";
import { sampleRows } from "../fakes/campaign.js";
import { createTown, PUBLIC_ADDRESS } from "../security/net/net-setting.js";
import { type EmbeddingServer, startEmbeddingServer } from "./embedding-server.js";
import { makeNotesFolder, type NotesFolder, pathsOf, SIGNAL, search } from "./memory-setting.js";

const PROVIDERS = ["openai", "gemini", "ollama"] as const satisfies readonly EmbeddingProvider[];
const ALWAYS = 1_000;
const HALF_MINUTE_MS = 30_000;
const KEY = "key-that-nobody-may-see";

let folder: NotesFolder;
let server: EmbeddingServer;
let net: Net;
let nowMs: number;

const NOTES = {
  "memory/vet.md": "Biscuit the beagle has her vaccination every April.",
  "memory/heat.md": "The boiler is serviced every autumn.",
};

/** Goes on beside the other tests, in a place of its own: it takes the whole time that a query has. */
let unanswered: { readonly answer: Promise<MemoryAnswer>; close(): Promise<void> };

beforeAll(async () => {
  unanswered = await beginUnanswered();
});
afterAll(() => unanswered.close());

async function beginUnanswered(): Promise<typeof unanswered> {
  const ownServer = await startEmbeddingServer();
  const ownNet = createNet({ policy: undefined, proxy: {} });
  const ownFolder = makeNotesFolder(NOTES);
  const embedding = embeddingAt(ownServer.baseUrl);
  const memory = ownFolder.open({ embedding }, { net: ownNet });
  await memory.index({ signal: SIGNAL });
  ownServer.fail({ times: ALWAYS });
  const answer = search(memory, "vaccination");
  // Its test tells.
  answer.catch(() => undefined);
  return {
    answer,
    async close() {
      ownServer.mend();
      await ownFolder.close();
      await ownNet.close();
      await ownServer.close();
    },
  };
}

beforeEach(async () => {
  folder = makeNotesFolder(NOTES);
  server = await startEmbeddingServer();
  net = createNet({ policy: undefined, proxy: {} });
  nowMs = Date.now();
});
afterEach(async () => {
  server.mend();
  await folder.close();
  await net.close();
  await server.close();
});

function embeddingAt(baseUrl: string, provider: EmbeddingProvider = "openai"): EmbeddingSettings {
  return { provider, model: "test-model", baseUrl, apiKey: KEY, headers: {} };
}

function open(provider: EmbeddingProvider = "openai"): Memory {
  const embedding = embeddingAt(server.baseUrl, provider);
  return folder.open({ embedding }, { net, now: () => nowMs });
}

function expectWords(answer: MemoryAnswer, said: string): void {
  expect(pathsOf(answer)).toEqual(["memory/vet.md"]);
  expect(answer).toMatchObject({ legs: ["words"], staleNotes: 0 });
  expect(answer.warnings.join(" ")).toContain(said);
  expect(JSON.stringify(answer)).not.toContain(KEY);
}

const LONG_VECTOR = JSON.stringify(Array.from({ length: 20_000 }, () => 1));
const FAILURES = [
  { status: 401, body: "bad key", says: "remote.apiKey" },
  { status: 403, body: "no", says: "remote.apiKey" },
  { status: 429, body: "slow down", says: "too many requests" },
  { status: 500, body: "down", says: "status 500" },
  { status: 503, body: "down", says: "status 503" },
  { status: 302, body: "", says: "status 302" },
  { status: 200, body: "<html>", says: "did not answer with JSON" },
  { status: 200, body: "", says: "did not answer with JSON" },
  { status: 200, body: "null", says: "one vector for each text" },
  { status: 200, body: '{"data":[],"embeddings":[]}', says: "one vector for each text" },
  {
    ...{ status: 200, says: "one vector for each text" },
    body: '{"data":[{"embedding":["x"]}],"embeddings":[["x"]]}',
  },
  {
    ...{ status: 200, says: "one vector for each text" },
    body: '{"data":[{"embedding":[1e999]},{"embedding":[1]}],"embeddings":[[1e999],[1]]}',
  },
  {
    ...{ status: 200, says: "one vector for each text" },
    body: `{"data":[{"embedding":${LONG_VECTOR}},{"embedding":${LONG_VECTOR}}],"embeddings":[${LONG_VECTOR},${LONG_VECTOR}]}`,
  },
];

describe.each(PROVIDERS)("%s that fails", (provider) => {
  it.each(sampleRows(FAILURES, 4))(
    "with $status $body.length leaves the words: $says",
    async (failure) => {
      server.fail({ ...failure, times: ALWAYS });
      expectWords(await search(open(provider), "vaccination"), failure.says);
    },
  );

  it("is asked again after half a minute, though no note has changed", async () => {
    server.fail({ status: 401, body: "bad key", times: ALWAYS });
    const memory = open(provider);
    await search(memory, "vaccination");
    const { length } = server.asked;
    expectWords(await search(memory, "vaccination"), "remote.apiKey");
    expect(server.asked).toHaveLength(length);
    server.mend();
    nowMs += HALF_MINUTE_MS;
    expect(await search(memory, "puppy")).toMatchObject({
      ...{ legs: ["words", "meaning"], hits: [{ path: "memory/vet.md" }], warnings: [] },
    });
  });
});

describe("a provider that does not answer", () => {
  it("holds up a first search for two seconds at most, and no note that is written after", async () => {
    server.fail({ times: ALWAYS });
    const memory = open();
    const beganMs = performance.now();
    expectWords(await search(memory, "vaccination"), "No note has an embedding yet");
    expect(performance.now() - beganMs).toBeLessThan(4_000);
    folder.put("memory/new.md", "The heron was seen at the lake.");
    const answer = await search(memory, "heron");
    expect(pathsOf(answer)).toEqual(["memory/new.md"]);
    expect(answer.staleNotes).toBe(0);
    server.mend();
    await memory.index({ signal: SIGNAL });
    expect((await search(memory, "puppy")).legs).toEqual(["words", "meaning"]);
  });

  it("to a query leaves the words after five seconds, and that is said", async () => {
    expectWords(await unanswered.answer, "Only words were searched");
  });

  it("ends with the memory", async () => {
    server.fail({ times: ALWAYS });
    const memory = open();
    const found = search(memory, "vaccination");
    const indexed = memory.index({ signal: AbortSignal.timeout(300) });
    await expect(indexed).rejects.toThrow();
    await found;
    await memory.close();
  });
});

describe("what a provider says", () => {
  it.each([401, 403, 429, 500, 400])(
    "with %i is not shown: it may repeat the key",
    async (status) => {
      server.fail({ status, body: `bad key Bearer ${KEY}`, times: ALWAYS });
      const embedding = { ...embeddingAt(`${server.baseUrl}/v1?key=${KEY}`) };
      const memory = folder.open({ embedding }, { net, now: () => nowMs });
      const answer = await search(memory, "vaccination");
      expectWords(answer, `status ${status}`);
      expect(answer.warnings.join(" ")).not.toContain("bad key");
    },
  );

  it("is not taken when its numbers do not name each text once", async () => {
    const [one, two] = [
      [1, 0, 0, 0, 0.05],
      [0, 1, 0, 0, 0.05],
    ].map((embedding) => ({ embedding }));
    for (const numbers of [
      [0, 0],
      [0, 2],
      [1, 2],
      [-1, 0],
      ["0", "1"],
      [0.5, 1],
      [0, null],
    ]) {
      const data = [one, two].map((row, at) => ({ ...row, index: numbers[at] }));
      server.fail({ status: 200, body: JSON.stringify({ data }), times: ALWAYS });
      const embedding = embeddingAt(`${server.baseUrl}/v1?key=${KEY}`);
      const memory = folder.open({ embedding, indexFile: undefined }, { net });
      expectWords(await search(memory, "vaccination"), "one vector for each text");
      await memory.close();
    }
    server.fail({ status: 200, body: JSON.stringify({ data: [one, two] }), times: 1 });
    const memory = folder.open({ embedding: embeddingAt(server.baseUrl) }, { net });
    expect((await search(memory, "puppy")).legs).toEqual(["words", "meaning"]);
  });
});

describe("the address of a provider", () => {
  it("is one that a person wrote: a redirect from it leads nowhere", async () => {
    const elsewhere = await startEmbeddingServer();
    try {
      for (const status of [301, 302, 303, 307, 308]) {
        server.fail({ status, headers: { location: elsewhere.baseUrl }, times: ALWAYS });
        const embedding = embeddingAt(server.baseUrl);
        const other = folder.open({ embedding, indexFile: undefined }, { net });
        expectWords(await search(other, "vaccination"), `status ${status}`);
      }
      expect(elsewhere.asked).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  it("is not asked in clear, unless it is one of the own network", async () => {
    const town = await createTown();
    try {
      const embedding = embeddingAt("http://embed.example/v1");
      const memory = folder.open({ embedding }, { net: town.net() });
      expectWords(await search(memory, "vaccination"), "without encryption");
      expect(town.sockets).toEqual([]);
    } finally {
      await town.close();
    }
  });

  it.each([
    "http://169.254.169.254/v1",
    "https://169.254.169.254/v1",
    "http://[fd00:ec2::254]/v1",
    "http://metadata.google.internal/v1",
    "https://0.0.0.0/v1",
    "ftp://example.com/v1",
  ])("%s gives out no credentials: nothing is sent there", async (baseUrl) => {
    const town = await createTown();
    try {
      const embedding = embeddingAt(baseUrl);
      const memory = folder.open({ embedding }, { net: town.net() });
      expectWords(await search(memory, "vaccination"), "not up to date");
      expect(town.sockets).toEqual([]);
    } finally {
      await town.close();
    }
  });

  it.each([
    ["http://embed.lan", "127.0.0.1"],
    ["http://embed.lan", "169.254.169.254"],
    ["https://api.openai.com/v1", "10.0.0.1"],
    ["https://api.openai.com/v1", "127.0.0.1"],
  ])("%s is not asked when a later lookup gives %s", async (baseUrl, address) => {
    const town = await createTown((_request, response) => void response.writeHead(500).end());
    try {
      const embedding = embeddingAt(baseUrl);
      let lookups = 0;
      const resolve = async () => [lookups++ > 0 ? address : PUBLIC_ADDRESS];
      const memory = folder.open({ embedding }, { net: town.net({ resolve }) });
      expectWords(await search(memory, "vaccination"), "not up to date");
      expect(town.canaryHits()).toBe(0);
    } finally {
      await town.close();
    }
  });
});
