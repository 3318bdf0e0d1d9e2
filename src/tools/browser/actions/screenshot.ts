// `screenshot`: a picture of what is seen, of the whole page, or of one element; with `labels` the
// refs are drawn into it.

import type { BrowserPage, PageImage } from "../../../core/browser.js";
import { ToolInputError, type ToolResult } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { type ActionCall, openPage, toPageScope } from "../action-call.js";
import { readOptionalRef } from "../request/read-value.js";
import { describeLabels, readPlaces, showPicture } from "./image.js";

const SOURCE = "browser";
const MAX_PATH_CHARS = 4_096;
const MAX_SHOWN_PATH_CHARS = 200;
/** Of a file's name: what follows the last dot. */
const ENDING = /\.([^./\\]*)$/;
const TYPES: Readonly<Record<string, "png" | "jpeg">> = { png: "png", jpg: "jpeg", jpeg: "jpeg" };

export async function screenshot(asked: ActionCall): Promise<ToolResult> {
  const page = await openPage(asked);
  const image = await takePicture(asked, page);
  const tab = await page.tab(toPageScope(asked.scope));
  const { blocks, notices } = await showPicture(asked.call, image);
  const media = `MEDIA:${toPrintable(image.path, MAX_PATH_CHARS)}`;
  const labels = image.labels ?? [];
  const glance = () => page.list({ ...toPageScope(asked.scope), isGlance: true });
  const legend = describeLabels(labels, await readPlaces(labels, glance));
  const { width, height, mimeType, path } = image;
  const details = {
    ...{ ok: true, path, targetId: tab.targetId, url: tab.url, width, height, mimeType },
    ...labelFacts(image),
  };
  const rest = [...notices, ...tellSkipped(image), ...(image.gaps ?? [])];
  if (legend === "") {
    return { content: [{ type: "text", text: media }, ...blocks], details, notices: rest };
  }
  // Names of the page stand inside the marks for text from outside, the place of the file never.
  return {
    content: [{ type: "text", text: legend }, ...blocks],
    details,
    untrusted: { source: tab.url || SOURCE },
    notices: [media, ...rest],
  };
}

async function takePicture(asked: ActionCall, page: BrowserPage): Promise<PageImage> {
  const { ref, element, fullPage, labels, path } = asked.call.params;
  const type = readType(asked.call.params);
  if (ref !== undefined && element !== undefined) throw clash("ref and element");
  if (fullPage && (ref !== undefined || element !== undefined)) {
    throw clash("fullPage and one element");
  }
  return page.screenshot({
    ...{ ...toPageScope(asked.scope), element, fullPage, type, labels, path },
    ref: readOptionalRef(ref, "ref"),
  });
}

export function labelFacts({ labels, labelsSkipped = 0 }: PageImage) {
  if (labels === undefined) return {};
  const annotations = labels.map(({ number, element }) => ({
    ...{ number, ref: element.ref, role: element.role, name: element.name },
  }));
  return { labels: true, labelsCount: labels.length, labelsSkipped, annotations };
}

export function tellSkipped({ labelsSkipped = 0 }: PageImage): string[] {
  if (labelsSkipped === 0) return [];
  return [`${labelsSkipped} more elements in view have no label; snapshot lists them.`];
}

/** A file is of the type that its name says. */
function readType({ type, path = "" }: ActionCall["call"]["params"]): "png" | "jpeg" | undefined {
  const [, ending] = ENDING.exec(path) ?? [];
  if (ending === undefined) return type;
  const named = TYPES[ending.toLowerCase()];
  if (named !== undefined && (type ?? named) === named) return named === "jpeg" ? named : type;
  const wanted = type === "jpeg" ? ".jpg" : type === "png" ? ".png" : ".png or .jpg";
  throw new ToolInputError(
    `path must end in ${wanted}; received "${toPrintable(path, MAX_SHOWN_PATH_CHARS)}".`,
    { reason: "arguments_invalid", details: { parameter: "path" } },
  );
}

function clash(what: string): ToolInputError {
  return new ToolInputError(`A screenshot is of ${what} not at once; send one of them.`, {
    reason: "arguments_invalid",
  });
}
