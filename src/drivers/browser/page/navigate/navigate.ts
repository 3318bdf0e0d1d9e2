// Opens an address in the tab: what must not be opened is refused before, what the policy refused on
// the way is told by its rule, what cannot be opened by its cause.

import type { Response } from "playwright-core";
import { ToolError } from "../../../../core/index.js";
import { firstLine } from "../../session/playwright-errors.js";
import { navigationFailed } from "../errors.js";
import { hostOf } from "../events/host-of.js";
import type { PageHandle } from "../page-handle.js";
import type { WorkTime } from "../work/page-work.js";

const BEGINS_DOWNLOAD = /Download is starting|net::ERR_ABORTED/;
const NET_ERROR = /net::(ERR_[A-Z0-9_]+)/;
const FIRST_BAD_STATUS = 400;
const FULL_STOP = /\.$/;
/** The page itself went elsewhere meanwhile: that is where the tab is now. */
const INTERRUPTED = /interrupted by another navigation/i;
const CAUSES: Readonly<Record<string, string>> = {
  ERR_NAME_NOT_RESOLVED: "the name of its host is not known",
  ERR_CONNECTION_REFUSED: "nobody listens there",
  ERR_CONNECTION_TIMED_OUT: "it did not answer",
  ERR_CONNECTION_RESET: "the connection was cut",
  ERR_EMPTY_RESPONSE: "the answer was empty",
  ERR_TOO_MANY_REDIRECTS: "it redirects in a circle",
  ERR_TUNNEL_CONNECTION_FAILED: "its host cannot be reached",
  ERR_INTERNET_DISCONNECTED: "there is no network",
  ERR_CERT_AUTHORITY_INVALID: "its certificate is not trusted",
  ERR_CERT_DATE_INVALID: "its certificate is out of date",
  ERR_CERT_COMMON_NAME_INVALID: "its certificate is for another name",
};

export interface NavigateRequest {
  readonly url: string;
  readonly time: WorkTime;
  readonly tell: (event: string) => void;
}

export async function navigate(handle: PageHandle, request: NavigateRequest): Promise<void> {
  const { page } = handle;
  const { time, tell } = request;
  const url = handle.assertUrl(request.url);
  const beganMs = handle.clock.now();
  const go = () => page.goto(url, { waitUntil: "commit", timeout: 0 });
  const response = await time
    .call("the address to answer", go)
    .catch((error: unknown) => judgeFailure(handle, { error, url, beganMs, tell }));
  if (response) judgeAnswer(handle, { response, beganMs, tell });
}

/** Throws, unless it is no failure. */
function judgeFailure(
  handle: PageHandle,
  failed: {
    readonly error: unknown;
    readonly url: string;
    readonly beganMs: number;
    readonly tell: (event: string) => void;
  },
): null {
  const { error, url, beganMs, tell } = failed;
  assertLetOut(handle, { url, beganMs });
  const message = error instanceof Error ? error.message : "";
  if (INTERRUPTED.test(message)) {
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
  throw navigationFailed(handle.redactUrl(url), `${cause} (${name})`);
}

function judgeAnswer(
  handle: PageHandle,
  answered: {
    readonly response: Response;
    readonly beganMs: number;
    readonly tell: (event: string) => void;
  },
): void {
  const { response, beganMs, tell } = answered;
  const status = response.status();
  if (status < FIRST_BAD_STATUS) return;
  assertLetOut(handle, { url: response.url(), beganMs });
  tell(`The server answered ${status} ${response.statusText()}`.trim().concat("."));
}

/** Throws when the policy refused the host since then, or nobody was reached there. */
function assertLetOut(
  handle: PageHandle,
  { url, beganMs }: { readonly url: string; readonly beganMs: number },
): void {
  const denial = handle.refusedBy(hostOf(url));
  if (!denial || denial.atMs < beganMs) return;
  if (denial.isFailure) {
    throw navigationFailed(handle.redactUrl(url), denial.message.replace(FULL_STOP, ""));
  }
  throw new ToolError("denied", denial.message, {
    reason: denial.reason,
    details: { host: denial.host, port: denial.port },
  });
}
