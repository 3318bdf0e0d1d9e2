// Replaces text in a file: read, match, splice, write. Nothing is written unless every change fits.

import { withFiles } from "../../core/files/index.js";
import {
  abortError,
  type FsBridge,
  type FsPath,
  ToolInputError,
  type ToolResult,
  textResult,
} from "../../core/index.js";
import { diffSplices } from "../../lib/diff/text-splices.js";
import { lazy } from "../../lib/lazy.js";
import { withoutMention } from "../../lib/mention.js";
import { nameFirstCodePoint, toPrintable } from "../../lib/printable.js";
import { createSource, type Fit, findMatches, type Match, type Source } from "./find-matches.js";
import type { EditCall, EditDetails } from "./index.js";
import { type LoadedText, loadText } from "./load-text.js";
import { notFound } from "./miss/not-found.js";
import { type Change, readChanges } from "./read-changes.js";
import { toSplices } from "./splice.js";

const LOOSE_NOTE =
  " oldText fitted only loosely (quotation marks, dashes, spaces or white space at line ends differ); what was not to change is as it was.";
const FITS: readonly Fit[] = ["loose", "line_ends"];

export async function execute(call: EditCall): Promise<ToolResult<EditDetails>> {
  const { params, ctx, signal } = call;
  const at = (filePath: string) => ({ filePath, cwd: ctx.root, signal });
  const changes = readChanges(params);
  const path = await withoutMention(
    params.path,
    async (name) => (await ctx.bridge.stat(at(name))) !== null,
  );
  const file = at(path);
  return withFiles(ctx.bridge, [file], (bridge) => editFile(bridge, { file, changes }));
}

interface EditRequest {
  readonly file: FsPath;
  readonly changes: readonly Change[];
}

async function editFile(
  bridge: FsBridge,
  { file, changes }: EditRequest,
): Promise<ToolResult<EditDetails>> {
  const path = file.filePath;
  const loaded = await loadText(bridge, file);
  const source = createSource(loaded.text);
  // What is in oldText too may be kept, and then need not be written.
  for (const change of changes)
    assertHoldable(loaded, { change, path, added: () => newIn(change) });
  const matches = findAll({ source, changes, path });
  assertApart(matches, { source, path });
  const splices = toSplices(source, matches);
  if (splices.length === 0) return unchanged(path, loaded.fileBytes);
  const added = lazy(() => splices.map(({ text }) => text).join(""));
  for (const change of changes) assertHoldable(loaded, { change, path, added });
  const data = loaded.toFile(splices);
  if (file.signal?.aborted) throw abortError(file.signal);
  const writing = bridge.writeFile({ ...file, data });
  const { firstChangedLine, ...diff } = diffSplices(loaded.text, splices);
  await writing;
  const fit = worstFit(matches);
  const count = `${matches.length} replacement${matches.length === 1 ? "" : "s"}`;
  const said = `Edited ${toPrintable(path)}: ${count}, the first at line ${firstChangedLine}.`;
  return textResult(fit === "loose" ? said + LOOSE_NOTE : said, {
    path,
    changed: true,
    replacements: matches.length,
    firstChangedLine,
    bytes: data.length,
    fit,
    ...(loaded.encoding === "utf-8" ? {} : { encoding: loaded.encoding }),
    ...diff,
  });
}

interface Search {
  readonly source: Source;
  readonly changes: readonly Change[];
  readonly path: string;
}

function findAll({ source, changes, path }: Search): Match[] {
  const found = changes.flatMap((change) => {
    const request = { change, source, path };
    const matches = findMatches(request);
    if (matches.length === 0) throw notFound(request);
    return change.oldText === change.newText ? [] : matches;
  });
  return found.sort((one, other) => one.start - other.start);
}

function worstFit(matches: readonly Match[]): Fit {
  const fits = new Set(matches.map(({ fit }) => fit));
  return FITS.find((fit) => fits.has(fit)) ?? "exact";
}

function unchanged(path: string, bytes: number): ToolResult<EditDetails> {
  const said = `No changes made to ${toPrintable(path)}: it already reads as newText says, and line ends stay as they are.`;
  return textResult(said, { path, changed: false, replacements: 0, bytes });
}

function newIn({ oldText, newText }: Change): string {
  const old = new Set(oldText);
  return [...newText].filter((character) => !old.has(character)).join("");
}

interface AddedText {
  readonly change: Change;
  readonly path: string;
  readonly added: () => string;
}

function assertHoldable(loaded: LoadedText, { change, path, added }: AddedText): void {
  const { encoding } = loaded;
  if (encoding === "utf-8") return;
  const foreign = loaded.findForeign(added());
  if (foreign === undefined || !change.newText.includes(foreign)) return;
  const name = nameFirstCodePoint(foreign);
  throw new ToolInputError(
    `${change.prefix}newText has "${toPrintable(foreign)}" (${name}), which "${toPrintable(path)}" cannot hold: its encoding is ${encoding}. Use other characters, or write the file again as UTF-8.${change.ending}`,
    { reason: "not_encodable", details: { character: foreign, encoding } },
  );
}

function assertApart(
  matches: readonly Match[],
  { source, path }: { source: Source; path: string },
): void {
  for (const [index, later] of matches.entries()) {
    const earlier = matches[index - 1];
    if (!earlier || earlier.end <= later.start) continue;
    const line = source.lineAt(later.start);
    throw new ToolInputError(
      `${earlier.change.prefix}oldText and ${later.change.prefix}oldText overlap at line ${line} of "${toPrintable(path)}"; join them into one edit.${later.change.ending}`,
      { reason: "edits_overlap", details: { line } },
    );
  }
}
