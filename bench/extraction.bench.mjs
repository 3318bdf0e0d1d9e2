// 5a, 5b, 5q: web pages to text. Speed beside one pass of a parser, the cache beside a Map, and the
// quality of the text compared with turndown, page class by page class.

import { Parser, Tokenizer } from "htmlparser2";
import { importSources } from "./measure/bundle-source.mjs";
import { timeByTurns, toRowWithBest } from "./measure/by-turns.mjs";
import { extractByPeer, readPages, scoreText } from "./measure/extraction-score.mjs";
import { sized } from "./measure/size.mjs";

export const ids = ["5a", "5b", "5q"];

const KB = 1024;
const SIZES = [
  ["100 KB", 100 * KB],
  ["1 MB", 1024 * KB],
  ["5 MB", 5 * 1024 * KB],
].slice(0, sized(3));
const MAX_HIT_US = 50;

export async function rows({ isWanted }) {
  const [extract, execution] = await importSources([
    "src/tools/web_fetch/html/extract.ts",
    "src/tools/web_fetch/execute.ts",
  ]);
  const made = [];
  if (isWanted("5a")) made.push(...(await speedRows(extract)));
  if (isWanted("5b")) made.push(await cacheRow(execution));
  if (isWanted("5q")) made.push(...qualityRows(extract));
  return made;
}

const toRequest = (source, url = "https://pages.example/") => ({
  source,
  url,
  mode: "markdown",
  includesHidden: false,
  Tokenizer,
});

/** The bodies of all pages, one after another, in the frame of an ordinary one. */
function repeatPages(bytes) {
  const bodies = readPages()
    .filter(({ gold }) => ["article", "docs", "table", "code"].includes(gold.class))
    .map(({ source }) => /<body[^>]*>([\s\S]*)<\/body>/i.exec(source)?.[1] ?? "");
  return fill({ bytes, parts: bodies, wrap: (text) => `<html><body>${text}</body></html>` });
}

function makeProse(bytes) {
  const parts = readPages()
    .filter(({ gold }) => gold.class === "article")
    .flatMap(({ gold }) => gold.text.map((text) => `<p>${text}</p>\n`));
  const wrap = (text) => `<html><body><article>${text}</article></body></html>`;
  return fill({ bytes, parts, wrap });
}

function fill({ bytes, parts, wrap }) {
  const pieces = [];
  for (let size = 0, index = 0; size < bytes; index++) {
    const part = parts[index % parts.length];
    pieces.push(part);
    size += part.length;
  }
  return wrap(pieces.join(""));
}

async function speedRows({ extractHtml }) {
  const made = [];
  for (const [name, bytes] of SIZES) {
    made.push(await speedRow({ extractHtml, name, source: repeatPages(bytes), maxRatio: 3 }));
  }
  const prose = makeProse(sized(1024, 100) * KB);
  made.push(await speedRow({ extractHtml, name: "1 MB, all prose", source: prose, maxRatio: 4 }));
  return made;
}

async function speedRow({ extractHtml, name, source, maxRatio }) {
  const seen = { count: 0 };
  const count = () => {
    seen.count++;
  };
  const parse = () => {
    const parser = new Parser({ onopentag: count, ontext: count, onclosetag: count });
    parser.write(source);
    parser.end();
  };
  const rounds = source.length > 2e6 ? 8 : source.length > 5e5 ? 16 : 40;
  const [raw, ours] = await timeByTurns([parse, () => extractHtml(toRequest(source))], { rounds });
  const work = `page of ${name} to Markdown (raw = one Parser pass)`;
  return toRowWithBest({ id: "5a", work, raw, ours, maxRatio });
}

/** A page of 30 KB that is there already, asked for again. */
async function cacheRow({ execute }) {
  const body = new TextEncoder().encode(makeProse(30 * KB));
  const net = {
    fetch: async ({ url }) => ({
      status: 200,
      url,
      headers: { "content-type": "text/html; charset=utf-8" },
      hops: [url],
      body,
      isCut: false,
      tookMs: 1,
    }),
  };
  const call = {
    id: "call_1",
    params: { url: "https://pages.example/Some/Path" },
    ctx: {
      net,
      clock: { now: () => 0 },
      limits: { resultChars: 50_000 },
      offers: () => true,
    },
    signal: new AbortController().signal,
    update: () => undefined,
  };
  await execute(call);
  const map = new Map([[call.params.url, body]]);
  const works = [() => map.get(call.params.url), () => execute(call)];
  const [raw, ours] = await timeByTurns(works, { rounds: 30, callsPerRound: 500 });
  const row = toRowWithBest({
    id: "5b",
    work: "web_fetch cache hit (raw = Map get)",
    raw,
    ours,
    maxRatio: 0,
  });
  return { ...row, target: `<= ${MAX_HIT_US} us`, met: ours.median <= MAX_HIT_US * 1e3 };
}

function qualityRows({ extractHtml }) {
  const byClass = new Map();
  for (const page of readPages().slice(0, sized(undefined, 4))) {
    const { text } = extractHtml(toRequest(page.source, page.gold.url));
    const scores = {
      ours: scoreText(text, page.gold),
      peer: scoreText(extractByPeer(page), page.gold),
    };
    byClass.set(page.gold.class, [...(byClass.get(page.gold.class) ?? []), scores]);
    byClass.set("all", [...(byClass.get("all") ?? []), scores]);
  }
  return [...byClass].map(([name, scores]) => qualityRow(name, scores));
}

function qualityRow(name, scores) {
  const [ours, peer] = ["ours", "peer"].map((who) => average(scores.map((score) => score[who])));
  const gain = ours.total - peer.total;
  const isSum = name === "all";
  return {
    id: "5q",
    work: `text of ${isSum ? "all pages" : `class ${name}`}, ${scores.length} (raw = turndown)`,
    raw: describe(peer),
    ours: describe(ours),
    ratio: `${gain < 0 ? "" : "+"}${gain.toFixed(3)}`,
    target: isSum ? "better" : "not worse",
    met: isSum ? gain > 0 : gain >= 0,
  };
}

function average(scores) {
  const keys = Object.keys(scores[0]);
  const mean = (key) => scores.reduce((sum, score) => sum + score[key], 0) / scores.length;
  return Object.fromEntries(keys.map((key) => [key, mean(key)]));
}

/** Precision, recall, phrases, structure. */
function describe({ precision, recall, phrases, shape, total }) {
  const [p, r, f, s, t] = [precision, recall, phrases, shape, total].map((value) =>
    value.toFixed(2),
  );
  return `P ${p} R ${r} phr ${f} str ${s} = ${t}`;
}
