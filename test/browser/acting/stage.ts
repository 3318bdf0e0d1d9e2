// A Chromium for the tests of a file, pages served on this machine, and the port of each page, made
// without a session.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import type { BrowserPage, ListedElement } from "../../../src/core/browser.js";
import type { ToolError } from "../../../src/core/index.js";
import type { TabElements } from "../../../src/drivers/browser/elements/tab-elements.js";
import { createBrowserPage } from "../../../src/drivers/browser/page/create-browser-page.js";
import { createDownloadQuota } from "../../../src/drivers/browser/page/files/downloads.js";
import { guardScript } from "../../../src/drivers/browser/page/guard-script.js";
import type { PageHandle } from "../../../src/drivers/browser/page/page-handle.js";
import { createNodeBridge } from "../../../src/drivers/fs/index.js";
import { createLoneTab } from "../elements/tab-fixture.js";
import { lendChromium } from "../launch-chromium.js";

const GUARD_NAME = "xguardoftests";
const HOST = "127.0.0.1";
const OTHER_HOST = "127.0.0.2";
export const { signal } = new AbortController();
export const scope = { signal };

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface Scene {
  readonly port: BrowserPage;
  /** Playwright's, to look at the page past the port. */
  readonly page: Page;
  /** The ref of an element by its role and name, from a fresh listing. */
  ref(role: string, name: string): Promise<string>;
  listed(): Promise<readonly ListedElement[]>;
  click(role: string, name: string): ReturnType<BrowserPage["act"]>;
  /** To ask the code in the page past the port. */
  readonly elements: TabElements;
  /** What stands in a global variable of the page. */
  read(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

export type Unusual = Partial<PageHandle> & { readonly withoutGuard?: true };

export interface Stage {
  readonly guardName: string;
  /** Real path; `uploads`, `downloads` and `artifacts` lie in it. */
  readonly folder: string;
  /** What the filter says about a place such as `127.0.0.9:9`. */
  readonly denials: Map<string, ReturnType<PageHandle["problemOf"]>>;
  /** The address of a page with this content. */
  serve(html: string, host?: "first" | "other"): string;
  route(path: string, answer: Answer): string;
  /** In the one page of the file, unless something about it is other than usual. */
  open(urlOrHtml: string, unusual?: Unusual): Promise<Scene>;
  close(): Promise<void>;
}

export async function createStage(args: readonly string[] = []): Promise<Stage> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "acting-")));
  for (const name of ["uploads", "downloads", "artifacts"]) mkdirSync(join(folder, name));
  const routes = new Map<string, Answer>();
  const server = createServer((request, response) => {
    const answer = routes.get((request.url ?? "/").split("?")[0] ?? "");
    if (answer) answer(request, response);
    else response.writeHead(404, { "content-type": "text/plain" }).end("not here");
  });
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  const { port } = server.address() as AddressInfo;
  const chromium = await lendChromium(args);
  const denials: Stage["denials"] = new Map();
  let count = 0;

  const route = (path: string, answer: Answer): string => {
    routes.set(path, answer);
    return `http://${HOST}:${port}${path}`;
  };
  const serve = (html: string, host: "first" | "other" = "first"): string => {
    count += 1;
    const url = route(`/page-${count}`, (_request, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
    });
    return host === "first" ? url : url.replace(HOST, OTHER_HOST);
  };
  const newScene = async ({ withoutGuard, ...changes }: Unusual): Promise<Scene> => {
    const context = await chromium.newContext({ viewport: { width: 1000, height: 700 } });
    if (!withoutGuard)
      await context.addInitScript({ content: guardScript(GUARD_NAME, { young: "stop" }) });
    return createScene({ context, folder, denials, changes });
  };
  let usual: Promise<Scene> | undefined;
  const open: Stage["open"] = async (urlOrHtml, unusual) => {
    const url = /^(?:https?|about|data):/.test(urlOrHtml) ? urlOrHtml : serve(urlOrHtml);
    usual ??= unusual ? undefined : newScene({});
    const scene = await (unusual || !usual ? newScene(unusual ?? {}) : usual);
    // A pointer that the last test left over something would enter it when the page comes.
    await scene.page.mouse.move(990, 690);
    if (url !== "about:blank") await scene.port.navigate({ url, signal });
    return unusual ? scene : { ...scene, close: () => closePopups(scene.page) };
  };
  return {
    guardName: GUARD_NAME,
    folder,
    denials,
    serve,
    route,
    open,
    close: async () => {
      await chromium.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

/** The page stays for the next test. */
async function closePopups(page: Page): Promise<void> {
  const others = page
    .context()
    .pages()
    .filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
}

async function createScene(options: {
  readonly context: BrowserContext;
  readonly folder: string;
  readonly denials: Stage["denials"];
  readonly changes: Partial<PageHandle>;
}): Promise<Scene> {
  const { context, folder, denials, changes } = options;
  const page = await context.newPage();
  const pages = () => context.pages();
  const elements = createLoneTab(page);
  const port = createBrowserPage({
    page,
    targetId: "t1",
    elements,
    folders: {
      uploadRoots: [join(folder, "uploads")],
      closed: join(folder, "uploads", "state"),
      downloads: join(folder, "downloads"),
      artifacts: join(folder, "artifacts"),
      temporary: folder,
      files: createNodeBridge(folder),
    },
    quota: createDownloadQuota({ maxTabBytes: 1e9, maxBytes: 1e9 }),
    evaluateEnabled: true,
    clock: systemClock,
    guardName: GUARD_NAME,
    assertUrl: (text) => text,
    redactUrl: (text) => text.replace(/token=[^&]+/, "token=…"),
    judgeUrl: () => Promise.resolve(),
    problemOf: (url) => (URL.canParse(url) ? denials.get(new URL(url).host) : undefined),
    isCurrent: () => true,
    tabIdOf: (popup) => `t${pages().indexOf(popup) + 1}`,
    ...changes,
  });
  const listed = async () => (await port.list({ signal })).elements;
  const ref = async (role: string, name: string) => {
    const elements = await listed();
    const found = elements.find((element) => element.role === role && element.name === name);
    if (found?.ref === undefined) throw new Error(`no ${role} "${name}"`);
    return found.ref;
  };
  return {
    port,
    page,
    elements,
    ref,
    listed,
    click: async (role, name) => port.act({ kind: "click", ref: await ref(role, name) }, scope),
    read: (expression) => page.evaluate(expression),
    close: () => context.close(),
  };
}

const systemClock = {
  now: () => Date.now(),
  after: (delayMs: number, work: () => void) => {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
};

/** What the work was refused with. */
export async function refusal(work: Promise<unknown>): Promise<ToolError> {
  try {
    await work;
  } catch (error) {
    return error as ToolError;
  }
  throw new Error("it was not refused");
}

export async function timed<Value>(
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly ms: number }> {
  const beganMs = performance.now();
  const value = await work();
  return { value, ms: performance.now() - beganMs };
}
