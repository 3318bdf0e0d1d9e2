// What a page said and asked for: console, errors, requests. Addresses lose their secrets on the way in.

import type { ConsoleMessage, Request, Response } from "playwright-core";
import type {
  Clock,
  ConsoleEntry,
  PageRecords,
  RecordsRequest,
  RequestEntry,
} from "../../../../core/index.js";
import { cutChars } from "../../../../lib/unicode-text.js";
import type { PageHandle } from "../page-handle.js";
import { createRing, holdsWords } from "./ring.js";

const MAX_CONSOLE = 500;
const MAX_ERRORS = 200;
const MAX_REQUESTS = 500;
const MAX_TEXT_CHARS = 4_000;
const LEVELS = { debug: 0, log: 1, info: 1, warning: 2, error: 3 } as const satisfies Record<
  ConsoleEntry["level"],
  number
>;

export interface PageRecordsBook {
  console(
    request: RecordsRequest & { readonly level?: ConsoleEntry["level"] | undefined },
  ): PageRecords<ConsoleEntry>;
  errors(request: RecordsRequest): PageRecords<ConsoleEntry>;
  requests(request: RecordsRequest): PageRecords<RequestEntry>;
  close(): void;
}

type Mutable<Entry> = { -readonly [Key in keyof Entry]: Entry[Key] };

export function createRecords(
  handle: Pick<PageHandle, "page" | "clock" | "redactUrl" | "refusedBy">,
): PageRecordsBook {
  const { page, clock, redactUrl } = handle;
  const said = createRing<ConsoleEntry>(MAX_CONSOLE);
  const thrown = createRing<ConsoleEntry>(MAX_ERRORS);
  const asked = createRing<Mutable<RequestEntry>>(MAX_REQUESTS);
  const byRequest = new WeakMap<Request, Mutable<RequestEntry>>();
  let requestCount = 0;

  const onConsole = (message: ConsoleMessage) => said.add(toConsoleEntry(message, handle));
  const onError = (error: Error) =>
    thrown.add({
      level: "error",
      text: cutChars(String(error), MAX_TEXT_CHARS),
      atMs: clock.now(),
    });
  const onRequest = (request: Request) => {
    requestCount += 1;
    const entry = {
      id: `r${requestCount}`,
      method: request.method(),
      url: redactUrl(request.url()),
      kind: request.resourceType(),
      atMs: clock.now(),
    };
    byRequest.set(request, entry);
    asked.add(entry);
  };
  const onResponse = (response: Response) => {
    const entry = byRequest.get(response.request());
    if (entry) entry.status = response.status();
  };
  const onFailed = (request: Request) => {
    const entry = byRequest.get(request);
    if (!entry) return;
    const denial = handle.refusedBy(hostOf(request.url()));
    entry.failure = denial?.message ?? request.failure()?.errorText ?? "failed";
  };
  page.on("console", onConsole);
  page.on("pageerror", onError);
  page.on("request", onRequest);
  page.on("response", onResponse);
  page.on("requestfailed", onFailed);
  return {
    console: (request) => {
      const least = LEVELS[request.level ?? "debug"];
      return said.read(
        request,
        ({ level, text }) => LEVELS[level] >= least && holdsWords(text, request.query),
      );
    },
    errors: (request) => thrown.read(request, ({ text }) => holdsWords(text, request.query)),
    requests: (request) =>
      asked.read(request, ({ method, url, kind, status, failure }) =>
        holdsWords([method, url, kind, status, failure].join(" "), request.query),
      ),
    close: () => {
      page.off("console", onConsole);
      page.off("pageerror", onError);
      page.off("request", onRequest);
      page.off("response", onResponse);
      page.off("requestfailed", onFailed);
    },
  };
}

/** `name:port` of an address, as the proxy counts hosts. */
export function hostOf(url: string): string {
  if (!URL.canParse(url)) return "";
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === "https:" || protocol === "wss:" ? "443" : "80";
  return `${hostname}:${port || usual}`;
}

function toConsoleEntry(
  message: ConsoleMessage,
  { clock, redactUrl }: { readonly clock: Clock; readonly redactUrl: (url: string) => string },
): ConsoleEntry {
  const { url, lineNumber } = message.location();
  const type = message.type();
  const level =
    type === "error" || type === "warning" || type === "info" || type === "debug" ? type : "log";
  return {
    level: type === "assert" ? "error" : level,
    text: cutChars(message.text(), MAX_TEXT_CHARS),
    atMs: clock.now(),
    ...(url && { location: `${redactUrl(url)}:${lineNumber + 1}` }),
  };
}
