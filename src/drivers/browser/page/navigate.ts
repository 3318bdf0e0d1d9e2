// Opens an address in the tab, and explains why one could not be opened.
import type { Response } from "playwright-core";
import { isToolError, ToolError } from "../../../core/index.js";
import { toDenied } from "../policy/net-filter.js";
import { firstLine } from "../session/playwright-errors.js";
import { pause, within } from "../session/within.js";
import { LEFT, navigationFailed } from "./errors.js";
import { describeStatus } from "./events.js";
import type { Loading } from "./loading.js";
import type { PageHandle } from "./page-handle.js";
import type { WorkTime } from "./page-work.js";

const BEGINS_DOWNLOAD = /Download is starting|net::ERR_ABORTED/;
const NET_ERROR = /net::(ERR_[A-Z0-9_]+)/;
const FIRST_BAD_STATUS = 400;
const FULL_STOP = /\.$/;
const BLANK = "about:blank";
const ERROR_PAGE = "chrome-error:";
const ERROR_PAGE_MS = 500;
const LOOK_AGAIN_MS = 10;
const STOP_MS = 300;
const STOP_PART = 0.2;
const BY_ERROR_PAGE = /interrupted by another navigation to "chrome-error:/i;
const INTERRUPTED = /interrupted by another navigation/i;
const CAUSES: Readonly<Record<string, string>> = {
  ERR_NAME_NOT_RESOLVED: "the name of its host is not known",
  ERR_CONNECTION_REFUSED: "the connection was refused",
  ERR_CONNECTION_TIMED_OUT: "it did not answer",
  ERR_CONNECTION_RESET: "the connection was cut",
  ERR_EMPTY_RESPONSE: "the answer was empty",
  ERR_TOO_MANY_REDIRECTS: "it redirects in a circle",
  ERR_TUNNEL_CONNECTION_FAILED: "its host cannot be reached",
  ERR_INTERNET_DISCONNECTED: "the network is not available",
  ERR_CERT_AUTHORITY_INVALID: "its certificate is not trusted",
  ERR_CERT_DATE_INVALID: "its certificate is out of date",
  ERR_CERT_COMMON_NAME_INVALID: "its certificate is for another name",
};

export interface NavigateRequest {
  readonly url: string;
  readonly loading: Loading;
  readonly time: WorkTime;
  readonly tell: (event: string) => void;
}

export async function navigate(handle: PageHandle, request: NavigateRequest): Promise<void> {
  const url = handle.assertUrl(request.url);
  await assertReachable(handle, { url, time: request.time });
  const go = () => handle.page.goto(url, { waitUntil: "commit", timeout: 0 });
  await navigateBy(handle, { ...request, url, go });
}

export function isInDocument(here: string, url: string): boolean {
  if (!URL.canParse(url, here)) return false;
  const { href, hash } = new URL(url, here);
  return hash !== "" && href.slice(0, -hash.length) === here.split("#")[0];
}

async function assertReachable(
  handle: PageHandle,
  { url, time }: { readonly url: string; readonly time: WorkTime },
): Promise<void> {
  const beganMs = handle.clock.now();
  const limit = { ...time.part(), what: "the host to be looked up" };
  await within(limit, () => handle.judgeUrl(url, time.signal)).catch(() => {
    assertLetOut({ handle, beganMs, isLeft: false }, url);
  });
}

interface Going extends NavigateRequest {
  readonly go: () => Promise<Response | null>;
}

export async function navigateBy(handle: PageHandle, request: Going): Promise<Response | null> {
  const { url, tell } = request;
  const beganMs = handle.clock.now();
  const before = handle.page.url();
  const isLeft = before !== BLANK && !before.startsWith(ERROR_PAGE);
  const trip: Trip = { handle, beganMs, isLeft, tell };
  const response = await go(handle, request).catch(async (error: unknown) => {
    if (isNetError(error)) await untilErrorPage(handle, request.time.signal);
    const asked = request.loading.lastUrl() ?? url;
    return judgeFailure(trip, { error, url: asked });
  });
  if (response) judgeAnswer(trip, response);
  return response;
}

