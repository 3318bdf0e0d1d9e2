// An answer that is not a page: what its status means for anyone who asked, and what may be done next.

import { type NetResponse, ToolError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";

const MAX_WAIT_SECONDS = 7 * 86_400;
const SECONDS = /^\d{1,9}$/;

export interface StatusView {
  /** The address as it was asked for. */
  readonly asked: string;
  readonly nowMs: number;
  /** Whether the model has a tool. */
  readonly offers: (toolName: string) => boolean;
}

/** Nothing that comes from outside is shown, nor where a redirect led: an error is ours. */
export function assertStatus(response: NetResponse, view: StatusView): void {
  const { status, url, headers } = response;
  if (status >= 200 && status < 300) return;
  const isElsewhere = response.hops.length > 1;
  const isMissing = status === 404 || status === 410;
  const retryAfterSeconds = readRetryAfter(headers["retry-after"], view.nowMs);
  const advice = adviseOn(status, { ...view, retryAfterSeconds });
  throw new ToolError(
    isMissing ? "not_found" : "failed",
    `${toPrintable(view.asked)}${isElsewhere ? ", after a redirect," : ""} answered with status ${status}: ${advice}.`,
    {
      reason: isMissing ? "page_missing" : "http_status",
      details: {
        httpStatus: status,
        url,
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      },
    },
  );
}

interface Advising extends StatusView {
  readonly retryAfterSeconds: number | undefined;
}

function adviseOn(status: number, { offers, retryAfterSeconds }: Advising): string {
  const search = offers("web_search") ? ", or look for another with web_search" : "";
  const wait =
    retryAfterSeconds === undefined ? "wait a minute" : `wait ${retryAfterSeconds} seconds`;
  if (status === 404 || status === 410) {
    return `the page does not exist; check the address${search}`;
  }
  if (status === 401 || status === 407) {
    return offers("browser")
      ? "it requires a login; use browser, where one can be logged in"
      : `it requires a login, which web_fetch does not have; use a public page${search}`;
  }
  if (status === 403 || status === 451) {
    return offers("browser")
      ? "it is not given to programs or not to us; try browser, and not the same call again"
      : `it is not given to programs or not to us; the same call will fail again, so use another page${search}`;
  }
  if (status === 429) return `it was asked too often; ${wait} before the next call`;
  if (status === 503 && retryAfterSeconds !== undefined) {
    return `the server is not ready; ${wait} before the next call`;
  }
  if (status >= 500) return `the server failed; try again once later${search}`;
  return `it gave no page; check the address${search}`;
}

/** Seconds or a date; undefined when it says nothing of use. */
function readRetryAfter(written: string | undefined, nowMs: number): number | undefined {
  const text = written?.trim() ?? "";
  if (text === "") return undefined;
  const seconds = SECONDS.test(text) ? Number(text) : Math.ceil((Date.parse(text) - nowMs) / 1_000);
  return seconds >= 0 && seconds <= MAX_WAIT_SECONDS ? seconds : undefined;
}
