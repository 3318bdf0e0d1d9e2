// What a page says on its console, and the errors that nobody caught there.

import type { ConsoleMessage } from "playwright-core";
import type { ConsoleEntry, PageRecords, RecordsRequest } from "../../../../core/browser.js";
import { cutChars } from "../../../../lib/unicode-text.js";
import type { PageHandle } from "../page-handle.js";
import { createRing, holdsWords } from "./ring.js";

const MAX_CONSOLE = 500;
const MAX_ERRORS = 200;
const MAX_TEXT_CHARS = 4_000;
const ADDRESS = /\bhttps?:\/\/[^\s"'<>)]+/g;
const LEVELS = { debug: 0, log: 1, info: 1, warning: 2, error: 3 } as const satisfies Record<
  ConsoleEntry["level"],
  number
>;
/** Playwright's words for the rest are plain ones. */
const LEVEL_OF: Readonly<Record<string, ConsoleEntry["level"]>> = {
  assert: "error",
  error: "error",
  warning: "warning",
  info: "info",
  debug: "debug",
};

export interface ConsoleRequest extends RecordsRequest {
  /** This one and what is graver. */
  readonly level?: ConsoleEntry["level"] | undefined;
}

export interface ConsoleRecords {
  read(request: ConsoleRequest): PageRecords<ConsoleEntry>;
  errors(request: RecordsRequest): PageRecords<ConsoleEntry>;
  close(): void;
}

export function createConsoleRecords(
  handle: Pick<PageHandle, "page" | "clock" | "redactUrl">,
): ConsoleRecords {
  const { page, clock, redactUrl } = handle;
  const said = createRing<ConsoleEntry>(MAX_CONSOLE);
  const thrown = createRing<ConsoleEntry>(MAX_ERRORS);
  const show = (text: string) => cutChars(text, MAX_TEXT_CHARS).replace(ADDRESS, redactUrl);

  const onConsole = (message: ConsoleMessage) => {
    const { url, lineNumber } = message.location();
    said.add({
      level: LEVEL_OF[message.type()] ?? "log",
      text: show(message.text()),
      atMs: clock.now(),
      ...(url && { location: `${redactUrl(url)}:${lineNumber + 1}` }),
    });
  };
  const onError = (error: Error) =>
    thrown.add({ level: "error", text: show(String(error)), atMs: clock.now() });
  page.on("console", onConsole);
  page.on("pageerror", onError);
  return {
    read: (request) => {
      const least = LEVELS[request.level ?? "debug"];
      return said.read(
        request,
        ({ level, text }) => LEVELS[level] >= least && holdsWords(text, request.query),
      );
    },
    errors: (request) => thrown.read(request, ({ text }) => holdsWords(text, request.query)),
    close: () => {
      page.off("console", onConsole);
      page.off("pageerror", onError);
    },
  };
}
