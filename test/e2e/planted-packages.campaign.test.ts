// A project that has installed this library where its agent works, in a package of a workspace with
// hoisted dependencies: packages that appear while it runs are never loaded by it.

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleRows } from "../fakes/campaign.js";
import { DIST_DIR, PROJECT_DIR, runNodeWithin } from "../fakes/run-node.js";

const HOME = "packages/a/node_modules";
const TIMEOUT_MS = 240_000;
const INSTALLED = [
  "@img/colour",
  "@img/sharp-libvips-linux-x64",
  "@img/sharp-linux-x64",
  "@lydell/node-pty",
  "@lydell/node-pty-linux-x64",
  "@photostructure/sqlite",
  "detect-libc",
  "node-addon-api",
  "node-gyp-build",
  "playwright-core",
  "semver",
  "sharp",
];
/** Prebuilt for other systems, and the sources in C. */
const NOT_COPIED = /[\\/](?:prebuilds[\\/](?!linux-x64)[^\\/]+|src|deps|sqlite-src)$/;
const PDF = `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >> endobj
4 0 obj << /Length 36 >> stream
BT /F1 12 Tf 9 9 Td (Of the PDF) Tj ET
endstream endobj
5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj
trailer << /Root 1 0 R >>`;
const PROGRAM = `
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createToolkit } from "clawtools";
const { root, state, planted, calls, naive } = JSON.parse(process.argv[2]);
const BODIES = {
  "/page": ["text/html", "<title>T</title><article><p>Of the page, a text.</p></article>"],
  "/latin": ["text/html", Buffer.from("<p>Stra\\xdfe, \\xfcber M\\xfcnchen</p>", "latin1")],
  "/pdf": ["application/pdf", ${JSON.stringify(PDF)}],
};
const server = createServer(({ url }, answer) => {
  const [type, body] = BODIES[url];
  answer.writeHead(200, { "content-type": type }).end(body);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const toolkit = createToolkit({
  root,
  stateDir: state,
  config: {
    browser: { executablePath: "/bin/false", noSandbox: true },
    tools: { allow: ["*"], exec: { ask: "off", security: "full" }, net: { ssrfPolicy: { allowedHostnames: ["127.0.0.1"] } } },
  },
});
const entry = (name) => \`require("node:fs").writeFileSync(\${JSON.stringify(join(root, "hit-"))} + \${JSON.stringify(name.replaceAll("/", "+"))}, "");\\nmodule.exports = {};\`;
for (const place of planted) {
  mkdirSync(join(root, place), { recursive: true });
  const name = place.slice(place.lastIndexOf("node_modules/") + 13);
  writeFileSync(join(root, place, "package.json"), JSON.stringify({ name, version: "9.9.9", main: "index.js" }));
  for (const file of ["index.js", "sharp.node", "pty.node"]) {
    writeFileSync(join(root, place, file), entry(name));
  }
}
const answers = [];
for (const [name, args] of calls) {
  const { port } = server.address();
  const asked = JSON.parse(JSON.stringify(args).replace("ORIGIN", "http://127.0.0.1:" + port));
  const { content } = await toolkit.invoke({ id: "call_" + answers.length, name, arguments: asked });
  answers.push(content.map((block) => block.text ?? block.type).join(" "));
}
await toolkit.close();
server.close();
// As a package without any care would load what it likes to have.
for (const name of naive) createRequire(import.meta.resolve("clawtools"))(name);
console.log(JSON.stringify(answers));
process.exit(0);
`;

