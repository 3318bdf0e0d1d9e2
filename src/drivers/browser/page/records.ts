// The newest console messages, uncaught errors and requests of a page.

import type { ConsoleMessage, Download, Request, Response } from "playwright-core";
import type {
  ConsoleEntry,
  PageRecords,
  RecordsRequest,
  RequestEntry,
} from "../../../core/browser.js";
import { cutUrl } from "../../../core/index.js";
import { cutChars } from "../../../lib/unicode-text.js";
import type { PageHandle } from "./page-handle.js";

const MAX_CONSOLE = 500;
const MAX_ERRORS = 200;
const MAX_TEXT_CHARS = 4_000;
const MAX_A_SECOND = 500;
const SECOND_MS = 1_000;
const REST_MS = 1_000;
const ADDRESS = /(?:\b[a-z][a-z\d+.-]*:)?\/\/[^\s"'<>)]+/gi;
const LEVELS = { debug: 0, log: 1, info: 1, warning: 2, error: 3 } as const satisfies Record<
  ConsoleEntry["level"],
  number
>;
const LEVEL_OF: Readonly<Record<string, ConsoleEntry["level"]>> = {
  assert: "error",
  error: "error",
  warning: "warning",
  info: "info",
  debug: "debug",
};
const MAX_REQUESTS = 500;
const MAX_REPORTED_HOSTS = 5;
const FIRST_BAD_STATUS = 400;
const GIVEN_UP = "net::ERR_ABORTED";
const MAX_DOWNLOADED = 50;
const ERROR_PAGE = "chrome-error:";

export interface ConsoleRequest extends RecordsRequest {
  readonly level?: ConsoleEntry["level"] | undefined;
}

export function createConsoleRecords(handle: Pick<PageHandle, "page" | "clock" | "redactUrl">) {
  const { page, clock, redactUrl } = handle;
  const said = createRing<ConsoleEntry>(MAX_CONSOLE);
  const thrown = createRing<ConsoleEntry>(MAX_ERRORS);
  let counted = { second: 0, count: 0 };
  let takeBack: () => void = () => undefined;
  const show = (text: string) => redactText(cutChars(text, MAX_TEXT_CHARS), redactUrl);

  /** Pauses listening when a page floods its console. */
  const rest = () => {
    page.off("console", onConsole);
    const text = `More than ${MAX_A_SECOND} messages came within a second; some were left out.`;
    said.add({ level: "warning", text, atMs: clock.now() });
    takeBack = clock.after(REST_MS, () => {
      page.on("console", onConsole);
    });
  };
  const isFlood = () => {
    const second = Math.floor(clock.now() / SECOND_MS);
    counted =
      second === counted.second ? { second, count: counted.count + 1 } : { second, count: 1 };
    return counted.count > MAX_A_SECOND;
  };
  const onConsole = (message: ConsoleMessage) => {
    if (isFlood()) {
      rest();
      return;
    }
    const { url, lineNumber } = message.location();
    said.add({
      level: LEVEL_OF[message.type()] ?? "log",
      text: show(message.text()),
      atMs: clock.now(),
      ...(url && { location: `${redactUrl(url)}:${lineNumber + 1}` }),
    });
  };
  page.on("console", onConsole);
  page.on("pageerror", (error) =>
    thrown.add({ level: "error", text: show(String(error)), atMs: clock.now() }),
  );
  return {
    read: (request: ConsoleRequest) => {
      const least = LEVELS[request.level ?? "debug"];
      return said.read(
        request,
        ({ level, text }) => LEVELS[level] >= least && holdsWords(text, request.query),
      );
    },
    errors: (request: RecordsRequest) =>
      thrown.read(request, ({ text }) => holdsWords(text, request.query)),
    close: () => takeBack(),
  };
}

/** Messages contain addresses, and addresses secrets. */
export function redactText(text: string, redactUrl: (url: string) => string): string {
  return text.replace(ADDRESS, redactUrl);
}

type Source = Pick<PageHandle, "page" | "clock" | "redactUrl" | "problemOf">;

type Mutable<Entry> = { -readonly [Key in keyof Entry]: Entry[Key] };

export function createRequestRecords(handle: Source, tell: (event: string) => void) {
  const { page, clock, redactUrl } = handle;
  const asked = createRing<Mutable<RequestEntry>>(MAX_REQUESTS);
  const downloaded = new Set<string>();
  const byRequest = new WeakMap<Request, Mutable<RequestEntry>>();
  const findDenial = createDenials(handle, tell);
  let count = 0;

  const onRequest = (request: Request) => {
    count += 1;
    const [method, kind] = [request.method(), request.resourceType()];
    const entry = {
      id: `r${count}`,
      method,
      url: cutUrl(redactUrl(request.url())),
      kind,
      atMs: clock.now(),
    };
    byRequest.set(request, entry);
    asked.add(entry);
  };
  const onResponse = (response: Response) => {
    const entry = byRequest.get(response.request());
    if (!entry) return;
    entry.status = response.status();
    const denial = entry.status < FIRST_BAD_STATUS ? undefined : findDenial(response.url());
    if (denial) entry.failure = denial;
  };
  const onFailed = (request: Request) => {
    const entry = byRequest.get(request);
    if (!entry) return;
    // A document that becomes a download is not a failure.
    if (request.failure()?.errorText === GIVEN_UP && downloaded.has(request.url())) return;
    entry.failure = findDenial(request.url()) ?? request.failure()?.errorText ?? "failed";
  };
  const onDownload = (download: Download) => {
    downloaded.add(download.url());
    for (const oldest of downloaded) {
      if (downloaded.size <= MAX_DOWNLOADED) break;
      downloaded.delete(oldest);
    }
    const url = cutUrl(redactUrl(download.url()));
    asked.each((entry) => {
      if (entry.url === url && entry.failure === GIVEN_UP) delete entry.failure;
    });
  };
  page.on("download", onDownload);
  page.on("request", onRequest);
  page.on("response", onResponse);
  page.on("requestfailed", onFailed);
  return {
    read: (request: RecordsRequest) =>
      asked.read(request, ({ method, url, kind, status, failure }) =>
        holdsWords([method, url, kind, status, failure].join(" "), request.query),
      ),
  };
}

function createDenials({ page, problemOf }: Source, tell: (event: string) => void) {
  const reported = new Set<string>();
  const onNavigated = (frame: unknown) => {
    if (frame === page.mainFrame() && !page.url().startsWith(ERROR_PAGE)) reported.clear();
  };
  page.on("framenavigated", onNavigated);
  return (url: string): string | undefined => {
    const problem = problemOf(url);
    if (problem === undefined) return undefined;
    const { code, message } = problem.error;
    const place = `${problem.host}:${problem.port}`;
    const isTold = code !== "denied" || reported.has(place) || reported.size >= MAX_REPORTED_HOSTS;
    if (isTold) return message;
    reported.add(place);
    tell(`A request was refused: ${message}`);
    return message;
  };
}

function createRing<Entry>(maxEntries: number) {
  let entries: Entry[] = [];
  let dropped = 0;
  return {
    each: (look: (entry: Entry) => void) => entries.forEach(look),
    add: (entry: Entry) => {
      entries.push(entry);
      if (entries.length <= maxEntries) return;
      entries.shift();
      dropped += 1;
    },
    read: (
      { limit, clear }: RecordsRequest,
      keep: (entry: Entry) => boolean,
    ): PageRecords<Entry> => {
      const matching = entries.filter(keep);
      const answer = { entries: matching.slice(-limit), total: matching.length, dropped };
      if (clear) {
        entries = [];
        dropped = 0;
      }
      return answer;
    },
  };
}

function holdsWords(text: string, query: string | undefined): boolean {
  if (!query) return true;
  const folded = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => folded.includes(word));
}
