// What listens to one page from its first moment: dialogs, records, requests, downloads, choosers,
// pop-ups. Joined here, used by the page.

import { createDialogs, type Dialogs } from "./dialogs/dialogs.js";
import { type ConsoleRecords, createConsoleRecords } from "./events/console-records.js";
import { createPopups, type Popups } from "./events/popups.js";
import { createRequestRecords, type RequestRecords } from "./events/request-records.js";
import { createTold, type Told } from "./events/told.js";
import { type Choosers, createChoosers } from "./files/choosers.js";
import { createDownloads, type Downloads } from "./files/downloads.js";
import { createPageGuard, type PageGuard } from "./guard/page-guard.js";
import type { PageHandle } from "./page-handle.js";
import { createInFlight, type InFlight } from "./settle/in-flight.js";
import { createPageWork, type PageWork } from "./work/page-work.js";

export interface PageParts {
  readonly work: PageWork;
  readonly told: Told;
  readonly guard: PageGuard;
  readonly dialogs: Dialogs;
  readonly said: ConsoleRecords;
  readonly requests: RequestRecords;
  readonly inFlight: InFlight;
  readonly downloads: Downloads;
  readonly choosers: Choosers;
  readonly popups: Popups;
}

/** They end with the page. */
export function createPageParts(handle: PageHandle): PageParts {
  const { page, clock, elements, guardName } = handle;
  const work = createPageWork({ clock });
  const told = createTold();
  const { tell } = told;
  const guard = createPageGuard({ page, elements, guardName });
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
  const downloads = createDownloads(page, tell);
  const choosers = createChoosers({ page, clock, tell });
  const popups = createPopups(handle, tell);
  page.once("close", () => {
    for (const part of [dialogs, said, requests, inFlight, downloads, choosers, popups])
      part.close();
  });
  return { work, told, guard, dialogs, said, requests, inFlight, downloads, choosers, popups };
}
