// Append-only logs in SQLite.

import type { LogPage, LogRecord, LogStore } from "../../../../core/index.js";
import { jsonOf, numberOf } from "../../../sqlite.js";
import {
  type ReadAppend,
  type ReadTrim,
  readAppend,
  readLogPage,
  readTrim,
} from "../../input/read-requests.js";
import { sequenceMismatch } from "../../refusals.js";
import { type Database, SEQUENCE_BITS } from "../database.js";
import type { Access, Now } from "../sqlite-errors.js";
import { fillPage } from "./kv.js";

/** Of one transaction of a trim: the event loop stops that long. */
const MAX_TRIM_RECORDS = 2_000;

// Numbers of more than 31 bits come as REAL from JavaScript, and REAL has 53 bits only.
const id = (stream: string, sequence: string) =>
  `((${stream} << ${SEQUENCE_BITS}) + CAST(${sequence} AS INTEGER))`;
const SEQUENCE = `(id & ((1 << ${SEQUENCE_BITS}) - 1))`;
/** Between two ids, each of them one bound: with two of a kind the search may begin at the wrong one. */
const between = (after: string, before: string) => `id > ${after} AND id < ${before}`;
const FRONT = id("?1", "0");
const END = id("(?1 + 1)", "0");
const OF_STREAM = between(FRONT, END);
const FIND_STREAM = "SELECT id AS stream FROM state.streams WHERE name = ?";
const HEAD = `SELECT id AS stream, coalesce(
    (SELECT ${SEQUENCE} FROM state.log
      WHERE ${between(id("streams.id", "0"), id("(streams.id + 1)", "0"))}
      ORDER BY id DESC LIMIT 1),
    trimmed) AS last
  FROM state.streams WHERE name = ?`;
const ADD_STREAM = "INSERT INTO state.streams (name, trimmed) VALUES (?, 0) RETURNING id AS stream";
/** Behind the last record of a stream that is there. */
const APPEND_NEXT = `INSERT INTO state.log (id, at_ms, value) VALUES (
  (SELECT coalesce(
      max(id), ${id("?1", "(SELECT trimmed FROM state.streams WHERE streams.id = ?1)")}) + 1
    FROM state.log WHERE ${OF_STREAM}),
  ?2, ?3)`;
const APPEND = `INSERT INTO state.log (id, at_ms, value) VALUES (${id("?1", "?2")}, ?3, ?4)`;
const RECORD = `SELECT ${SEQUENCE} AS sequence, at_ms, value FROM state.log`;
const READ = `${RECORD} WHERE ${between(id("?1", "?2"), END)} ORDER BY id LIMIT ?3`;
const READ_LAST = `${RECORD} WHERE ${between(FRONT, id("?1", "?2"))} ORDER BY id DESC LIMIT ?3`;
const FIRST_YOUNG = `SELECT ${SEQUENCE} AS sequence FROM state.log
  WHERE ${OF_STREAM} AND at_ms >= ?2 ORDER BY id LIMIT 1`;
const OLDEST = `SELECT ${SEQUENCE} AS sequence FROM state.log WHERE ${OF_STREAM} ORDER BY id LIMIT 1`;
const REMOVE = `DELETE FROM state.log WHERE ${between(FRONT, id("?1", "?2 + 1"))}`;
const NOTE_TRIM = "UPDATE state.streams SET trimmed = max(trimmed, ?) WHERE id = ?";
/** Behind every sequence number there can be. */
const BEYOND = 2 ** SEQUENCE_BITS;
/** Streams whose ids are remembered. */
const MAX_KNOWN_STREAMS = 1_000;

interface Head {
  readonly stream: number;
  /** 0 when nothing was ever appended. */
  readonly last: number;
}

export function createLog({ read, write, writeInParts, now }: Access): LogStore {
  return {
    async append(request) {
      const append = readAppend(request);
      return write((database) => appendRecords(database, { ...append, ...now() }), {
        ...request,
        bytes: append.bytes,
        isSelfContained: true,
      });
    },
    async read({ stream, after, limit }) {
      const page = readLogPage({ stream, from: after, limit });
      return read((database) => readRecords(database, { ...page, order: "oldest" }));
    },
    async readLast({ stream, before, limit }) {
      const page = readLogPage({ stream, from: before, limit });
      return read((database) => readRecords(database, { ...page, order: "newest" }));
    },
    async trim(request) {
      const trim = readTrim(request);
      return writeInParts((database) => trimRecords(database, { ...trim, ...now() }), request);
    },
  };
}

