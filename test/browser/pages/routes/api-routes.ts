// JSON for pages that fill themselves later: products, rows of an endless list, late words, a transfer
// that fails the first time.
import { setTimeout as wait } from "node:timers/promises";
import { PRODUCTS } from "../made/products.js";
import type { PageRequest } from "../page-server.js";

const LATE_MS = 60;
const MAX_LATE_MS = 10_000;
const ROWS_PER_PAGE = 20;
const MAX_ROWS = 200;

type Api = (search: URLSearchParams) => { readonly status?: number; readonly body: unknown };

const APIS: Readonly<Record<string, Api>> = {
  "/api/products": (search) => ({ body: findProducts(search) }),
  "/api/late": (search) => ({ body: { words: search.get("words") ?? "Here at last" } }),
  "/api/rows": (search) => ({ body: listRows(Number(search.get("from") ?? 0)) }),
  // The page says which attempt it is, so that the server has nothing to remember.
  "/api/transfer": (search) =>
    search.get("attempt") === "1"
      ? { status: 503, body: { error: "The bank did not answer." } }
      : { body: { receipt: "TR-2041" } },
};

export async function answerApi({ response, url }: PageRequest): Promise<boolean> {
  const api = APIS[url.pathname];
  if (api === undefined) return false;
  await wait(Math.min(Number(url.searchParams.get("ms") ?? LATE_MS), MAX_LATE_MS));
  const { status = 200, body } = api(url.searchParams);
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
  return true;
}

function findProducts(search: URLSearchParams): unknown {
  const words = (search.get("search") ?? "").toLowerCase();
  const kinds = search.getAll("kind");
  const max = Number(search.get("max") ?? Number.POSITIVE_INFINITY);
  return PRODUCTS.filter(
    ({ name, kind, price }) =>
      name.toLowerCase().includes(words) &&
      (kinds.length === 0 || kinds.includes(kind)) &&
      price <= max,
  );
}

function listRows(from: number): unknown {
  const last = Math.min(from + ROWS_PER_PAGE, MAX_ROWS);
  const rows = Array.from({ length: Math.max(0, last - from) }, (_, index) => ({
    number: from + index + 1,
    title: `Entry ${from + index + 1}`,
  }));
  return { rows, isEnd: last === MAX_ROWS };
}
