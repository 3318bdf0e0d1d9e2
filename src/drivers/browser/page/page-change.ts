// What an answer says happened: waits until the page is still, then asks what is other than before.

import type { Frame } from "playwright-core";
import type { BrowserTab, PageChange } from "../../../core/index.js";
import type { PageDescription } from "./describe-page.js";
import type { PageHandle } from "./page-handle.js";
import type { PageParts } from "./page-parts.js";
import { settle } from "./settle/settle.js";
import type { WorkTime } from "./work/page-work.js";

const CHANGES_MS = 3_000;

export interface ChangeReader {
  /** Before something is done: from here on requests and changes count. */
  begin(time: WorkTime): Promise<void>;
  /** After it. */
  read(time: WorkTime, frame?: Frame): Promise<PageChange>;
  /** Without looking at the page, which does not answer. */
  describe(tab: BrowserTab): PageChange;
}

export function createChangeReader(
  handle: PageHandle,
  parts: PageParts & { readonly description: PageDescription },
): ChangeReader {
  const { page, clock, elements } = handle;
  const { inFlight, told, description } = parts;
  const describe = (tab: BrowserTab): PageChange => ({
    isNewDocument: false,
    tab,
    added: [],
    removed: [],
    changed: [],
    counts: { added: 0, removed: 0, changed: 0 },
    events: told.take(),
    isUnsettled: false,
  });
  return {
    begin: async (time) => {
      inFlight.begin();
      await elements.watch(time.part());
    },
    read: async (time, frame) => {
      const { isUnsettled } = await settle({ page, clock, elements, inFlight }, { time, frame });
      const [changes, tab] = await Promise.all([
        elements.changes(time.part(CHANGES_MS)),
        description.read(time.signal),
      ]);
      return { ...changes, tab, events: told.take(), isUnsettled };
    },
    describe,
  };
}
