// 8e: requests of a page through the filtering proxy, beside the same page in the same browser without it.

import { createServer } from "node:http";
import { chromium } from "playwright-core";
import { importSources } from "./measure/bundle-source.mjs";
import { timeByTurns, toRowWithBest } from "./measure/by-turns.mjs";
import { sized } from "./measure/size.mjs";

const ROUNDS = 15;
const SEQUENTIAL = sized(50, 2);
const PARALLEL = sized(200, 5);
const MAX_RATIO = 2;
const BODY = Buffer.alloc(10_000, "x");
const WORKS = [
  {
    work: `${SEQUENTIAL} fetches of 10 KB in a page, one after the other (raw = no proxy)`,
    script: `(async () => { for (let i = 0; i < ${SEQUENTIAL}; i++) await (await fetch("/x", { cache: "no-store" })).text(); })()`,
  },
  {
    work: `${PARALLEL} fetches of 10 KB in a page at once (raw = no proxy)`,
    script: `Promise.all(Array.from({ length: ${PARALLEL} }, async () => (await fetch("/x", { cache: "no-store" })).text()))`,
  },
];

export const ids = ["8e"];

export async function rows() {
  const [{ createFilterProxy }, { findBrowser }] = await importSources([
    "src/drivers/net/index.ts",
    "src/drivers/browser/launch/find-browser.ts",
  ]);
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(BODY);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  const filter = await createFilterProxy({ policy: { allowedHostnames: ["127.0.0.1"] } });
  const executablePath = await findBrowser(undefined);
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const { host, port } = filter.address;
  const proxy = { server: `http://${host}:${port}`, bypass: "<-loopback>" };
  try {
    const raw = await openPage(browser, { url });
    const ours = await openPage(browser, { url, proxy });
    const rows = [];
    for (const { work, script } of WORKS) {
      const works = [() => raw.evaluate(script), () => ours.evaluate(script)];
      const [rawTime, ourTime] = await timeByTurns(works, { rounds: ROUNDS });
      rows.push(
        toRowWithBest({ id: "8e", work, raw: rawTime, ours: ourTime, maxRatio: MAX_RATIO }),
      );
    }
    return rows;
  } finally {
    await browser.close();
    await filter.close();
    server.closeAllConnections();
    server.close();
  }
}

async function openPage(browser, { url, proxy }) {
  const context = await browser.newContext({ ...(proxy ? { proxy } : {}) });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}
