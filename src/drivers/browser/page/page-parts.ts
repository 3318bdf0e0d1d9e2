// What listens to one page from its first moment: dialogs, records, requests, downloads, choosers,
// pop-ups. Joined here, used by the page.

import { createDialogs, type Dialogs } from "./dialogs/dialogs.js";
import { type ConsoleRecords, createConsoleRecords } from "./events/console-records.js";
import { createPendingEvents, type PendingEvents } from "./events/pending-events.js";
import { createPopups, type Popups } from "./events/popups.js";
import { createRequestRecords, type RequestRecords } from "./events/request-records.js";
import { type Choosers, createChoosers } from "./files/choosers.js";
import { createDownloads, type Downloads } from "./files/downloads.js";
import { createPageGuard, type PageGuard } from "./guard/page-guard.js";
import { type ComingDocument, createComingDocument } from "./navigate/coming-document.js";
import type { PageHandle } from "./page-handle.js";
import { createInFlight, type InFlight } from "./settle/in-flight.js";
import { createHungWatch } from "./work/hung-page.js";
import { createPageWork, type PageWork } from "./work/page-work.js";

/** As Playwright says it. */
const PAGE_CLOSED = "Target page, context or browser has been closed";

export interface PageParts {
  readonly work: PageWork;
  readonly pendingEvents: PendingEvents;
  readonly guard: PageGuard;
  readonly dialogs: Dialogs;
  readonly said: ConsoleRecords;
  readonly requests: RequestRecords;
  readonly inFlight: InFlight;
  readonly coming: ComingDocument;
  readonly downloads: Downloads;
  readonly choosers: Choosers;
  readonly popups: Popups;
}

/** Listeners on the page alone end with it; the others are closed. */
export function createPageParts(handle: PageHandle): PageParts {
  const { page, clock } = handle;
  const pendingEvents = createPendingEvents();
  const { tell } = pendingEvents;
  const coming = createComingDocument(handle, tell);
  const isExcused = () => coming.address() !== undefined || dialogs.isHeld();
  const watch = createHungWatch(handle, isExcused);
  const work = createPageWork({ clock, ready: coming.ready, watch });
  const guard = createPageGuard(handle);
  const dialogs = createDialogs({
    page,
    clock,
    tell,
    obstruct: work.obstruct,
    // An input that the dialog interrupted may have left it armed.
    released: guard.disarm,
  });
  const said = createConsoleRecords(handle);
  const requests = createRequestRecords(handle, tell);
  const inFlight = createInFlight(page);
  const downloads = createDownloads(handle, tell);
  const choosers = createChoosers({ page, tell });
  const popups = createPopups(handle, tell);
  page.once("close", () => {
    // Some work only waits, and would go on; the session, which knows why it closed, says it.
    work.obstruct(new Error(PAGE_CLOSED));
    for (const part of [dialogs, said, popups]) part.close();
  });
  const records = { said, requests, inFlight, coming, downloads };
  return { work, pendingEvents, guard, dialogs, ...records, choosers, popups };
}
