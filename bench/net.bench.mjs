// 5c: one request to a server on this machine through the network port, beside the plain client.

import { createServer } from "node:http";
import { Pool } from "undici";
import { importSource } from "./measure/bundle-source.mjs";
import { timeByTurns, toRowWithBest } from "./measure/by-turns.mjs";

const ROUNDS = 30;
const REQUESTS_PER_ROUND = 100;
const BIG_BYTES = 100_000;
const MAX_RATIO = 1.3;
const TIMEOUT_MS = 30_000;
/** The same work needs both; a caller who wants neither can have a plain client. */
const withLimits = (signal) => ({
  signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
});
const bare = () => ({});
const WORKS = [
  { work: "GET of 10 KB (raw = undici, signal, time limit)", bytes: 10_000, options: withLimits },
  { work: "GET of 1 MB (raw = undici, signal, time limit)", bytes: 1_000_000, options: withLimits },
  { work: "GET of 10 KB (raw = undici, bare)", bytes: 10_000, options: bare },
];

export const ids = ["5c"];

export async function rows() {
  const { createNet } = await importSource("src/drivers/net/index.ts");
  const pages = new Map(WORKS.map(({ bytes }) => [`/${bytes}`, Buffer.alloc(bytes, "x")]));
  const server = createServer((request, response) => response.end(pages.get(request.url)));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const raw = new Pool(origin, { connections: 16 });
  const net = createNet({ policy: { allowedHostnames: ["127.0.0.1"] } });
  const { signal } = new AbortController();
  try {
    const rows = [];
    for (const { work, bytes, options } of WORKS) {
      const limits = { maxBytes: 2_000_000, timeoutMs: TIMEOUT_MS };
      const path = `/${bytes}`;
      const works = [
        async () => {
          const { body } = await raw.request({ path, method: "GET", ...options(signal) });
          return body.bytes();
        },
        () => net.fetch({ url: `${origin}${path}`, limits, signal }),
      ];
      const callsPerRound = bytes > BIG_BYTES ? REQUESTS_PER_ROUND / 10 : REQUESTS_PER_ROUND;
      const turns = { rounds: ROUNDS, callsPerRound };
      const [rawTime, ourTime] = await timeByTurns(works, turns);
      rows.push(
        toRowWithBest({ id: "5c", work, raw: rawTime, ours: ourTime, maxRatio: MAX_RATIO }),
      );
    }
    return rows;
  } finally {
    await Promise.all([raw.close(), net.close()]);
    server.closeAllConnections();
    server.close();
  }
}
