// The page of one tab, with everything that listens to it from the start.

import type { Response } from "playwright-core";
import type { BrowserPage, BrowserTab, PageScope } from "../../../core/browser.js";
import { createCountdown, ToolError } from "../../../core/index.js";
import { tryBriefly } from "../session/within.js";
import { createAct } from "./act/create-act.js";
import { createDialogs } from "./dialogs.js";
import { interruptedBy, isTimeout } from "./errors.js";
import { createPendingEvents, createPopups } from "./events.js";
import { createChoosers } from "./files/choosers.js";
import { createDownloads } from "./files/downloads.js";
import { createFileWork } from "./files/file-work.js";
import { createLoading } from "./loading.js";
import { createLooks } from "./looks.js";
import { isInDocument, type NavigateRequest, navigate, navigateBy } from "./navigate.js";
import { createChangeReader, createPageDescription } from "./page-change.js";
import { createPageGuard } from "./page-guard.js";
import type { PageHandle } from "./page-handle.js";
import { createPageWork, type WorkRequest, type WorkTime } from "./page-work.js";
import { createConsoleRecords, createRequestRecords } from "./records.js";

const OPTIONS = { waitUntil: "commit", timeout: 0 } as const;
const NAVIGATE_MS = 20_000;
const CLOSE_MS = 3_000;
const SHORT_MS = 5_000;
const PAGE_CLOSED = "Target page, context or browser has been closed";

export interface DrivenPage extends BrowserPage {
  hasDownload(): boolean;
  dialog(): BrowserTab["dialog"];
}

export function createBrowserPage(handle: PageHandle): DrivenPage {
  const parts = createPageParts(handle);
  const { work, pendingEvents, dialogs, loading, description, change } = parts;
  const { tell } = pendingEvents;

  const answerDialog: BrowserPage["answerDialog"] = async (request) => {
    const left = createCountdown(request, () => handle.clock.now());
    const limits = { scope: request, defaultMs: SHORT_MS, what: "the dialog" };
    const how = await work.run({ ...limits, turn: "free" }, () =>
      dialogs.answer(request, request.dialogId),
    );
    // In line: the page may open another dialog at once.
    if (how === "answered") {
      return work
        .run({ ...limits, scope: left() }, (time) => change.read(time))
        .catch((error: Error) => {
          // The answer was given in any case.
          throw interruptedBy(error, { isDone: true });
        });
    }
    const answer = request.accept ? "accepted" : "dismissed";
    tell(`No dialog is open; one that the next act on this page opens will be ${answer}.`);
    return change.describe(await description.read(request.signal));
  };
  const travel = (
    { patience, ...scope }: PageScope & Pick<WorkRequest, "patience">,
    go: (time: WorkTime) => Promise<void>,
  ) => {
    let hasArrived = false;
    const travelled = work.run(
      {
        ...{ scope, defaultMs: NAVIGATE_MS, what: "the address to answer", page: "any" },
        ...(patience && { patience }),
      },
      async (time) => {
        loading.begin();
        pendingEvents.begin();
        await go(time).catch((error: unknown) => {
          // The error says it, so it is not repeated.
          if (error instanceof Error) pendingEvents.forget(error.message);
          throw error;
        });
        hasArrived = true;
        return change.read(time);
      },
    );
    return travelled.catch(async (error: unknown) => {
      if (!hasArrived || !isTimeout(error) || handle.page.isClosed()) throw error;
      tell("The page came, and there was no time left to read it; snapshot lists it.");
      return { ...change.describe(await description.read(scope.signal)), isUnsettled: true };
    });
  };
  return {
    ...createLooks(handle, parts),
    ...createFileWork(handle, parts),
    targetId: handle.targetId,
    hasDownload: parts.downloads.hasOne,
    dialog: dialogs.held,
    act: createAct(handle, parts),
    answerDialog,
    navigate: ({ url, ...scope }) => {
      // Navigation does not wait for a page it leaves, unless the document stays.
      const patience = isInDocument(handle.page.url(), url) ? "half" : "short";
      return travel({ ...scope, patience }, (time) =>
        navigate(handle, { url, time, tell, loading }),
      );
    },
    history: (request) =>
      travel(request, (time) => goInHistory(handle, { step: request.step, time, tell, loading })),
    close: (scope) =>
      work.run(
        { scope, defaultMs: CLOSE_MS, what: "the tab to close", turn: "free" },
        async (time) => {
          if (dialogs.hasClashed()) {
            await tryBriefly(() => handle.page.goto("about:blank"));
          }
          await time.call("the tab to close", () => handle.page.close({ runBeforeUnload: false }));
        },
      ),
  };
}

type HistoryStep = "back" | "forward" | "reload";

async function goInHistory(
  handle: PageHandle,
  { step, ...request }: Omit<NavigateRequest, "url"> & { readonly step: HistoryStep },
): Promise<void> {
  const { page } = handle;
  const url = page.url();
  const go: Readonly<Record<HistoryStep, () => Promise<Response | null>>> = {
    back: () => page.goBack(OPTIONS),
    forward: () => page.goForward(OPTIONS),
    reload: () => page.reload(OPTIONS),
  };
  const response = await navigateBy(handle, { ...request, url, go: go[step] });
  if (response || step === "reload" || page.url() !== url) return;
  throw new ToolError("failed", `The tab has no page to go ${step} to; it stays where it is.`, {
    reason: "navigation_failed",
    details: { step },
  });
}

export type PageParts = ReturnType<typeof createPageParts>;

function createPageParts(handle: PageHandle) {
  const { page, clock } = handle;
  const pendingEvents = createPendingEvents();
  const { tell } = pendingEvents;
  const loading = createLoading(handle, tell);
  const isExcused = (): boolean => loading.address() !== undefined || dialogs.isHeld();
  const work = createPageWork(handle, { ready: loading.ready, isExcused });
  const guard = createPageGuard(handle);
  const dialogs = createDialogs({
    page,
    clock,
    tell,
    obstruct: work.obstruct,
    // An interrupted input may have left the guard armed.
    released: guard.disarm,
  });
  const said = createConsoleRecords(handle);
  const requests = createRequestRecords(handle, tell);
  const downloads = createDownloads(handle, tell);
  const choosers = createChoosers({ page, tell });
  const description = createPageDescription(handle);
  const change = createChangeReader(handle, { loading, pendingEvents, description });
  const popups = createPopups(handle, tell);
  page.once("close", () => {
    // Ends work that only waits; the session reports why the page closed.
    work.obstruct(new Error(PAGE_CLOSED));
    for (const part of [dialogs, said, popups]) part.close();
  });
  const listening = { dialogs, said, requests, loading, downloads, choosers, popups };
  return { work, pendingEvents, guard, description, change, ...listening };
}
