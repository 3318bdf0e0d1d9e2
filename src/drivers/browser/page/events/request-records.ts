// The requests of a page, with how they ended; those that the policy refused with its words.

import type { Download, Request, Response } from "playwright-core";
import type { PageRecords, RecordsRequest, RequestEntry } from "../../../../core/browser.js";
import type { PageHandle } from "../page-handle.js";
import { cutUrl } from "./cut-url.js";
import { hostOf } from "./host-of.js";
import { createRing, holdsWords } from "./ring.js";

const MAX_REQUESTS = 500;
/** Of a document. */
const MAX_REPORTED_HOSTS = 5;
const FIRST_BAD_STATUS = 400;
const GIVEN_UP = "net::ERR_ABORTED";
const MAX_DOWNLOADED = 50;
const ERROR_PAGE = "chrome-error:";

export interface RequestRecords {
  read(request: RecordsRequest): PageRecords<RequestEntry>;
}

type Source = Pick<PageHandle, "page" | "clock" | "redactUrl" | "refusedBy">;
type Mutable<Entry> = { -readonly [Key in keyof Entry]: Entry[Key] };

export function createRequestRecords(
  handle: Source,
  tell: (event: string) => void,
): RequestRecords {
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
    // A document that becomes a file is given up by the page, and comes all the same.
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
    read: (request) =>
      asked.read(request, ({ method, url, kind, status, failure }) =>
        holdsWords([method, url, kind, status, failure].join(" "), request.query),
      ),
  };
}

/** Why the policy refused a request; reported once a host and document. */
function createDenials({ page, refusedBy }: Source, tell: (event: string) => void) {
  const reported = new Set<string>();
  const onNavigated = (frame: unknown) => {
    // The page that Chromium shows of a failure is not a new document of the site.
    if (frame === page.mainFrame() && !page.url().startsWith(ERROR_PAGE)) reported.clear();
  };
  page.on("framenavigated", onNavigated);
  return (url: string): string | undefined => {
    const host = hostOf(url);
    const denial = refusedBy(host);
    if (denial === undefined) return undefined;
    const { message, isFailure } = denial;
    if (isFailure || reported.has(host) || reported.size >= MAX_REPORTED_HOSTS) return message;
    reported.add(host);
    tell(`A request was refused: ${message}`);
    return message;
  };
}
