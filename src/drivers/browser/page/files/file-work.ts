// Uploads and downloads of a page.

import { copyFile, mkdtemp, open, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Download } from "playwright-core";
import type { BrowserPage } from "../../../../core/browser.js";
import { isToolError } from "../../../../core/index.js";
import { isBelow } from "../../../../lib/paths.js";
import { click } from "../act/click.js";
import type { PageParts } from "../create-browser-page.js";
import {
  changedUnderClick,
  chooserMissing,
  downloadElsewhere,
  downloadMissing,
  isTimeout,
} from "../errors.js";
import { findBySelector } from "../find-by-selector.js";
import { settle } from "../page-change.js";
import type { PageFolders, PageHandle } from "../page-handle.js";
import type { WorkTime } from "../page-work.js";
import { saveDownload } from "./downloads.js";
import { assertWritable, realOfOwn, resolveReadable } from "./roots.js";

const LEFT_MS = 5_000;
const PART_BYTES = 1024 * 1024;
const MS_PER_SECOND = 1_000;
const UPLOAD_MS = 20_000;
const DOWNLOAD_MS = 60_000;

type UploadRequest = Parameters<BrowserPage["upload"]>[0];

export function createFileWork(
  handle: PageHandle,
  parts: PageParts,
): Pick<BrowserPage, "upload" | "download"> {
  const { work, pendingEvents, guard, dialogs, downloads, choosers, change, loading } = parts;
  const { tell } = pendingEvents;

  async function give(request: UploadRequest, time: WorkTime): Promise<boolean> {
    const files = await Promise.all(request.paths.map((path) => copyForPage(path, handle.folders)));
    if (request.inputRef !== undefined || request.element !== undefined) {
      await setFiles({ ...request, files, time });
      return false;
    }
    const { ref } = request;
    const acting = { handle, guard, time, tell };
    const giving = { files, time, assertSame: (opener: string) => assertSame(opener, time) };
    const isGiven =
      ref === undefined
        ? await choosers.give(giving)
        : await choosers.giveDuring({ ...giving, ref, act: () => click(acting, { ref }) });
    if (!isGiven && ref !== undefined) throw chooserMissing(ref);
    if (!isGiven) choosers.arm(files);
    return !isGiven;
  }

  /** The page may react to the click before it gets the files. */
  async function assertSame(ref: string, time: WorkTime): Promise<void> {
    await settle(handle, { loading, time });
    await handle.elements.find(ref, "again", time.part()).catch((error: unknown) => {
      if (time.signal.aborted || isTimeout(error)) throw error;
      // A menu entry may disappear when it opens a chooser.
      if (!isToolError(error) || error.details?.why !== "changed") return;
      throw changedUnderClick(ref, "it became another one after it was clicked, and got no files");
    });
  }

  async function setFiles(
    request: UploadRequest & { readonly files: readonly string[]; readonly time: WorkTime },
  ): Promise<void> {
    const { inputRef, element, files, time } = request;
    const locator =
      inputRef === undefined
        ? await findBySelector(handle.page, { selector: element ?? "", time })
        : (await handle.elements.find(inputRef, "files", time.part())).locator;
    await time.step("the field to take the files", () =>
      locator.setInputFiles([...files], { timeout: 0 }),
    );
  }

  async function downloadBy(ref: string, time: WorkTime): Promise<Download> {
    downloads.forgetWaiting();
    const leaving = watchLeaving(handle);
    let allMs = 0;
    try {
      await click({ handle, guard, time, tell }, { ref });
      allMs = time.leftMs();
      return await downloads.next(time, AbortSignal.any([time.signal, leaving.signal]));
    } catch (error) {
      if (time.signal.aborted) throw error;
      if (leaving.signal.aborted) {
        throw downloadElsewhere(ref, handle.redactUrl(handle.page.url()));
      }
      throw allMs > 0 && isTimeout(error) ? downloadMissing(ref, allMs) : error;
    } finally {
      leaving.stop();
    }
  }

  return {
    upload: (request) =>
      work
        .run({ scope: request, defaultMs: UPLOAD_MS, what: "the upload" }, async (time) => {
          await change.begin(time);
          const isArmed = await give(request, time);
          return { ...(await change.read(time)), isArmed };
        })
        .finally(dialogs.forgetAnswer),
    download: (request) =>
      work
        .run({ scope: request, defaultMs: DOWNLOAD_MS, what: "the download" }, async (time) => {
          const { ref, path } = request;
          if (path !== undefined) await assertWritable(path, handle.folders.downloads);
          const download =
            ref === undefined
              ? await downloads.next(time, time.signal)
              : await downloadBy(ref, time);
          return saveDownload(handle, { download, path, time });
        })
        .finally(dialogs.forgetAnswer),
  };
}

/** A copy that stays until the browser ends, because pages may read it later. */
async function copyForPage(path: string, folders: PageFolders): Promise<string> {
  const { files, artifacts, temporary } = folders;
  const real = await resolveReadable(path, folders);
  const copy = join(await mkdtemp(join(temporary, "u-")), basename(real));
  if (isBelow(real, await realOfOwn(artifacts))) {
    await copyFile(real, copy);
    return copy;
  }
  const [source, target] = [await files.openFile({ filePath: real }), await open(copy, "wx")];
  try {
    const part = new Uint8Array(PART_BYTES);
    for (let at = 0, count = -1; count !== 0; at += count) {
      count = await source.read(part, at);
      await target.write(part, 0, count);
    }
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
  const changed = source.stat.mtimeMs / MS_PER_SECOND;
  await utimes(copy, changed, changed);
  return copy;
}

function watchLeaving({ page, clock }: Pick<PageHandle, "page" | "clock">) {
  const left = new AbortController();
  let cancel: () => void = () => undefined;
  const onDocument = () => {
    cancel();
    cancel = clock.after(LEFT_MS, () => left.abort());
  };
  page.on("domcontentloaded", onDocument);
  return {
    signal: left.signal,
    stop: () => {
      page.off("domcontentloaded", onDocument);
      cancel();
    },
  };
}
