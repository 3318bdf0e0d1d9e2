// How much downloads that no one asked for may take of the disk until they are saved: of a tab, and of
// the whole browser.

import { stat } from "node:fs/promises";
import type { Download, Page } from "playwright-core";
import { readField, readText } from "../../../../lib/read-field.js";

const LOOK_PAUSE_MS = 100;
/** Chromium puts it behind the name of a file that is not whole yet. */
const PARTIAL = ".crdownload";
const MEGABYTE = 1_000_000;

export interface QuotaLimits {
  readonly maxTabBytes: number;
  readonly maxBytes: number;
}

export interface DownloadQuota {
  /** Until it has ended. Beyond the limits it is cancelled and its file removed; then the reason is reported. */
  watch(download: Download, page: Page): Promise<string | undefined>;
  /** Someone saves it. */
  release(download: Download): void;
}

export function createDownloadQuota({ maxTabBytes, maxBytes }: QuotaLimits): DownloadQuota {
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
    async watch(download, page) {
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
    release: (download) => void held.delete(download),
  };
}

/** Playwright names the file of a download only when it is whole; until then its own note of it does. */
async function readSize(download: Download): Promise<number> {
  const note = readField(readField(download, "_artifact"), "_initializer");
  const path = readText(note, "absolutePath") ?? "";
  const sizes = [path, `${path}${PARTIAL}`].map((one) => stat(one).catch(() => undefined));
  return (await Promise.all(sizes)).reduce((bytes, facts) => bytes + (facts?.size ?? 0), 0);
}
