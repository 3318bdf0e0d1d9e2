// Opens the index of the notes, for reading and for writing apart: what is being written is seen when
// it is whole. A damaged file is moved aside, for all that it held can be rebuilt.

import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { isSqliteError, type OpenSqlite } from "../../../lib/system/sqlite.js";
import { judgeTrouble, loadSqliteFor, makePrivateFile, numberOf, textOf } from "../../sqlite.js";
import { indexForeign } from "../settings.js";
import {
  APPLICATION_ID,
  type Database,
  INDEX_VERSION,
  isDamaged,
  makeOwnTables,
  makeTables,
  openDatabase,
  retryWhileBusy,
} from "./database.js";

export interface IndexFile {
  readonly reader: Database;
  readonly writer: Database;
  readonly inode: number | undefined;
  readonly warnings: readonly string[];
  isSound(): boolean;
  close(): void;
}

export interface IndexRequest {
  readonly file: string | undefined;
  /** What the index depends on next to the notes: another value makes it again. */
  readonly recipe: string;
  readonly maxBytes?: number | undefined;
  readonly damagedInode?: number | undefined;
}

const REBUILT = "The index of the notes was damaged and is being rebuilt.";

export async function openIndex(request: IndexRequest): Promise<IndexFile> {
  const openSqlite = await loadSqliteFor("Notes cannot be searched");
  const { file, damagedInode } = request;
  if (file === undefined) return openOnce(openSqlite, request);
  if (damagedInode !== undefined) return openAnew(openSqlite, request);
  await makePrivateFile(file);
  const inode = inodeOf(file);
  try {
    // Another process may be making the tables.
    return await retryWhileBusy(() => openOnce(openSqlite, request));
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return openAnew(openSqlite, { ...request, damagedInode: inode });
  }
}

async function openAnew(openSqlite: OpenSqlite, request: IndexRequest): Promise<IndexFile> {
  const { file = "", damagedInode } = request;
  // Another process may have been here first.
  if (inodeOf(file) === damagedInode) await moveAside(file);
  await makePrivateFile(file);
  const index = await retryWhileBusy(() => openOnce(openSqlite, request));
  return { ...index, warnings: [...index.warnings, REBUILT] };
}

function openOnce(openSqlite: OpenSqlite, request: IndexRequest): IndexFile {
  const { file, maxBytes } = request;
  const writer = openDatabase({ openSqlite, file, maxBytes });
  try {
    if (!isReady(writer, request)) prepare(writer, request);
    const reader = file === undefined ? writer : openDatabase({ openSqlite, file });
    makeOwnTables(reader);
    return {
      ...{ reader, writer, warnings: [] },
      inode: file === undefined ? undefined : inodeOf(file),
      isSound: () => isSound(reader),
      close() {
        if (reader !== writer) reader.close();
        writer.close();
      },
    };
  } catch (error) {
    writer.close();
    throw error;
  }
}

function isReady(database: Database, { file, recipe }: IndexRequest): boolean {
  const tables = database
    .statement("SELECT count(*) AS count FROM notes.sqlite_schema WHERE type = 'table'")
    .get();
  if (numberOf(tables, "count") === 0) return false;
  if (readApplicationId(database) !== APPLICATION_ID) throw indexForeign(file ?? "");
  return readMeta(database, "recipe") === toRecipeKey(recipe);
}

function readApplicationId(database: Database): number {
  const row = database.statement("PRAGMA notes.application_id").get();
  return numberOf(row, "application_id");
}

/** Damage shows in many ways: what SQLite says of nothing else is looked at more closely. */
export function isDamage(error: unknown, index: IndexFile): boolean {
  if (isDamaged(error)) return true;
  const isUnclear = ["other", "io"].includes(judgeTrouble(error));
  return isUnclear && isSqliteError(error) && !index.isSound();
}

function isSound(database: Database): boolean {
  try {
    const row = database.statement("PRAGMA notes.quick_check(1)").get();
    return textOf(row, "quick_check") === "ok";
  } catch (error) {
    return !isDamaged(error);
  }
}

/** Drops tables of another version or recipe, except what the notes cannot give back. */
function prepare(database: Database, { recipe }: IndexRequest): void {
  const names = database
    .statement(
      "SELECT name FROM notes.sqlite_schema WHERE type = 'table' AND name IN ('meta', 'files', 'chunks', 'words', 'fts')",
    )
    .all();
  for (const row of names) database.exec(`DROP TABLE IF EXISTS notes.${textOf(row, "name")}`);
  makeTables(database);
  writeMeta(database, { key: "recipe", value: toRecipeKey(recipe) });
}

function toRecipeKey(recipe: string): string {
  const hash = createHash("sha256").update(recipe).digest("hex");
  return `${INDEX_VERSION}:${hash}`;
}

export function readMeta(database: Database, key: string): string | undefined {
  const row = database.statement("SELECT value FROM notes.meta WHERE key = ?").get(key);
  return row === undefined ? undefined : textOf(row, "value");
}

export function writeMeta(
  database: Database,
  { key, value }: { readonly key: string; readonly value: string },
): void {
  database.statement("INSERT OR REPLACE INTO notes.meta VALUES (?, ?)").run(key, value);
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

async function moveAside(file: string): Promise<void> {
  await rename(file, `${file}.damaged`);
  for (const end of ["-wal", "-shm"]) await rm(`${file}${end}`, { force: true });
}
