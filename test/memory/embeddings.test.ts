// Searching by meaning: real requests to a server on this machine, for each provider's wire format.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Net } from "../../src/core/index.js";
import type { EmbeddingProvider, EmbeddingSettings } from "../../src/drivers/memory/index.js";
import { createNet } from "../../src/drivers/net/index.js";
import { type EmbeddingServer, startEmbeddingServer } from "./embedding-server.js";
import { makeNotesFolder, type NotesFolder, pathsOf, SIGNAL, search } from "./memory-setting.js";

const NOTES = {
  "memory/vet.md": "Biscuit the beagle has her vaccination every April.",
  "memory/heat.md": "The boiler is serviced every autumn.",
  "memory/pay.md": "The invoice is sent as a file.",
};

let folder: NotesFolder;
let server: EmbeddingServer;
let net: Net;

beforeEach(async () => {
  folder = makeNotesFolder(NOTES);
  server = await startEmbeddingServer();
  net = createNet({ policy: undefined, proxy: {} });
});
afterEach(async () => {
  await folder.close();
  await net.close();
  await server.close();
});

function settingsOf(provider: EmbeddingProvider): EmbeddingSettings {
  const { baseUrl } = server;
  return { provider, model: "test-model", baseUrl, apiKey: "key-1", headers: { "x-team": "a" } };
}

const open = (provider: EmbeddingProvider = "openai") =>
  folder.open({ embedding: settingsOf(provider) }, { net });

describe("searching by meaning", () => {
  it.each([
    { provider: "openai", url: "/embeddings", header: "authorization", key: "Bearer key-1" },
    {
      provider: "gemini",
      url: "/models/test-model:batchEmbedContents",
      header: "x-goog-api-key",
      key: "key-1",
    },
    { provider: "ollama", url: "/api/embed", header: "authorization", key: "Bearer key-1" },
  ] as const)("$provider finds a note without a common word", async (wire) => {
    const memory = open(wire.provider);
    const answer = await search(memory, "puppy shots");
    expect(pathsOf(answer)[0]).toBe("memory/vet.md");
    expect(answer.legs).toEqual(["words", "meaning"]);
    expect(answer.hits[0]?.score).toBeGreaterThan(0.5);
    expect(server.asked[0]?.url).toBe(wire.url);
    expect(server.asked[0]?.headers).toMatchObject({ [wire.header]: wire.key, "x-team": "a" });
  });

  it("a text is sent once, also after the index was made anew", async () => {
    const memory = open();
    await memory.index({ signal: SIGNAL });
    expect(server.texts()).toBe(3);
    await memory.index({ isFresh: true, signal: SIGNAL });
    folder.put("memory/vet.md", "Another text about the hound.");
    await memory.index({ signal: SIGNAL });
    expect(server.texts()).toBe(4);
  });

  it("texts go out in batches", async () => {
    for (let index = 0; index < 130; index++) folder.put(`memory/n${index}.md`, `note ${index}`);
    await open().index({ signal: SIGNAL });
    expect(server.asked).toHaveLength(3);
  });

  it("both ways are joined: what words and meaning find stands before what one finds", async () => {
    const answer = await search(open(), "boiler puppy");
    expect(pathsOf(answer)).toEqual(["memory/heat.md", "memory/vet.md"]);
  });

  it("a provider that is busy is asked again", async () => {
    server.fail({ status: 429, body: "slow down", times: 2 });
    const status = await open().index({ signal: SIGNAL });
    expect(status.warnings).toEqual([]);
    expect(server.asked).toHaveLength(3);
  });

  it("a query that fails later is answered by words alone", async () => {
    const memory = open();
    await memory.index({ signal: SIGNAL });
    server.fail({ status: 500, body: "down", times: 20 });
    const answer = await search(memory, "vaccination");
    expect(pathsOf(answer)).toEqual(["memory/vet.md"]);
    expect(answer.warnings.join(" ")).toContain("Only words were searched");
  });

  it("nothing is sent without a provider", async () => {
    await search(folder.open({}, { net }), "vaccination");
    expect(server.asked).toEqual([]);
  });
});