/** Stops a load that takes too long: until then the old page cannot be asked. */
async function go(handle: PageHandle, request: Going): Promise<Response | null> {
  const { time, loading } = request;
  const allMs = time.leftMs();
  const limit = {
    timeoutMs: allMs - Math.min(STOP_MS, allMs * STOP_PART),
    signal: time.signal,
    what: "the address to answer",
  };
  const attempt = () => within(limit, request.go);
  try {
    return await attempt().catch((error: unknown) => {
      // The error page of an earlier failure came late.
      if (error instanceof Error && BY_ERROR_PAGE.test(error.message)) return attempt();
      throw error;
    });
  } catch (error) {
    if (!isToolError(error)) throw error;
    await loading.stop();
    throw error.code === "timeout" ? notAnswered(handle, { url: request.url, allMs }) : error;
  }
}

function notAnswered(
  { page, redactUrl }: PageHandle,
  { url, allMs }: { readonly url: string; readonly allMs: number },
): ToolError {
  const rest = page.url() === BLANK ? "" : ", and the previous page stays";
  const message = `${redactUrl(url)} did not answer in ${Math.round(allMs)} ms: its loading was stopped${rest}; try again, with a larger timeoutMs if the site is slow.`;
  return new ToolError("timeout", message, {
    reason: "browser_timeout",
    details: { waitedFor: "the address to answer", timeoutMs: allMs },
  });
}

/** Until the error page is there, the tab accepts no other address. */
async function untilErrorPage({ page, clock }: PageHandle, signal: AbortSignal): Promise<void> {
  const untilMs = clock.now() + ERROR_PAGE_MS;
  while (!page.url().startsWith(ERROR_PAGE) && clock.now() < untilMs) {
    await pause({ clock, ms: LOOK_AGAIN_MS, signal });
  }
}

function isNetError(error: unknown): boolean {
  if (!(error instanceof Error) || BEGINS_DOWNLOAD.test(error.message)) return false;
  return NET_ERROR.test(error.message);
}

interface Trip {
  readonly handle: PageHandle;
  readonly beganMs: number;
  readonly isLeft: boolean;
  readonly tell: (event: string) => void;
}

function judgeFailure(
  trip: Trip,
  { error, url }: { readonly error: unknown; readonly url: string },
): null {
  const { handle, isLeft, tell } = trip;
  assertLetOut(trip, url);
  const message = error instanceof Error ? error.message : "";
  if (INTERRUPTED.test(message)) {
    // The first of two attempts may have succeeded.
    if (message.includes(`another navigation to "${url}"`)) return null;
    tell("The page went on to another address by itself.");
    return null;
  }
  if (BEGINS_DOWNLOAD.test(message)) {
    tell("The address gave no page but a download or nothing; the tab stays as it was.");
    return null;
  }
  const [, name] = NET_ERROR.exec(message) ?? [];
  if (name === undefined) throw error;
  const cause = CAUSES[name] ?? firstLine(error).split(" at ")[0] ?? name;
  throw navigationFailed(handle.redactUrl(url), { why: `${cause} (${name})`, isLeft });
}

function judgeAnswer(trip: Trip, response: Response): void {
  if (response.status() < FIRST_BAD_STATUS) return;
  assertLetOut(trip, response.url());
  trip.tell(describeStatus(response));
}

/** Throws if the policy refused the host, or it could not be reached. */
function assertLetOut({ handle, beganMs, isLeft }: Omit<Trip, "tell">, url: string): void {
  const problem = handle.problemOf(url);
  if (!problem || problem.atMs < beganMs) return;
  if (problem.error.code === "denied") throw toDenied(problem, isLeft ? ` ${LEFT}` : "");
  const why = problem.error.message.replace(FULL_STOP, "");
  throw navigationFailed(handle.redactUrl(url), { why, isLeft });
}
