// The memory of one agent: its notes on the disk, and an index of them that is opened at the first
// use, kept up to date, and rebuilt when it is damaged.

import { statSync } from "node:fs";
import { type Memory, type MemoryStatus, ToolError } from "../../core/index.js";
import { isSqliteError } from "../../lib/system/sqlite.js";
import { cutChars } from "../../lib/unicode-text.js";
import { judgeTrouble, numberOf, textOf } from "../sqlite.js";
import { createEmbedder } from "./embeddings/embedder.js";
import { createEmbeddingSearch } from "./embeddings/embedding-search.js";
import { writeAtOnce } from "./embeddings/vectors.js";
import { type Database, describeTrouble } from "./index-file/database.js";
import { type IndexFile, type IndexRequest, isDamage, openIndex } from "./index-file/open-index.js";
import { readLines, readNote } from "./notes/read-note.js";
import { listNotes, type NoteList } from "./notes/scan.js";
import { MAX_QUERY_CHARS } from "./search/read-query.js";
import { searchIndex } from "./search/search-index.js";
import { indexFailed, type MemoryPorts, type MemorySettings, memoryClosed } from "./settings.js";
import { createKeeper, type Keeper } from "./sync/keeper.js";
import { createPace } from "./sync/known-files.js";
import { createLexiconSource, type Lexicon } from "./words/lexicon.js";

const MAX_WARNINGS = 12;
const UNKNOWN_SOURCE = "memory notes of unknown origin";
const NEVER = new AbortController().signal;

interface Opened {
  readonly index: IndexFile;
  readonly keeper: Keeper;
  readonly lexicon: () => Lexicon;
}

export function createMemory(settings: MemorySettings, ports: MemoryPorts): Memory {
  const { clock, net } = ports;
  const { places, indexFile, embedding } = settings;
  const embeddingSearch =
    embedding && net ? createEmbeddingSearch(createEmbedder(embedding, net)) : undefined;
  let opening: Promise<Opened> | undefined;
  let isClosed = false;
  const left = new WeakSet<Opened>();

  async function openOnce(damagedInode?: number): Promise<Opened> {
    const recipe = JSON.stringify([places.root, settings.chunking]);
    const { maxIndexBytes: maxBytes } = settings;
    const index = await openOrHold({ file: indexFile, recipe, maxBytes, damagedInode });
    const keeper = createKeeper({ index, settings, clock, embeddingSearch });
    return { index, keeper, lexicon: createLexiconSource(index.reader) };
  }

  async function open(): Promise<Opened> {
    if (isClosed) throw memoryClosed();
    opening ??= openOnce();
    try {
      return await opening;
    } catch (error) {
      // What was in the way may be gone at the next use.
      opening = undefined;
      throw error;
    }
  }

  /** A damaged index is moved aside and rebuilt, once. */
  async function use<Value>(work: (opened: Opened) => Promise<Value>): Promise<Value> {
    const opened = await open();
    try {
      return await work(opened);
    } catch (error) {
      // Anyone who else met the damage has closed what this one was working with.
      if (!left.has(opened) && !isDamage(error, opened.index)) throw toMemoryError(error);
    }
    try {
      return await work(await renewOnce(opened));
    } catch (error) {
      throw toMemoryError(error);
    }
  }

  function renewOnce(opened: Opened): Promise<Opened> {
    if (!left.has(opened)) {
      left.add(opened);
      opening = renew(opened);
    }
    return open();
  }

  async function renew({ index, keeper }: Opened): Promise<Opened> {
    await keeper.close();
    index.close();
    return openOnce(index.inode);
  }

  return {
    search: (query) =>
      use(async ({ index, keeper, lexicon }) => {
        const { signal } = query;
        const freshness = await keeper.refresh(signal);
        const asked = cutChars(query.query, MAX_QUERY_CHARS);
        const near = await embeddingSearch?.find({ index, query: asked, signal });
        const { hits, legs, corrected, warnings } = await searchIndex({
          ...{ query, reader: index.reader, lexicon: lexicon(), settings: settings.query },
          nowMs: clock.now(),
          meaning: near?.found,
        });
        const { staleNotes, partial } = freshness;
        const isEmpty = partial === undefined && staleNotes === 0 && countNotes(index) === 0;
        return {
          ...{ hits, legs, corrected, staleNotes },
          ...(isEmpty ? { isEmpty } : {}),
          ...(partial === undefined ? {} : { partial }),
          warnings: limitWarnings([...freshness.warnings, ...(near?.warnings ?? []), ...warnings]),
        };
      }),
    read: (request) => readLines({ ...places, list: listAll, readSource }, request),
    async markTainted({ sinceMs, source }) {
      const notes = listChanged(await listAll(), sinceMs);
      if (notes.length === 0) return;
      await use(({ index: { writer }, keeper: { turn } }) =>
        writeAtOnce({ writer, turn, signal: NEVER }, () => writeTainted(writer, { notes, source })),
      );
    },
    status: () => use(readStatus),
    index: ({ isFresh = false, signal, onProgress }) =>
      use(async (opened) => {
        await opened.keeper.index({ isFresh, signal, onProgress });
        return readStatus(opened);
      }),
    async close() {
      isClosed = true;
      const opened = await opening?.catch(() => undefined);
      opening = undefined;
      await opened?.keeper.close();
      opened?.index.close();
    },
  };

  function listAll() {
    return listNotes(places, createPace(NEVER));
  }

  /** A note counts as tainted while the index with the marks cannot be read. */
  async function readSource(note: { readonly path: string; readonly hash?: string }) {
    try {
      return await use(async ({ index }) => readTainted(index.reader, note));
    } catch (error) {
      if (isClosed) throw error;
      return UNKNOWN_SOURCE;
    }
  }

  async function readStatus({ index, keeper }: Opened): Promise<MemoryStatus> {
    const { staleNotes, warnings } = await keeper.look();
    const { reader } = index;
    const counts = reader
      .statement(
        "SELECT count(*) AS notes, coalesce(sum(chunk_count), 0) AS chunks FROM notes.files",
      )
      .get();
    const noteWarnings = reader
      .statement("SELECT warning FROM notes.files WHERE warning IS NOT NULL ORDER BY path LIMIT ?")
      .all(MAX_WARNINGS);
    return {
      root: places.root,
      indexPath: indexFile,
      notes: numberOf(counts, "notes"),
      chunks: numberOf(counts, "chunks"),
      staleNotes,
      legs: embeddingSearch === undefined ? ["words"] : ["words", "meaning"],
      warnings: limitWarnings([...warnings, ...noteWarnings.map((row) => textOf(row, "warning"))]),
    };
  }
}

