// What a page says on its console, and the errors that no one caught there.

import type { ConsoleMessage } from "playwright-core";
import type { ConsoleEntry, PageRecords, RecordsRequest } from "../../../../core/browser.js";
import { cutChars } from "../../../../lib/unicode-text.js";
import type { PageHandle } from "../page-handle.js";
import { createRing, holdsWords } from "./ring.js";

const MAX_CONSOLE = 500;
const MAX_ERRORS = 200;
const MAX_TEXT_CHARS = 4_000;
const MAX_A_SECOND = 500;
const SECOND_MS = 1_000;
const REST_MS = 1_000;
/** Also one without its scheme, as pages write them. */
const ADDRESS = /(?:\b[a-z][a-z\d+.-]*:)?\/\/[^\s"'<>)]+/gi;
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
  let counted = { second: 0, count: 0 };
  let takeBack: () => void = () => undefined;
  const show = (text: string) => redactText(cutChars(text, MAX_TEXT_CHARS), redactUrl);

  /** A page that floods its console would keep this process busy with nothing else: a pause. */
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
    read: (request) => {
      const least = LEVELS[request.level ?? "debug"];
      return said.read(
        request,
        ({ level, text }) => LEVELS[level] >= least && holdsWords(text, request.query),
      );
    },
    errors: (request) => thrown.read(request, ({ text }) => holdsWords(text, request.query)),
    close: () => takeBack(),
  };
}

/** Pages write addresses into what they say, and secrets into addresses. */
export function redactText(text: string, redactUrl: (url: string) => string): string {
  return text.replace(ADDRESS, redactUrl);
}
