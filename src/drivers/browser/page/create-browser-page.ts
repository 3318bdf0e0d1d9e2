// The page of one tab, as the port has it.

import type { BrowserPage } from "../../../core/index.js";
import { actFor } from "./act/perform.js";
import { createPageDescription } from "./describe-page.js";
import { selectorMissing } from "./errors.js";
import { createFileWork } from "./files/file-work.js";
import { navigate } from "./navigate/navigate.js";
import { createChangeReader } from "./page-change.js";
import type { PageHandle } from "./page-handle.js";
import { createPageParts } from "./page-parts.js";
import { printPage, takeScreenshot } from "./picture/screenshot.js";

const NAVIGATE_MS = 20_000;
const LIST_MS = 10_000;
const PICTURE_MS = 15_000;
const CLOSE_MS = 3_000;
const SHORT_MS = 5_000;

export function createBrowserPage(handle: PageHandle): BrowserPage {
  const parts = createPageParts(handle);
  const { work, told, guard, dialogs, records } = parts;
  const { page, elements } = handle;
  const { tell } = told;
  const description = createPageDescription(handle);
  const change = createChangeReader(handle, { ...parts, description });
  return {
    ...createFileWork(handle, { ...parts, change }),
    targetId: handle.targetId,
    tab: (scope) =>
      work.run({ scope, defaultMs: SHORT_MS, what: "the tab", turn: "free" }, ({ signal }) =>
        description.read(signal),
      ),
    navigate: (request) =>
      work.run(
        { scope: request, defaultMs: NAVIGATE_MS, what: "the address to answer" },
        async (time) => {
          parts.inFlight.begin();
          await navigate(handle, { url: request.url, time, tell });
          return change.read(time);
        },
      ),
    list: (request) =>
      work.run({ scope: request, defaultMs: LIST_MS, what: "the page to be read" }, (time) =>
        elements.list(request, time.part()),
      ),
    act: (action, scope) => {
      const act = actFor(action);
      return work.run({ scope, ...act }, async (time) => {
        await change.begin(time);
        const { frame, result } = await act.perform({ handle, guard, time, tell });
        const outcome = await change.read(time, frame);
        return { change: outcome, ...(result !== undefined && { result }) };
      });
    },
    screenshot: (request) =>
      work.run({ scope: request, defaultMs: PICTURE_MS, what: "the picture" }, (time) =>
        takeScreenshot(handle, { ...request, time }),
      ),
    pdf: (request) =>
      work.run({ scope: request, defaultMs: PICTURE_MS, what: "the PDF" }, (time) =>
        printPage(handle, { path: request.path, time }),
      ),
    text: (request) =>
      work.run({ scope: request, defaultMs: LIST_MS, what: "the text" }, async (time) => {
        const { selector, maxChars } = request;
        const asks = { op: "text", maxChars, ...(selector !== undefined && { selector }) } as const;
        const answer = await elements.ask<"text">(page.mainFrame(), asks, time.part());
        if (answer.isMissing) throw selectorMissing(selector ?? "body");
        return { text: answer.text, totalChars: answer.totalChars };
      }),
    console: async (request) => records.console(request),
    errors: async (request) => records.errors(request),
    requests: async (request) => records.requests(request),
    answerDialog: (request) =>
      work.run(
        { scope: request, defaultMs: SHORT_MS, what: "the dialog", turn: "free" },
        async (time) => {
          const how = await dialogs.answer(request, request.dialogId);
          if (how === "answered") return change.read(time);
          const word = request.accept ? "accepted" : "dismissed";
          tell(`No dialog is open; the next one will be ${word}.`);
          return change.describe(await description.read(time.signal));
        },
      ),
    close: (scope) =>
      work.run(
        { scope, defaultMs: CLOSE_MS, what: "the tab to close", turn: "free" },
        async (time) => {
          await time.call("the tab to close", () => page.close({ runBeforeUnload: false }));
          handle.closed();
        },
      ),
  };
}
