// What web_fetch does in threads, from the code as the build makes it: large pages, PDF, and
// the end of a thread that would not end by itself.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import { constants, deflateRawSync, deflateSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Execute } from "../../src/core/define-tool.js";
import type { ToolResult } from "../../src/core/index.js";
import { createPageNet, type FakePage } from "../fakes/page-net.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const URL_A = "https://site.example/a";
const PROSE =
  "A sentence that says something, and goes on for a while, so that it counts as prose. ";
const PACKAGES = ["htmlparser2", "unpdf", "chardet"];

const JOB = {
  kind: "html",
  url: URL_A,
  mode: "markdown",
  includesHidden: false,
  takesMainPart: true,
};

/** A machine that is ten times slower needs ten times as long; what a limit does has its own test. */
const WITH_MORE_TIME: Plugin = {
  name: "more-time",
  setup({ onLoad }) {
    onLoad({ filter: /web_fetch\/(?:page-text|html-page)\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(
        /_TIMEOUT_MS = [\d_]+;/g,
        "_TIMEOUT_MS = 120_000;",
      ),
      loader: "ts",
    }));
  },
};

type Run = (page: FakePage, signal?: AbortSignal) => Promise<ToolResult>;

interface Built {
  readonly run: Run;
  readonly runOffThread: (request: {
    job: object;
    timeoutMs: number;
    maxWaitMs?: number;
    signal: AbortSignal;
  }) => Promise<unknown>;
}

let folder = "";
let built: Built;

beforeAll(async () => {
  // Inside the project, so that packages are found.
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  folder = mkdtempSync(join(ROOT, ".cache", "threads-"));
  const source = (name: string) => join(ROOT, "src/tools/web_fetch", name);
  await build({
    entryPoints: { execute: source("execute.ts"), thread: source("off-thread.ts") },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    external: PACKAGES,
    format: "esm",
    platform: "node",
    plugins: [WITH_MORE_TIME],
  });
  const load = (name: string) => import(pathToFileURL(join(folder, name)).href);
  const { execute }: { execute: Execute<object> } = await load("execute.mjs");
  const { runOffThread }: Pick<Built, "runOffThread"> = await load("thread.mjs");
  const run: Run = (page, signal = new AbortController().signal) =>
    execute({
      id: "call_1",
      params: { url: URL_A },
      ctx: {
        net: createPageNet({ [URL_A]: page }),
        clock: { now: () => 0 },
        limits: { resultChars: 50_000 },
        offers: () => false,
      },
      signal,
      update: () => undefined,
    });
  built = { run, runOffThread };
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const textOf = ({ content: [block] }: ToolResult) => (block?.type === "text" ? block.text : "");

/** Only as much of the format as a reader needs. */
function makePdf(lines: readonly string[]): Uint8Array {
  const pages = lines.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pages}] /Count ${lines.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...lines.flatMap((line, index) => {
      const stream = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ];
    }),
  ];
  let text = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const start = text.length;
  const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`;
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

/** How many threads there are from now on, and at once. */
function watchThreads() {
  const workers: Worker[] = [];
  let most = 0;
  const onWorker = (worker: Worker) => {
    workers.push(worker);
    most = Math.max(most, workers.filter(({ threadId }) => threadId !== -1).length);
  };
  process.on("worker", onWorker);
  return {
    end() {
      process.off("worker", onWorker);
      return { most };
    },
  };
}

describe("a thread of web_fetch", { timeout: 240_000 }, () => {
  it("reads a page of a megabyte", async () => {
    const paragraphs = `<p>${PROSE.repeat(5)}</p>`.repeat(2_500);
    const page = {
      body: `<title>Long</title><article><h1>Long</h1>${paragraphs}<p>The end.</p></article>`,
    };
    const result = await built.run(page);
    expect(textOf(result)).toContain("# Long");
    expect(result.details).toMatchObject({ extractor: "linear", truncated: true });
    expect(result.details).not.toHaveProperty("threadProblem");
    expect(Reflect.get(Object(result.details), "length")).toBeGreaterThan(1_000_000);
  });

  it("reads the pages of a PDF, whatever the server calls it", async () => {
    const body = makePdf(["The first page of it", "The second page of it"]);
    const result = await built.run({ body, type: "application/octet-stream" });
    expect(textOf(result)).toContain("[Page 1 of 2]\n\nThe first page of it");
    expect(textOf(result)).toContain("The second page of it");
    expect(result.details).toMatchObject({ extractor: "pdf", pages: 2 });
  });

  it("says so when a PDF is damaged or was cut short", async () => {
    const damaged = { body: "%PDF-1.4 nothing more", type: "application/pdf" };
    await expect(built.run(damaged)).rejects.toMatchObject({
      code: "failed",
      reason: "page_unreadable",
      message: "The page could not be read: it is damaged, or of a kind that is not known.",
    });
    const cut = { body: makePdf(["a"]), isCut: true };
    await expect(built.run(cut)).rejects.toMatchObject({ code: "limit", reason: "page_too_large" });
  });

  it("ends when a PDF of a kilobyte unpacks to more memory than it may take", async () => {
    const blank = Buffer.alloc(2 ** 20, " ");
    const block = deflateRawSync(blank, { finishFlush: constants.Z_FULL_FLUSH });
    const head = deflateRawSync("BT (x) Tj ET ", { finishFlush: constants.Z_FULL_FLUSH });
    const blocks = Array.from({ length: 1_500 }, () => block);
    const once = Buffer.concat([Buffer.from([0x78, 0x9c]), head, ...blocks, Buffer.from([3, 0])]);
    const stream = deflateSync(deflateSync(once, { level: 9 }), { level: 9 });
    const filter = "/Filter [/FlateDecode /FlateDecode /FlateDecode]";
    const bomb = Buffer.concat([
      Buffer.from(`%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >> endobj
