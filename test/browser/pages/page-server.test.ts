// The server of the test pages by itself: what it answers, and that every page is sound in a plain
// Chromium. What our tool makes of the pages is tested elsewhere.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBrowser } from "../../../src/drivers/browser/launch/find-browser.js";
import { createPageServer, type PageServer } from "./page-server.js";

const FOLDER = fileURLToPath(new URL("./html", import.meta.url));
const MADE = [
  "many?elements=50",
  "huge-text?megabytes=1",
  "orders?page=2",
  "orders/1004",
  "frames",
];
const START_LIMIT_MS = 240_000;
const ALL_PAGES_LIMIT_MS = 240_000;

let server: PageServer;

beforeAll(async () => {
  server = await createPageServer();
});
afterAll(() => server.close());

const get = (path: string, init: RequestInit = {}) =>
  fetch(`${server.base}${path}`, { redirect: "manual", ...init });

describe("the routes", () => {
  test("an account is shown only to a session", async () => {
    const stranger = await get("/account");
    expect([stranger.status, stranger.headers.get("location")]).toEqual([303, "/login"]);
    const body = new URLSearchParams({ email: "ada@example.org", password: "correct horse" });
    const login = await get("/login", { method: "POST", body });
    const cookie = login.headers.get("set-cookie") ?? "";
    const known = await get("/account", { headers: { cookie } });
    expect(await known.text()).toContain("Welcome, Ada");
  });

  test("a wrong password leads back", async () => {
    const body = new URLSearchParams({ email: "ada@example.org", password: "wrong" });
    const login = await get("/login", { method: "POST", body });
    expect(login.headers.get("location")).toBe("/login?wrong=1");
    expect(login.headers.get("set-cookie")).toBeNull();
  });

  test("an upload is echoed with its size", async () => {
    const body = new FormData();
    body.append("file", new Blob(["twelve chars"]), "notes.txt");
    const answer = await get("/upload", { method: "POST", body });
    const parts = [{ name: "file", file: "notes.txt", bytes: 12 }];
    expect(await answer.json()).toMatchObject({ parts });
  });

  test("redirects take as many hops as asked", async () => {
    const answer = await fetch(`${server.base}/redirect?times=3&to=/inner`);
    expect(answer.url).toBe(`${server.base}/inner`);
    expect(server.asked.filter((line) => line === "GET /redirect")).toHaveLength(3);
  });

  test("a page that never ends gives what it has", async () => {
    const abort = new AbortController();
    const answer = await get("/never", { signal: abort.signal });
    const { value } = (await answer.body?.getReader().read()) ?? {};
    abort.abort();
    expect(new TextDecoder().decode(value)).toContain("Never done loading");
  });

  test("a transfer fails at the first attempt alone", async () => {
    const answers = await Promise.all([1, 2].map((turn) => get(`/api/transfer?attempt=${turn}`)));
    expect(answers.map(({ status }) => status)).toEqual([503, 200]);
  });

  test("the same pages are there as another site", async () => {
    const answer = await fetch(`${server.otherBase}/inner`);
    expect(await answer.text()).toContain("Inner field");
  });
});

describe("the pages", () => {
  let browser: Browser;
  beforeAll(async () => {
    const path = await findBrowser(undefined);
    browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox"] });
  }, START_LIMIT_MS);
  afterAll(() => browser?.close());

  test(
    "none of them has an error of its own",
    async () => {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(`${page.url()}: ${error.message}`));
      for (const path of [...listFiles(), ...MADE]) {
        await page.goto(`${server.base}/${path}`, { waitUntil: "domcontentloaded" });
        const text = await page.locator("body").innerText();
        if (text.trim() === "") errors.push(`${path} is empty`);
      }
      expect(errors).toEqual([]);
    },
    ALL_PAGES_LIMIT_MS,
  );
});

function listFiles(): string[] {
  const names = readdirSync(FOLDER, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".html")).map((name) => nameOf(name));
}

function nameOf(path: string): string {
  const name = path.replace(/^.*\//, "").replace(/\.html$/, "");
  return name === "index" ? "" : name;
}
