// Downloads that a page began. Each waits to be saved by anyone who asks for it; the oldest are let go.

import { readFile } from "node:fs/promises";
import type { Download } from "playwright-core";
import type { SavedFile } from "../../../../core/browser.js";
import { within } from "../../session/within.js";
import { shown } from "../errors.js";
import type { PendingEvents } from "../events/pending-events.js";
import type { PageHandle } from "../page-handle.js";
import type { WorkTime } from "../work/page-work.js";
import { resolveWritable } from "./roots.js";
import { saveFile } from "./save-file.js";

const MAX_WAITING = 20;
const WAIT_PART = 0.95;

export interface Downloads {
  /** The oldest that no one saved, or the next one; `signal` ends the waiting. */
  next(time: WorkTime, signal: AbortSignal): Promise<Download>;
  /** One waits to be saved. */
  hasOne(): boolean;
  /** Those that came before are not meant. */
  forgetWaiting(): void;
}

export function createDownloads(
  { page, quota }: Pick<PageHandle, "page" | "quota">,
  tell: PendingEvents["tell"],
): Downloads {
  let waiting: Download[] = [];
  let takers: ((download: Download) => void)[] = [];
  const onDownload = (download: Download) => {
    const [taker, ...others] = takers;
    takers = others;
    if (taker) {
      taker(download);
      return;
    }
    waiting = [...waiting, download].slice(-MAX_WAITING);
    void quota.watch(download, page).then((fault) => {
      waiting = fault === undefined ? waiting : waiting.filter((other) => other !== download);
      if (fault !== undefined) tell(`A download was cancelled and its file removed: ${fault}.`);
    });
    const what = `A download began: "${shown(download.suggestedFilename())}"; save it with action download.`;
    // Anyone who saved it before the next answer knows.
    tell(() => (waiting.includes(download) ? what : ""));
  };
  page.on("download", onDownload);
  return {
    next: (time, signal) => {
      const [oldest, ...others] = waiting;
      waiting = others;
      if (oldest) {
        quota.release(oldest);
        return Promise.resolve(oldest);
      }
      // Shorter than the whole work, which knows less of what was waited for.
      const part = time.part(time.leftMs() * WAIT_PART);
      const limit = { ...part, signal, what: "a download to begin" };
      return within(limit, () => {
        return new Promise<Download>((resolve) => {
          takers = [...takers, resolve];
          signal.addEventListener("abort", () => {
            takers = takers.filter((taker) => taker !== resolve);
          });
        });
      });
    },
    hasOne: () => waiting.length > 0,
    forgetWaiting: () => {
      waiting = [];
    },
  };
}

export async function saveDownload(
  handle: PageHandle,
  request: {
    readonly download: Download;
    readonly path?: string | undefined;
    readonly time: WorkTime;
  },
): Promise<SavedFile> {
  const { download, path, time } = request;
  const suggestedName = download.suggestedFilename();
  const bytes = await time.call("the download to end", async () => readFile(await download.path()));
  const roots = handle.folders.downloadRoots;
  const target = await resolveWritable({ path, roots, suggestedName });
  const saved = await saveFile(handle.folders, { path: target, bytes });
  return { ...saved, suggestedName: shown(suggestedName), url: handle.redactUrl(download.url()) };
}
