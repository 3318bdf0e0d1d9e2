// What a page does of an act and shows nowhere: an error that no one caught, a server that refused the
// document it led to, an address that the browser itself does not open from a page.

import type { ConsoleMessage, Response } from "playwright-core";
import { shown } from "../errors.js";
import type { PageHandle } from "../page-handle.js";
import { isOfMainFrame } from "../settle/in-flight.js";
import { redactText } from "./console-records.js";
import { hostOf } from "./host-of.js";
import type { PendingEvents } from "./pending-events.js";

const FIRST_BAD_STATUS = 400;
/** In the words of Chromium, which tells it nowhere else. */
const NOT_OPENED = /^Not allowed to load local resource: (\S+)/;

/** Until the function it returns is called. One line for all errors of an act: `errors` has them all. */
export function followAct(handle: PageHandle, tell: PendingEvents["tell"]): () => void {
  const { page, clock, redactUrl } = handle;
  const beganMs = clock.now();
  const thrown: string[] = [];
  const onError = (error: Error) => {
    const [first = ""] = String(error).split("\n");
    thrown.push(shown(redactText(first, redactUrl)));
    if (thrown.length === 1) tell(() => describeThrown(thrown));
  };
  const onResponse = (response: Response) => {
    const status = response.status();
    if (status < FIRST_BAD_STATUS || !isOfMainFrame(response.request(), page)) return;
    const denial = handle.refusedBy(hostOf(response.url()));
    // That was the filter, whose words are reported.
    if (denial && denial.atMs >= beganMs) return;
    tell(describeStatus(response));
  };
  const onConsole = (message: ConsoleMessage) => {
    const [, url] = NOT_OPENED.exec(message.text()) ?? [];
    if (url) tell(`${shown(redactUrl(url))} is not opened: a page may not lead there.`);
  };
  page.on("console", onConsole);
  page.on("pageerror", onError);
  page.on("response", onResponse);
  return () => {
    page.off("console", onConsole);
    page.off("pageerror", onError);
    page.off("response", onResponse);
  };
}

function describeThrown([first = "", ...others]: readonly string[]): string {
  const rest = others.length === 0 ? "" : `; ${others.length} more, errors lists them`;
  return `The page did not catch an error: ${first}${rest}`;
}

export function describeStatus(response: Response): string {
  return `The server answered ${response.status()} ${response.statusText()}`.trim().concat(".");
}