type Call = readonly [name: string, args: object];
const PAGE: Call = ["web_fetch", { url: "ORIGIN/page" }];
const LATIN: Call = ["web_fetch", { url: "ORIGIN/latin" }];
const PDF_PAGE: Call = ["web_fetch", { url: "ORIGIN/pdf" }];
const PICTURE: Call = ["read", { path: "wide.png" }];
const TERMINAL: Call = ["exec", { command: "echo in-$((40+2))", pty: true }];
const BROWSER: Call = ["browser", { action: "open", targetUrl: "about:blank" }];
const NOTES: Call = ["memory_search", { query: "cat" }];
const NO_SHARP = /sharp` and restart/;

let folder = "";
let picture: Buffer;
const roots = { full: "", bare: "", broken: "" };

function install(name: string, packages: readonly string[]): string {
  const root = join(folder, name);
  const home = join(root, HOME, "clawtools");
  mkdirSync(home, { recursive: true });
  cpSync(DIST_DIR, join(home, "dist"), { recursive: true });
  cpSync(join(PROJECT_DIR, "package.json"), join(home, "package.json"));
  for (const one of packages) {
    cpSync(join(PROJECT_DIR, "node_modules", one), join(root, "node_modules", one), {
      recursive: true,
      filter: (path) => !NOT_COPIED.test(path),
    });
  }
  writeFileSync(join(root, "packages/a/program.mjs"), PROGRAM);
  writeFileSync(join(root, "wide.png"), picture);
  writeFileSync(join(root, "MEMORY.md"), "The cat is called Tom.\n");
  return root;
}

beforeAll(async () => {
  const background = "#336699";
  const wide = sharp({ create: { width: 5_000, height: 20, channels: 3, background } });
  picture = await wide.png().toBuffer();
  folder = realpathSync(mkdtempSync(join(tmpdir(), "planted-packages-")));
  roots.full = install("full", INSTALLED);
  roots.bare = install("bare", []);
  roots.broken = install("broken", ["@img/colour", "detect-libc", "semver", "sharp"]);
}, TIMEOUT_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }), TIMEOUT_MS);

interface Attempt {
  readonly root: string;
  readonly planted: readonly string[];
  readonly calls: readonly Call[];
  readonly naive?: readonly string[];
}

/** What each call said, and the names of the planted packages that ran. */
async function attempt({ root, planted, calls, naive = [] }: Attempt) {
  const state = mkdtempSync(join(folder, "state-"));
  const asked = JSON.stringify({ root, state, planted, calls, naive });
  const program = join(root, "packages/a/program.mjs");
  try {
    const { stdout, stderr } = await runNodeWithin(TIMEOUT_MS, { args: [program, asked] });
    expect(stderr).toBe("");
    const answers: string[] = JSON.parse(stdout);
    const hits = readdirSync(root).filter((name) => name.startsWith("hit-"));
    for (const name of hits) rmSync(join(root, name));
    return { answers, hits: hits.map((name) => name.slice(4)) };
  } finally {
    for (const place of planted) rmSync(join(root, place), { recursive: true, force: true });
  }
}

describe("a package that appears while a toolkit runs is not loaded:", {
  timeout: TIMEOUT_MS,
}, () => {
  const ROWS: [string, keyof typeof roots, string[], Call, RegExp][] = [
    ["a peer that a parser would like", "full", ["node_modules/canvas"], PAGE, /Of the page/],
    ["a client for HTTP", "bare", ["node_modules/undici"], PAGE, /Of the page/],
    ["a parser next to us", "full", [`${HOME}/htmlparser2`], PAGE, /Of the page/],
    [
      "a parser within us",
      "full",
      [`${HOME}/clawtools/node_modules/htmlparser2`],
      PAGE,
      /Of the page/,
    ],
    ["what guesses encodings", "bare", ["node_modules/chardet"], LATIN, /Straße/],
    [
      "what reads PDF",
      "bare",
      ["node_modules/unpdf", "node_modules/@napi-rs/canvas"],
      PDF_PAGE,
      /Of the PDF/,
    ],
    [
      "the screen of a terminal",
      "full",
      ["packages/node_modules/@xterm/headless"],
      TERMINAL,
      /in-42/,
    ],
    ["an optional package that is missing", "bare", ["node_modules/sharp"], PICTURE, NO_SHARP],
    ["a nearer copy of an installed one", "full", [`${HOME}/sharp`], PICTURE, NO_SHARP],
    [
      "a nearer copy of what that needs",
      "full",
      ["node_modules/sharp/node_modules/detect-libc"],
      PICTURE,
      NO_SHARP,
    ],
    ["its missing build", "broken", ["node_modules/@img/sharp-linux-x64"], PICTURE, NO_SHARP],
    ["another build of it", "broken", ["node_modules/@img/sharp-wasm32"], PICTURE, NO_SHARP],
    [
      "terminals that are missing",
      "bare",
      ["node_modules/@lydell/node-pty"],
      TERMINAL,
      /Install it and restart/,
    ],
    ["a nearer copy of SQLite", "full", [`${HOME}/@photostructure/sqlite`], NOTES, /SQLite/],
    [
      "what a driver of browsers tries",
      "full",
      ["node_modules/bufferutil", "node_modules/utf-8-validate"],
      BROWSER,
      /^(?!.*playwright-core)/s,
    ],
    [
      "a driver of browsers",
      "bare",
      ["node_modules/playwright-core"],
      BROWSER,
      /playwright-core` and restart/,
    ],
  ];

  it.each(sampleRows(ROWS, 4))("%s", async (_what, layout, planted, call, expected) => {
    const { answers, hits } = await attempt({ root: roots[layout], planted, calls: [call] });
    expect(hits).toEqual([]);
    expect(answers).toEqual([expect.stringMatching(expected)]);
  });

  it("while one that is loaded by its name alone is hit", async () => {
    const planted = ["node_modules/canvas"];
    const { hits } = await attempt({ root: roots.full, planted, calls: [PAGE], naive: ["canvas"] });
    expect(hits).toEqual(["canvas"]);
  });
});

it(
  "an untouched installation shows pictures, runs terminals and finds notes",
  async () => {
    const calls = [PICTURE, TERMINAL, NOTES, LATIN, PDF_PAGE];
    const { answers } = await attempt({ root: roots.full, planted: [], calls });
    expect(answers).toEqual([
      expect.stringContaining("image"),
      expect.stringContaining("in-42"),
      expect.stringContaining("Tom"),
      expect.stringContaining("Straße"),
      expect.stringContaining("Of the PDF"),
    ]);
  },
  TIMEOUT_MS,
);
