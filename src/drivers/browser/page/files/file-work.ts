// Uploads and downloads of a page, as the port has them.

import type { BrowserPage } from "../../../../core/browser.js";
import { click } from "../act/click.js";
import { selectorMissing } from "../errors.js";
import type { ChangeReader } from "../page-change.js";
import type { PageHandle } from "../page-handle.js";
import type { PageParts } from "../page-parts.js";
import type { WorkTime } from "../work/page-work.js";
import { saveDownload } from "./downloads.js";
import { resolveReadable } from "./roots.js";

const UPLOAD_MS = 20_000;
const DOWNLOAD_MS = 60_000;

type UploadRequest = Parameters<BrowserPage["upload"]>[0];

export function createFileWork(
  handle: PageHandle,
  parts: PageParts & { readonly change: ChangeReader },
): Pick<BrowserPage, "upload" | "download"> {
  const { work, told, guard, downloads, choosers, change } = parts;
  const { tell } = told;

  async function give(request: UploadRequest, time: WorkTime): Promise<void> {
    const files = await Promise.all(
      request.paths.map((path) => resolveReadable(path, handle.folders)),
    );
    if (request.inputRef !== undefined || request.element !== undefined) {
      await setFiles({ ...request, files, time });
      return;
    }
    const how = await choosers.give(files);
    if (request.ref !== undefined) {
      await click({ handle, guard, time, tell }, { ref: request.ref });
      if (how === "armed") await choosers.taken();
    } else if (how === "armed") tell("No file chooser is open; the next one gets the files.");
  }

  async function setFiles(
    request: UploadRequest & { readonly files: readonly string[]; readonly time: WorkTime },
  ): Promise<void> {
    const { inputRef, element, files, time } = request;
    const found =
      inputRef === undefined
        ? undefined
        : await handle.elements.find(inputRef, "files", time.part());
    const locator = found?.locator ?? handle.page.locator(`css=${element}`).first();
    const count = await time.call("the page to answer", () => locator.count());
    if (count === 0) throw selectorMissing(element ?? inputRef ?? "");
    await time.call("the field to take the files", () =>
      locator.setInputFiles([...files], { timeout: 0 }),
    );
  }

  return {
    upload: (request) =>
      work.run({ scope: request, defaultMs: UPLOAD_MS, what: "the upload" }, async (time) => {
        await change.begin(time);
        await give(request, time);
        return change.read(time);
      }),
    download: (request) =>
      work.run({ scope: request, defaultMs: DOWNLOAD_MS, what: "the download" }, async (time) => {
        const { ref, path } = request;
        if (ref !== undefined) {
          downloads.forgetWaiting();
          await click({ handle, guard, time, tell }, { ref });
        }
        const download = await downloads.next(time);
        return saveDownload(handle, { download, path, time });
      }),
  };
}
