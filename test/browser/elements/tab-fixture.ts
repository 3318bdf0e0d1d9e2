// Pages for the tests of elements: each is a piece of HTML served on loopback, opened in a tab of one
// Chromium.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import type { ListedElement, PageListing } from "../../../src/core/browser.js";
import { createRefCount } from "../../../src/drivers/browser/elements/refs.js";
import {
  createTabElements,
  type ElementScope,
  type TabElements,
} from "../../../src/drivers/browser/elements/tab-elements.js";
import { ENGINE } from "../../../src/drivers/browser/elements/world.js";
import { lendChromium } from "../launch-chromium.js";

const TIMEOUT_MS = 50_000;

export interface Tab {
  readonly page: Page;
  readonly elements: TabElements;
  list(): Promise<PageListing>;
  /** The ref of the element with this role and name; throws when there is none. */
  refOf(role: string, name: string): Promise<string>;
}

export interface TabFixture {
  /** Other documents, by path; for frames. */
  readonly documents: Map<string, string>;
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  /** The same server by another name, so another origin. */
  readonly otherOrigin: string;
  open(html: string): Promise<Tab>;
  close(): Promise<void>;
}

export const scope = (): ElementScope => ({
  timeoutMs: TIMEOUT_MS,
  signal: new AbortController().signal,
});

export async function createTabFixture(extraArgs: readonly string[] = []): Promise<TabFixture> {
  const documents = new Map<string, string>();
  const server = createServer((request, response) => {
    const html = documents.get(request.url ?? "");
    response.writeHead(html === undefined ? 404 : 200, {
      "content-type": "text/html; charset=utf-8",
    });
    response.end(html ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const chromium = await lendChromium(extraArgs);
  let opened = 0;
  return {
    documents,
    origin,
    otherOrigin: `http://localhost:${port}`,
    open: async (html) => {
      opened += 1;
      documents.set(`/page-${opened}`, html);
      const page = await (await chromium.newContext()).newPage();
      await page.goto(`${origin}/page-${opened}`, { waitUntil: "domcontentloaded" });
      return toTab(page);
    },
    close: async () => {
      await chromium.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A tab that shares its refs with no other. */
export function createLoneTab(page: Page): TabElements {
  const count = createRefCount();
  const tab = { targetId: "t1", isThisOne: true, isOpen: true };
  const refs = {
    next: () => count.next(tab.targetId),
    tabOf: (ref: number) => (count.tabOf(ref) === undefined ? undefined : tab),
  };
  return createTabElements({ page, engine: ENGINE, refs });
}

export function toTab(page: Page): Tab {
  const elements = createLoneTab(page);
  const list = () => elements.list({}, scope());
  return {
    page,
    elements,
    list,
    refOf: async (role, name) => {
      const listing = await list();
      const found = listing.elements.find((each) => each.role === role && each.name === name);
      if (!found?.ref) throw new Error(`No ${role} "${name}" in:\n${toText(listing.elements)}`);
      return found.ref;
    },
  };
}

/** Why a ref is refused; "found" when it is not. */
export async function staleWhy({ elements }: Tab, ref: string): Promise<unknown> {
  try {
    await elements.find(ref, "look", scope());
    return "found";
  } catch (error) {
    return (error as { details?: { why?: unknown } }).details?.why;
  }
}

/** One line an element, for comparing with what a test expects. Refs left out. */
export function toText(elements: readonly ListedElement[]): string {
  return elements.map(toLine).join("\n");
}

export function toLine({ depth, role, name, states, value }: ListedElement): string {
  const parts = [role, name && `"${name}"`, ...states.map((state) => `[${state}]`)];
  const end = value === undefined ? "" : ` = ${value}`;
  return `${"  ".repeat(depth)}${parts.filter(Boolean).join(" ")}${end}`;
}
