// 12: a streamed answer of a model through our connector, beside a plain client that only splits lines
// and parses JSON; and the start of a process that loads all four wire formats.

import { createServer, request } from "node:http";
import { importSource } from "./measure/bundle-source.mjs";
import { timeByTurns, toRowWithBest } from "./measure/by-turns.mjs";
import { sized } from "./measure/size.mjs";

const ROUNDS = 20;
const DELTAS = sized(5_000, 50);
const MAX_RATIO = 3;
const EVENTS_PER_CHUNK = 20;

export const ids = ["12a"];

export async function rows() {
  const { createProviderConnector } = await importSource("src/connectors/provider-connector.ts");
  const { createNet } = await importSource("src/drivers/net/index.ts");
  const chunks = toChunks(DELTAS);
  const server = createServer((incoming, response) => {
    incoming.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of chunks) response.write(chunk);
    response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  const net = createNet({ policy: undefined, proxy: {} });
  const api = "openai-completions";
  const model = { id: "m", provider: "bench", api, baseUrl };
  const provider = { id: "bench", label: "Bench", api, envVars: [], models: [model] };
  const connector = createProviderConnector(provider, { net });
  try {
    const [raw, ours] = await timeByTurns(
      [
        () => readPlain(`${baseUrl}/chat/completions`),
        async () => {
          let chars = 0;
          const messages = [{ role: "user", content: "Go on" }];
          for await (const event of connector.stream(model, { messages }, {})) {
            if (event.type === "text_delta") chars += event.delta.length;
            if (event.type === "error") throw new Error(event.error);
          }
          return chars;
        },
      ],
      { rounds: ROUNDS },
    );
    const work = `answer of ${DELTAS} deltas (raw = node:http, lines, JSON.parse)`;
    return [toRowWithBest({ id: "12a", work, raw, ours, maxRatio: MAX_RATIO })];
  } finally {
    await net.close();
    server.closeAllConnections();
    server.close();
  }
}

function toChunks(count) {
  const event = (delta, finish = null) =>
    `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const events = Array.from({ length: count }, (_none, index) =>
    event({ content: `word${index} ` }),
  );
  events.push(event({}, "stop"), "data: [DONE]\n\n");
  const chunks = [];
  for (let at = 0; at < events.length; at += EVENTS_PER_CHUNK) {
    chunks.push(events.slice(at, at + EVENTS_PER_CHUNK).join(""));
  }
  return chunks;
}

function readPlain(url) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST" }, (response) => {
      let rest = "";
      let chars = 0;
      response.setEncoding("utf8");
      response.on("data", (text) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          if (!line.startsWith("data: {")) continue;
          chars += JSON.parse(line.slice(6)).choices[0].delta.content?.length ?? 0;
        }
      });
      response.on("end", () => resolve(chars));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end("{}");
  });
}
