// Pages: files of html/ by their name, and those that are made by size or by the address of the server.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeFramesPage } from "../made/frames-page.js";
import { makeHugeText } from "../made/huge-text.js";
import { makeManyElements } from "../made/many-elements.js";
import { makeOrder, makeOrders } from "../made/orders.js";
import type { PageRequest } from "../page-server.js";

const FOLDERS = ["forms", "apps", "odd"] as const;
const FILE_NAME = /^\/([a-z]+(?:-[a-z]+)*)$/;
const ORDER_PATH = /^\/orders\/(\d+)$/;
const DEFAULT_ELEMENTS = 1000;
const DEFAULT_MEGABYTES = 5;

export function answerPage({ response, url, port }: PageRequest): boolean {
  const text = makePage(url, port) ?? readPage(url.pathname);
  if (text === undefined) return false;
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(text);
  return true;
}

function makePage(url: URL, port: number): string | undefined {
  const number = (name: string, fallback: number): number =>
    Number(url.searchParams.get(name) ?? fallback);
  if (url.pathname === "/many") return makeManyElements(number("elements", DEFAULT_ELEMENTS));
  if (url.pathname === "/huge-text") return makeHugeText(number("megabytes", DEFAULT_MEGABYTES));
  if (url.pathname === "/orders") return makeOrders(number("page", 1));
  if (url.pathname === "/frames") return makeFramesPage(port);
  const order = ORDER_PATH.exec(url.pathname)?.[1];
  return order === undefined ? undefined : makeOrder(Number(order));
}

function readPage(path: string): string | undefined {
  const name = path === "/" ? "index" : FILE_NAME.exec(path)?.[1];
  if (name === undefined) return undefined;
  for (const folder of FOLDERS) {
    const text = readIfThere(join(pagesFolder(), folder, `${name}.html`));
    if (text !== undefined) return text;
  }
  return undefined;
}

/** From the root of the project, because a bundle of this file lies elsewhere. */
function pagesFolder(): string {
  return join(process.cwd(), "test/browser/pages/html");
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
