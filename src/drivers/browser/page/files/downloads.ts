// Downloads waiting to be saved, and the disk space they may use.

import { readFile, stat } from "node:fs/promises";
import type { Download, Page } from "playwright-core";
import type { SavedFile } from "../../../../core/browser.js";
import { readField, readText } from "../../../../lib/read-field.js";
import { within } from "../../session/within.js";
import { shown } from "../errors.js";
import type { PendingEvents } from "../events.js";
import type { PageHandle } from "../page-handle.js";
import type { WorkTime } from "../page-work.js";
import { resolveWritable, saveFile } from "./roots.js";

const MAX_WAITING = 20;
const WAIT_PART = 0.95;
const LOOK_PAUSE_MS = 100;
const PARTIAL = ".crdownload";
const MEGABYTE = 1_000_000;

export function createDownloads(
  { page, quota }: Pick<PageHandle, "page" | "quota">,
  tell: PendingEvents["tell"],
) {
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
    // Skipped if it was saved before the next answer.
    tell(() => (waiting.includes(download) ? what : ""));
  };
  page.on("download", onDownload);
  return {
    next: (time: WorkTime, signal: AbortSignal) => {
      const [oldest, ...others] = waiting;
      waiting = others;
      if (oldest) {
        quota.release(oldest);
        return Promise.resolve(oldest);
      }
      // Less than the whole time, so that this error is the one reported.
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
  const root = handle.folders.downloads;
  const target = await resolveWritable({ path, root, suggestedName });
  const saved = await saveFile(handle.folders, { path: target, bytes });
  return { ...saved, suggestedName: shown(suggestedName), url: handle.redactUrl(download.url()) };
}

export interface QuotaLimits {
  readonly maxTabBytes: number;
  readonly maxBytes: number;
}

export type DownloadQuota = ReturnType<typeof createDownloadQuota>;

export function createDownloadQuota({ maxTabBytes, maxBytes }: QuotaLimits) {
  const held = new Map<Download, { readonly page: Page; bytes: number }>();

  function findFault(page: Page): string | undefined {
    const all = [...held.values()];
    const sum = (list: typeof all) => list.reduce((bytes, entry) => bytes + entry.bytes, 0);
    const why = (key: string, max: number) => `${key} allows ${max / MEGABYTE} MB`;
    if (sum(all) > maxBytes) return why("browser.maxDownloadMb", maxBytes);
    const isBeyond = sum(all.filter((entry) => entry.page === page)) > maxTabBytes;
    return isBeyond ? why("browser.maxTabDownloadMb", maxTabBytes) : undefined;
  }

  return {
    async watch(download: Download, page: Page) {
      const entry = { page, bytes: 0 };
      held.set(download, entry);
      let isOver = false;
      const end = () => {
        isOver = true;
      };
      const ended = download.failure().then(end, end);
      for (let isLast = false; !isLast && held.has(download); ) {
        isLast = isOver;
        entry.bytes = await readSize(download);
        const fault = findFault(page);
        if (fault !== undefined) {
          held.delete(download);
          await download.cancel().catch(() => undefined);
          await download.delete().catch(() => undefined);
          return fault;
        }
        await Promise.race([ended, new Promise((go) => setTimeout(go, LOOK_PAUSE_MS))]);
      }
      return undefined;
    },
    release: (download: Download) => void held.delete(download),
  };
}

/** Playwright hides the path of an unfinished download in a private field. */
async function readSize(download: Download): Promise<number> {
  const note = readField(readField(download, "_artifact"), "_initializer");
  const path = readText(note, "absolutePath") ?? "";
  const sizes = [path, `${path}${PARTIAL}`].map((one) => stat(one).catch(() => undefined));
  return (await Promise.all(sizes)).reduce((bytes, facts) => bytes + (facts?.size ?? 0), 0);
}
