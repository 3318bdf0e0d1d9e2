// 5d: a whole web search, from parameters to text, beside the request and the JSON alone.

import { createServer } from "node:http";
import { importSources } from "./measure/bundle-source.mjs";
import { timeByTurns, toRowWithBest } from "./measure/by-turns.mjs";

const ROUNDS = 30;
const SEARCHES_PER_ROUND = 100;
const HITS = 10;
const SNIPPET_CHARS = 300;
/** Our part may cost as much as a request that goes no further than this machine. */
const MAX_RATIO = 2;

export const ids = ["5d"];

const ANSWER = JSON.stringify({
  results: Array.from({ length: HITS }, (_, index) => ({
    title: `Hit ${index} of a search for something`,
    url: `https://site-${index}.example/path/to/page?number=${index}`,
    content: "Some words of a page, as a snippet. ".repeat(SNIPPET_CHARS / 36),
    publishedDate: "2026-01-31T00:00:00",
    engine: "made",
    score: 1,
  })),
});

export async function rows() {
  const [{ createNet }, { execute }] = await importSources([
    "src/drivers/net/index.ts",
    "src/tools/web_search/execute.ts",
  ]);
  const server = createServer((_request, response) => response.end(ANSWER));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${server.address().port}`;
  const net = createNet();
  const { signal } = new AbortController();
  const search = { cacheTtlMinutes: 0, searxng: { baseUrl: base } };
  // Its turns are no part of the work, so each search has a moment of its own.
  let nowMs = Date.now();
  const clock = { now: () => (nowMs += 1_000), after: () => () => undefined };
  const call = {
    params: { query: "something", count: HITS },
    ctx: { net, config: { tools: { web: { search } } }, clock, limits: { resultChars: 50_000 } },
    signal,
  };
  const limits = { maxBytes: 2_000_000, timeoutMs: 30_000, maxRedirects: 0 };
  const request = {
    ...{ limits, signal, alsoAllowedHostnames: ["127.0.0.1"] },
    url: `${base}/search?q=something&format=json&categories=general`,
    headers: { accept: "application/json" },
  };
  try {
    const works = [
      async () => JSON.parse(new TextDecoder().decode((await net.fetch(request)).body)),
      () => execute(call),
    ];
    const turns = { rounds: ROUNDS, callsPerRound: SEARCHES_PER_ROUND };
    const [raw, ours] = await timeByTurns(works, turns);
    const work = "web_search of 10 hits (raw = request by the port, JSON.parse)";
    return [toRowWithBest({ id: "5d", work, raw, ours, maxRatio: MAX_RATIO })];
  } finally {
    await net.close();
    server.closeAllConnections();
    server.close();
  }
}
