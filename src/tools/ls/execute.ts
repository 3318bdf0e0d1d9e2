// Lists one folder, a page at a time, with the sizes of the files that are shown.

import { listFolder, type Place, statPlace, withNotice } from "../../core/files/index.js";
import { type FsEntry, textResult } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { LsCall } from "./index.js";

const DEFAULT_ENTRIES = 500;
const MAX_SHOWN_CHARS = 50_000;
const NOTICE_CHARS = 500;

export async function execute({ params, ctx, signal }: LsCall) {
  const { path = ".", limit = DEFAULT_ENTRIES, offset = 0 } = params;
  const place: Place = { bridge: ctx.bridge, root: ctx.root, signal };
  const stat = await statPlace(place, path);
  if (stat.type !== "directory") {
    const entry = { name: path, type: stat.type, size: stat.size };
    return textResult(showEntry(entry), { path, entries: [entry], total: 1, truncated: false });
  }
  const all = await listFolder(place, path);
  const asked = all.slice(offset, offset + limit);
  const room = Math.min(ctx.limits.resultChars, MAX_SHOWN_CHARS) - NOTICE_CHARS;
  const entries: ListedEntry[] = [];
  let chars = 0;
  for (const entry of asked) {
    const listed = await addSize(place, { entry, folder: path });
    chars += showEntry(listed).length + 1;
    if (chars > room && entries.length > 0) break;
    entries.push(listed);
  }
  const nextOffset = offset + entries.length;
  const hasMore = nextOffset < all.length;
  const text =
    entries.length > 0 ? entries.map(showEntry).join("\n") : describeNothing(path, all.length);
  const notice = hasMore
    ? [`Entries ${offset + 1}-${nextOffset} of ${all.length}. Continue with offset=${nextOffset}.`]
    : [];
  return textResult(withNotice(text, notice), {
    ...{ path, entries, total: all.length, offset, truncated: hasMore },
    ...(hasMore ? { nextOffset } : {}),
  });
}

interface ListedEntry extends FsEntry {
  readonly size?: number;
}

async function addSize(
  { bridge, root, signal }: Place,
  { entry, folder }: { readonly entry: FsEntry; readonly folder: string },
): Promise<ListedEntry> {
  if (entry.type !== "file" || entry.isLink) return entry;
  try {
    const stat = await bridge.stat({ filePath: `${folder}/${entry.name}`, cwd: root, signal });
    return stat ? { ...entry, size: stat.size } : entry;
  } catch (error) {
    // A name that cannot be looked at is still a name.
    if (signal.aborted) throw error;
    return entry;
  }
}

function showEntry({ name, type, isLink, size }: ListedEntry): string {
  const mark = type === "directory" ? "/" : "";
  return `${toPrintable(name)}${mark}${isLink ? "@" : ""}${size === undefined ? "" : `  ${size}`}`;
}

function describeNothing(path: string, total: number): string {
  const name = toPrintable(path);
  return total === 0 ? `${name} is empty.` : `${name} has only ${total} entries; lower offset.`;
}
