// `pdf`, `upload`, `download`.

import type { SavedFile } from "../../../core/browser.js";
import { type ToolResult, textResult } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import type { ActionCall } from "../action-call.js";
import { invalid, readOptionalRef } from "../request/read-value.js";
import { tellChange } from "./act-step.js";

const MAX_PATH_CHARS = 4_096;

export async function pdf(asked: ActionCall): Promise<ToolResult> {
  const { path } = asked.call.params;
  const page = await asked.browsers.page(asked.scope);
  const saved = await page.pdf({ ...asked.scope, path });
  return tellSaved(saved, { targetId: page.targetId });
}

export async function upload(asked: ActionCall): Promise<ToolResult> {
  const { inputRef, element, ref } = asked.call.params;
  const paths = readPaths(asked);
  if (paths.length === 0) throw invalid("upload needs paths, the files to send.");
  if ([inputRef, element, ref].filter((one) => one !== undefined).length > 1) {
    throw invalid(
      "upload takes one of inputRef (a file input), element (its CSS) and ref (what opens the file chooser).",
    );
  }
  const page = await asked.browsers.page(asked.scope);
  const change = await page.upload({
    ...{ ...asked.scope, paths, element },
    inputRef: readOptionalRef(inputRef, "inputRef"),
    ref: readOptionalRef(ref, "ref"),
  });
  const files = `${paths.length} ${paths.length === 1 ? "file" : "files"}`;
  const done = `${files} ${change.isArmed ? "kept for the next file chooser" : "given to the page"}`;
  return tellChange({ change, done, details: { paths } });
}

function readPaths({ call }: ActionCall): readonly string[] {
  const { paths, path } = call.params;
  return paths ?? (path === undefined ? [] : [path]);
}

export async function download(asked: ActionCall): Promise<ToolResult> {
  const { ref, path, targetId } = asked.call.params;
  const page = await asked.browsers.page(asked.scope);
  const saved = await page.download({
    ...{ ...asked.scope, path, anyTab: targetId === undefined },
    ref: readOptionalRef(ref, "ref"),
  });
  return tellSaved(saved, { targetId: page.targetId });
}

/** The suggested name is text of the site, so it is only in the details. */
function tellSaved(saved: SavedFile, { targetId }: { readonly targetId: string }): ToolResult {
  const { path, bytes, suggestedName, url, replaced } = saved;
  const from = saved.targetId === undefined ? "" : ` It came in tab ${saved.targetId}.`;
  const rest = `${replaced ? " It replaced a file of that name." : ""}${from}`;
  const text = `FILE:${toPrintable(path, MAX_PATH_CHARS)}\n${bytes} bytes.${rest}`;
  return textResult(text, {
    ...{ ok: true, targetId: saved.targetId ?? targetId, path, bytes },
    ...(suggestedName === undefined ? {} : { suggestedFilename: suggestedName }),
    ...(url === undefined ? {} : { url }),
  });
}