export function appendRecords(database: Database, append: ReadAppend & Now) {
  const sequence = appendNext(database, append);
  if (sequence !== undefined) return { firstSequence: sequence, lastSequence: sequence };
  return database.transact(() => appendBehindHead(database, append));
}

/**
 * The most frequent append by far in one statement, which is a transaction of its own when none is
 * under way. undefined: it is another one, and nothing was done.
 */
function appendNext(database: Database, append: ReadAppend & Now): number | undefined {
  const stream = database.streamIds.get(append.stream);
  const [value] = append.values;
  if (stream === undefined || value === undefined || !isSingle(append)) return undefined;
  const { lastInsertRowid } = database.statement(APPEND_NEXT).run(stream, append.nowMs, value.text);
  return Number(BigInt.asUintN(SEQUENCE_BITS, BigInt(lastInsertRowid)));
}

function isSingle({ values, expectLast }: ReadAppend): boolean {
  return values.length === 1 && expectLast === undefined;
}

function appendBehindHead(database: Database, append: ReadAppend & Now) {
  const head = readHead(database, append.stream);
  const last = head?.last ?? 0;
  if (append.expectLast !== undefined && append.expectLast !== last) {
    throw sequenceMismatch({ stream: append.stream, expected: append.expectLast, last });
  }
  const stream = head?.stream ?? addStream(database, append.stream);
  if (database.streamIds.size >= MAX_KNOWN_STREAMS) database.streamIds.clear();
  database.streamIds.set(append.stream, stream);
  const insert = database.statement(APPEND);
  for (const [index, value] of append.values.entries()) {
    insert.run(stream, last + 1 + index, append.nowMs, value.text);
  }
  return { firstSequence: last + 1, lastSequence: last + append.values.length };
}

interface ReadLogPage {
  readonly stream: string;
  readonly from: number | undefined;
  readonly limit: number;
  readonly order: "oldest" | "newest";
}

function readRecords(database: Database, request: ReadLogPage): LogPage {
  const { stream, from, limit, order } = request;
  const found = database.statement(FIND_STREAM).get(stream);
  if (found === undefined) return { records: [], next: undefined };
  const streamId = numberOf(found, "stream");
  const rows =
    order === "oldest"
      ? database.statement(READ).iterate(streamId, Math.min(from ?? 0, BEYOND), limit + 1)
      : database
          .statement(READ_LAST)
          .iterate(streamId, Math.min(from ?? BEYOND, BEYOND), limit + 1);
  const { entries, hasMore } = fillPage(rows, { limit, toEntry: toRecord });
  return { records: entries, next: hasMore ? entries.at(-1)?.sequence : undefined };
}

/** Removes a part of what the bounds cover; 0 when nothing of it is left. */
function trimRecords(database: Database, trim: ReadTrim & Now): number {
  const head = readHead(database, trim.stream);
  if (head === undefined) return 0;
  const oldest = database.statement(OLDEST).get(head.stream);
  if (oldest === undefined) return 0;
  const first = numberOf(oldest, "sequence");
  const through = Math.min(findBound(database, { trim, head }), first - 1 + MAX_TRIM_RECORDS);
  if (through < first) return 0;
  const { changes } = database.statement(REMOVE).run(head.stream, through);
  database.statement(NOTE_TRIM).run(through, head.stream);
  return Number(changes);
}

/** The last sequence number that is to go. */
function findBound(
  database: Database,
  { trim, head }: { readonly trim: ReadTrim & Now; readonly head: Head },
): number {
  const { through = 0, keepLast, maxAgeMs, nowMs } = trim;
  const byCount = keepLast === undefined ? 0 : head.last - keepLast;
  const byAge =
    maxAgeMs === undefined ? 0 : findAgeBound(database, { head, beforeMs: nowMs - maxAgeMs });
  return Math.min(head.last, Math.max(through, byCount, byAge));
}

function findAgeBound(
  database: Database,
  { head, beforeMs }: { readonly head: Head; readonly beforeMs: number },
): number {
  const row = database.statement(FIRST_YOUNG).get(head.stream, beforeMs);
  return row === undefined ? head.last : numberOf(row, "sequence") - 1;
}

function readHead(database: Database, name: string): Head | undefined {
  const row = database.statement(HEAD).get(name);
  if (row === undefined) return undefined;
  return { stream: numberOf(row, "stream"), last: numberOf(row, "last") };
}

function addStream(database: Database, name: string): number {
  return numberOf(database.statement(ADD_STREAM).get(name), "stream");
}

function toRecord(row: unknown): LogRecord {
  return {
    sequence: numberOf(row, "sequence"),
    value: jsonOf(row, "value"),
    atMs: numberOf(row, "at_ms"),
  };
}
