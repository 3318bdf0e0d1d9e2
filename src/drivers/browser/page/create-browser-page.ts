// The page of one tab, as the port has it: who does what, one after the other, each in its time.

import type { BrowserPage } from "../../../core/browser.js";
import { actFor } from "./act/perform.js";
import { createPageDescription } from "./describe-page.js";
import { createFileWork } from "./files/file-work.js";
import { createLooks } from "./looks.js";
import { navigate } from "./navigate/navigate.js";
import { createChangeReader } from "./page-change.js";
import type { PageHandle } from "./page-handle.js";
import { createPageParts } from "./page-parts.js";

const NAVIGATE_MS = 20_000;
const CLOSE_MS = 3_000;
const SHORT_MS = 5_000;

export function createBrowserPage(handle: PageHandle): BrowserPage {
  const parts = createPageParts(handle);
  const { work, told, guard, dialogs, inFlight, popups } = parts;
  const description = createPageDescription(handle);
  const change = createChangeReader(handle, { ...parts, description });
  const { tell } = told;

  const act: BrowserPage["act"] = (action, scope) => {
    const { perform, ...limits } = actFor(action);
    return work.run({ scope, ...limits }, async (time) => {
      const begun = change.begin(time);
      // Whoever does not answer to it does not answer to the act either, which tells it.
      begun.catch(() => undefined);
      const popupCount = popups.count();
      const { frame, result, opensTab } = await perform({ handle, guard, time, tell });
      await begun;
      if (opensTab) await popups.moreThan(popupCount, time);
      const outcome = await change.read(time, frame);
      return { change: outcome, ...(result !== undefined && { result }) };
    });
  };
  const answerDialog: BrowserPage["answerDialog"] = async (request) => {
    const limits = { scope: request, defaultMs: SHORT_MS, what: "the dialog" };
    const how = await work.run({ ...limits, turn: "free" }, () =>
      dialogs.answer(request, request.dialogId),
    );
    // In line: the page may ask the next thing at once.
    if (how === "answered") return work.run(limits, (time) => change.read(time));
    tell(`No dialog is open; the next one will be ${request.accept ? "accepted" : "dismissed"}.`);
    return change.describe(await description.read(request.signal));
  };
  return {
    ...createLooks(handle, { ...parts, description }),
    ...createFileWork(handle, { ...parts, change }),
    targetId: handle.targetId,
    act,
    answerDialog,
    navigate: (request) =>
      work.run(
        { scope: request, defaultMs: NAVIGATE_MS, what: "the address to answer" },
        async (time) => {
          inFlight.begin();
          await navigate(handle, { url: request.url, time, tell });
          return change.read(time);
        },
      ),
    close: (scope) =>
      work.run(
        { scope, defaultMs: CLOSE_MS, what: "the tab to close", turn: "free" },
        async (time) => {
          await time.call("the tab to close", () => handle.page.close({ runBeforeUnload: false }));
          handle.closed();
        },
      ),
  };
}
