// What listens to one page from its first moment: dialogs, records, requests, downloads, choosers,
// pop-ups. Joined here, used by the page.

import type { Page } from "playwright-core";
import { createDialogs, type Dialogs } from "./dialogs/dialogs.js";
import { createRecords, type PageRecordsBook } from "./events/records.js";
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
  readonly records: PageRecordsBook;
  readonly inFlight: InFlight;
  readonly downloads: Downloads;
  readonly choosers: Choosers;
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
  const records = createRecords(handle);
  const inFlight = createInFlight(page);
  const downloads = createDownloads(page, tell);
  const choosers = createChoosers({ page, clock, tell });
  const onPopup = (popup: Page) => tell(() => describePopup(handle, popup));
  page.on("popup", onPopup);
  page.once("close", () => {
    for (const part of [dialogs, records, inFlight, downloads, choosers]) part.close();
    page.off("popup", onPopup);
  });
  return { work, told, guard, dialogs, records, inFlight, downloads, choosers };
}

function describePopup({ tabIdOf, redactUrl }: PageHandle, popup: Page): string {
  const id = tabIdOf(popup);
  if (popup.isClosed()) return "A new tab opened and closed again.";
  const at =
    popup.url() === "" || popup.url() === "about:blank" ? "" : ` at ${redactUrl(popup.url())}`;
  return id ? `A new tab opened: ${id}${at}.` : `A new tab opened${at}.`;
}
