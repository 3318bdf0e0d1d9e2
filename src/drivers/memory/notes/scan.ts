// Lists the notes with what tells whether they changed. Works at once, in parts: an answer of the
// thread pool for each file would take several times as long.

import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { quoteForeign } from "../../../core/index.js";
import { isInside } from "../../../lib/paths.js";
import { toPrintable } from "../../../lib/printable.js";
import type { NotePlaces } from "../settings.js";
import type { Pace } from "../sync/known-files.js";
import {
  isMarkdown,
  isNoteFile,
  labelOf,
  MAIN_NOTES,
  NOTES_FOLDER,
  type NotePlace,
} from "./open-note.js";

const MAX_NOTES = 200_000;
const MAX_DEPTH = 32;
const SKIPPED_FOLDERS = ["node_modules"];

export interface NoteFile extends NotePlace {
  readonly mtimeMs: number;
  readonly bytes: number;
  readonly inode: number;
}

export interface NoteList {
  readonly notes: readonly NoteFile[];
  readonly folders: readonly string[];
  readonly within: readonly string[];
  readonly warnings: readonly string[];
}

interface Walk {
  readonly places: NotePlaces;
  readonly within: readonly string[];
  readonly pace: Pace;
  readonly notes: NoteFile[];
  readonly folders: string[];
  readonly besides: string[];
  readonly warnings: string[];
  /** Real paths of the folders met, and of the files that a link led to. */
  readonly met: Set<string>;
  readonly links: NotePlace[];
}

export async function listNotes(places: NotePlaces, pace: Pace): Promise<NoteList> {
  const within = findPlaces(places);
  const walk: Walk = {
    ...{ places, within, pace, notes: [], folders: [], besides: [], warnings: [], links: [] },
    met: new Set<string>(),
  };
  addMainNotes(walk);
  await addFolder(walk, join(places.root, NOTES_FOLDER));
  for (const extra of places.extraPaths) await addExtra(walk, extra);
  addLinks(walk);
  const { notes, warnings } = walk;
  const folders = [...new Set([places.root, ...walk.folders, ...walk.besides])];
  return { notes, folders, within, warnings };
}

function findPlaces({ root, extraPaths }: NotePlaces): string[] {
  const extra = extraPaths.flatMap((path) => realOf(path) ?? []);
  const own = realOf(root);
  if (own === undefined) return extra;
  const folder = join(own, NOTES_FOLDER);
  const linked = realOf(folder);
  const isBelow = linked !== undefined && linked !== own && isInside(linked, own);
  return [...MAIN_NOTES.map((name) => join(own, name)), isBelow ? linked : folder, ...extra];
}

/** On a file system that does not tell letter case apart both names are one file. */
function addMainNotes(walk: Walk): void {
  const { root } = walk.places;
  const names = tryRead(() => readdirSync(root)) ?? [];
  for (const path of MAIN_NOTES.filter((name) => names.includes(name))) {
    const file = join(root, path);
    const real = realOf(file);
    if (real === undefined || walk.met.has(real)) continue;
    walk.met.add(real);
    if (isNoteFile(real, walk.within)) addFile(walk, { path, file });
    else walk.warnings.push(leadsOut(path));
  }
}

async function addExtra(walk: Walk, extra: string): Promise<void> {
  const stat = tryRead(() => statSync(extra));
  if (stat === undefined) {
    walk.warnings.push(`"${toPrintable(extra)}" of extraPaths is not there.`);
  } else if (stat.isDirectory()) {
    await addFolder(walk, extra);
  } else if (isMarkdown(extra)) {
    const real = realOf(extra) ?? extra;
    walk.besides.push(dirname(extra), dirname(real));
    const isKnown = walk.notes.some(({ file }) => file === real || file === extra);
    walk.met.add(real);
    if (!isKnown) addFile(walk, { path: labelOf(extra, walk.places.root), file: extra });
  } else {
    walk.warnings.push(`"${toPrintable(extra)}" in extraPaths is neither a folder nor a .md file.`);
  }
}

async function addFolder(walk: Walk, top: string): Promise<void> {
  const pending = [{ folder: top, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { folder, depth } = next;
    const real = realOf(folder);
    if (real === undefined || walk.met.has(real)) continue;
    walk.met.add(real);
    const label = labelOf(folder, walk.places.root);
    if (!walk.within.some((place) => isInside(real, place))) {
      walk.warnings.push(leadsOut(label));
      continue;
    }
    const entries = tryRead(() => readdirSync(folder, { withFileTypes: true }));
    if (entries === undefined) {
      walk.warnings.push(
        `The folder ${quoteForeign(label)} cannot be read; its notes are left out.`,
      );
      continue;
    }
    walk.folders.push(folder);
    for (const entry of entries) {
      const child = addEntry(walk, { entry, folder, label });
      if (child !== undefined && depth < MAX_DEPTH)
        pending.push({ folder: child, depth: depth + 1 });
      if (walk.pace.isDue()) await walk.pace.pause();
    }
  }
}

interface Entry {
  readonly entry: Dirent;
  readonly folder: string;
  readonly label: string;
}

function addEntry(walk: Walk, { entry, folder, label }: Entry): string | undefined {
  const { name } = entry;
  if (name.startsWith(".") || SKIPPED_FOLDERS.includes(name)) return undefined;
  const file = `${folder}/${name}`;
  if (entry.isDirectory()) return file;
  const place = { path: label === "" ? name : `${label}/${name}`, file };
  if (entry.isSymbolicLink()) {
    const isFolder = tryRead(() => statSync(file).isDirectory()) ?? false;
    if (isFolder) return file;
    if (isMarkdown(name)) walk.links.push(place);
    return undefined;
  }
  if (entry.isFile() && isMarkdown(name)) addFile(walk, place);
  return undefined;
}

/** Last: what a link leads to may be a note that is listed under its own name. */
function addLinks(walk: Walk): void {
  for (const place of walk.links) {
    const real = realOf(place.file);
    if (real === undefined) continue;
    if (!isNoteFile(real, walk.within)) {
      walk.warnings.push(leadsOut(place.path));
      continue;
    }
    const isListed = walk.folders.some((folder) => {
      const own = realOf(folder);
      return own !== undefined && isInside(real, own) && isMarkdown(real);
    });
    if (isListed || walk.met.has(real)) continue;
    walk.met.add(real);
    addFile(walk, place);
  }
}

function addFile(walk: Walk, { path, file }: NotePlace): void {
  if (walk.notes.length >= MAX_NOTES) {
    const sentence = `Only the first ${MAX_NOTES} notes are searched.`;
    if (!walk.warnings.includes(sentence)) walk.warnings.push(sentence);
    return;
  }
  const stat = tryRead(() => statSync(file));
  if (stat === undefined || !stat.isFile()) return;
  walk.notes.push({ path, file, mtimeMs: stat.mtimeMs, bytes: stat.size, inode: stat.ino });
}

function leadsOut(path: string): string {
  return `${quoteForeign(path)} links to a file that is not a note and is skipped; add its target to extraPaths to include it.`;
}

function realOf(path: string): string | undefined {
  return tryRead(() => realpathSync.native(path));
}

function tryRead<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    // Nothing is lost: the next walk looks again.
    return undefined;
  }
}