4 0 obj << /Length ${stream.length} ${filter} >> stream\n`),
      stream,
      Buffer.from("\nendstream endobj\ntrailer << /Root 1 0 R >>"),
    ]);
    expect(bomb.length).toBeLessThan(3_000);
    const before = process.memoryUsage.rss();
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss() - before);
    }, 5);
    const running = built.run({ body: bomb, type: "application/pdf" });
    await expect(running).rejects.toMatchObject({ code: "limit", reason: "page_memory" });
    clearInterval(timer);
    expect(most).toBeLessThan(1e9);
    expect(textOf(await built.run({ body: makePdf(["Still here"]) }))).toContain("Still here");
  });

  it.each([
    ["nested without end", `${"[".repeat(2e6)}${"]".repeat(2e6)}`, "json"],
    ["nested and cut off", "[".repeat(4e6), "raw"],
    ["of one long text", `"${"\\n".repeat(2e6)}"`, "json"],
    ["of a million numbers", `[${"1,".repeat(1e6)}1]`, "json"],
  ])("reads JSON %s while others go on", async (_what, body, extractor) => {
    let worstMs = 0;
    const beganMs = performance.now();
    let lastMs = beganMs;
    const timer = setInterval(() => {
      worstMs = Math.max(worstMs, performance.now() - lastMs);
      lastMs = performance.now();
    }, 5);
    const result = await built.run({ body, type: "application/json" });
    clearInterval(timer);
    // Work on this thread would stop the timer for most of the time.
    expect(worstMs).toBeLessThan(Math.max(400, (performance.now() - beganMs) / 2));
    expect(result.details).toMatchObject({ extractor });
    expect(Object(result.details).length).toBeLessThanOrEqual(2_000_000);
    expect(Object(result.details).warning).toContain("only its first 2000000 characters");
  });

  it("reads code of four million spaces", async () => {
    const spaces = `<pre>${" ".repeat(4e6)}x</pre>`;
    const result = await built.run({
      body: `<article><p>${PROSE.repeat(5)}</p>${spaces}</article>`,
    });
    expect(textOf(result)).toContain("A sentence that says something");
    expect(result.details).toMatchObject({ extractor: "linear" });
    expect(result.details).not.toHaveProperty("threadProblem");
  });

  it("waits for its turn, and its time begins then", async () => {
    const page = (paragraphs: number) => ({
      ...JOB,
      source: `<article>${`<p>${PROSE}</p>`.repeat(paragraphs)}</article>`,
    });
    // Far more than a short page takes, and less than it has to wait.
    const timeoutMs = 8_000;
    const [long, short] = [page(200_000), page(400)];
    const holders = new AbortController();
    const { signal } = new AbortController();
    const threads = watchThreads();
    const held = Promise.allSettled(
      Array.from({ length: 40 }, () =>
        built.runOffThread({ job: long, timeoutMs: 60_000, signal: holders.signal }),
      ),
    );
    const all = Array.from({ length: 4 }, () =>
      built.runOffThread({ job: short, timeoutMs, signal }),
    );
    await sleep(timeoutMs + 200);
    holders.abort();
    expect((await held).at(-1)).toMatchObject({ reason: { name: "AbortError" } });
    const answers = await Promise.all(all);
    expect(threads.end().most).toBe(2);
    expect(answers.every((answer) => Object(answer).keptChars > 30_000)).toBe(true);
  });

  it("is ended when its time is over, and when the caller gives up", async () => {
    const source = `<article>${`<p>${PROSE}</p>`.repeat(20_000)}</article>`;
    const job = { ...JOB, source };
    const { signal } = new AbortController();
    await expect(built.runOffThread({ job, timeoutMs: 1, signal })).rejects.toMatchObject({
      code: "timeout",
      reason: "page_timeout",
    });
    const caller = new AbortController();
    const running = built.runOffThread({ job, timeoutMs: 60_000, signal: caller.signal });
    caller.abort();
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
  });
});
