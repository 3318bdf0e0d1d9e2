// Lists the paths below a folder that a glob matches, and stops when the page is full.

import {
  compileGlob,
  describeWalk,
  notDirectory,
  type Place,
  statPlace,
  type WalkReport,
  walkFolder,
  withNotice,
} from "../../core/files/index.js";
import { textResult } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { FindCall } from "./index.js";

const DEFAULT_PATHS = 500;
const MAX_SHOWN_CHARS = 50_000;
const NOTICE_CHARS = 1_000;

export async function execute({ params, ctx, signal }: FindCall) {
  const { path: folder = ".", includeIgnored = false, limit = DEFAULT_PATHS, offset = 0 } = params;
  const place: Place = { bridge: ctx.bridge, root: ctx.root, signal };
  if ((await statPlace(place, folder)).type !== "directory") throw notDirectory(folder);
  const matches = compileGlob(params.pattern);
  const report: WalkReport = { unreadable: [], isCut: false };
  const paths: string[] = [];
  let room = Math.min(ctx.limits.resultChars, MAX_SHOWN_CHARS) - NOTICE_CHARS;
  let seen = 0;
  let hasMore = false;
  for await (const entry of walkFolder({ ...place, folder, includeIgnored }, report)) {
    const { type, names, path } = entry;
    if ((params.type !== undefined && type !== params.type) || !matches(names)) continue;
    if (seen++ < offset) continue;
    room -= path.length + 2;
    hasMore = paths.length === limit || (room < 0 && paths.length > 0);
    if (hasMore) break;
    paths.push(type === "directory" ? `${path}/` : path);
  }
  const nextOffset = offset + paths.length;
  const text =
    paths.length > 0 ? paths.map((path) => toPrintable(path)).join("\n") : describeNothing(params);
  const notice = hasMore
    ? [
        `Paths ${offset + 1}-${nextOffset}; there are more. Continue with offset=${nextOffset}, or narrow pattern or path.`,
      ]
    : [];
  return textResult(withNotice(text, [...notice, ...describeWalk(report)]), {
    paths,
    offset,
    truncated: hasMore,
    ...(hasMore ? { nextOffset } : {}),
    skipped: { unreadable: report.unreadable },
  });
}

function describeNothing({ pattern, path, includeIgnored }: FindCall["params"]): string {
  const where = path === undefined ? "" : ` in ${toPrintable(path)}`;
  const hint = includeIgnored ? "" : " What .gitignore leaves out was not listed.";
  return `No path matches "${toPrintable(pattern, 100)}"${where}.${hint}`;
}