function countNotes({ reader }: IndexFile): number {
  return numberOf(reader.statement("SELECT count(*) AS notes FROM notes.files").get(), "notes");
}

/** Where the index cannot be written it is held in memory, so that the search goes on. */
async function openOrHold(request: IndexRequest): Promise<IndexFile> {
  try {
    return await openIndex(request);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const trouble = judgeTrouble(error);
    if (!["full", "readonly", "unreachable"].includes(trouble)) throw toMemoryError(error);
    const held = await openIndex({ file: undefined, recipe: request.recipe });
    const why = trouble === "full" ? "the disk is full" : describeTrouble(error);
    const warning = `The index is held in memory only, until the next start: ${why}.`;
    return { ...held, warnings: [...held.warnings, warning] };
  }
}

function toMemoryError(error: unknown): unknown {
  const isSystem = error instanceof Error && Reflect.has(error, "syscall");
  if (!isSqliteError(error) && !isSystem) return error;
  return indexFailed(describeTrouble(error), error);
}

function limitWarnings(warnings: readonly string[]): string[] {
  const unique = [...new Set(warnings)];
  const more = unique.length - MAX_WARNINGS;
  return more <= 0 ? unique : [...unique.slice(0, MAX_WARNINGS), `${more} further warnings.`];
}

const CLOCK_SLACK_MS = 10;

interface TaintedNote {
  readonly path: string;
  readonly hash: string;
}

/** The status time, because a command can set the time of the last change to any value. */
function listChanged({ notes, within }: NoteList, sinceMs: number): TaintedNote[] {
  return notes.flatMap(({ path, file }) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined || stat.ctimeMs < sinceMs - CLOCK_SLACK_MS) return [];
    const reading = readNote({ path, file, within });
    return reading.kind === "content" ? [{ path, hash: reading.content.hash }] : [];
  });
}

function writeTainted(
  writer: Database,
  { notes, source }: { readonly notes: readonly TaintedNote[]; readonly source: string },
): void {
  const statement = writer.statement("INSERT OR REPLACE INTO notes.tainted VALUES (?, ?, ?)");
  for (const { path, hash } of notes) statement.run(path, hash, source);
}

function readTainted(
  reader: Database,
  { path, hash }: { readonly path: string; readonly hash?: string | undefined },
): string | undefined {
  const row = reader
    .statement("SELECT source FROM notes.tainted WHERE path = ? AND hash = coalesce(?, hash)")
    .get(path, hash ?? null);
  return row === undefined ? undefined : textOf(row, "source");
}
