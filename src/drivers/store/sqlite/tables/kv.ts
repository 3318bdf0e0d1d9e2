// Keyed values in SQLite.
import type { KvEntry, KvPage, KvStore } from "../../../../core/index.js";
import { readNumber } from "../../../../lib/read-field.js";
import { jsonOf, numberOf, textOf } from "../../../sqlite.js";
import {
  type ReadDelete,
  type ReadList,
  type ReadPut,
  readDelete,
  readList,
  readPlace,
  readPut,
} from "../../input/read-requests.js";
import { MAX_PAGE_BYTES, revisionMismatch } from "../../refusals.js";
import type { Database } from "../database.js";
import type { Access, Now } from "../sqlite-errors.js";

const LAST_CODE_POINT = 0x10ffff;
const FIRST_SURROGATE = 0xd800;
const AFTER_SURROGATES = 0xe000;
const COLUMNS = "key, revision, expires_at_ms, value";
const ALIVE = "(expires_at_ms IS NULL OR expires_at_ms > ?)";
const GET = `SELECT ${COLUMNS} FROM state.kv WHERE space = ? AND key = ? AND ${ALIVE}`;
const GET_REVISION = `SELECT revision FROM state.kv WHERE space = ? AND key = ? AND ${ALIVE}`;

const PUT = `INSERT INTO state.kv (space, key, revision, expires_at_ms, value) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (space, key) DO UPDATE SET
    revision = excluded.revision, expires_at_ms = excluded.expires_at_ms, value = excluded.value`;

const DELETE = "DELETE FROM state.kv WHERE space = ? AND key = ?";

/** From a prefix on and behind a key; one bound, so that the index is entered at the right place. */
const LIST_FROM = `SELECT ${COLUMNS} FROM state.kv
  WHERE space = ?1 AND key >= max(?2, ?3) AND key IS NOT ?3
  AND (expires_at_ms IS NULL OR expires_at_ms > ?4)`;

const LIST = `${LIST_FROM} ORDER BY key LIMIT ?5`;
const LIST_BEFORE = `${LIST_FROM} AND key < ?6 ORDER BY key LIMIT ?5`;

export function createKv({ read, write, now }: Access): KvStore {
  return {
    async get(place) {
      const target = readPlace(place);
      return read((database) => getEntry(database, { ...target, ...now() }));
    },
    async put(request) {
      const put = readPut(request);
      const { bytes } = put.value;
      return write((database) => putEntry(database, { ...put, ...now() }), { ...request, bytes });
    },
    async delete(request) {
      const target = readDelete(request);
      return write((database) => deleteEntry(database, { ...target, ...now() }), request);
    },
    async list(request) {
      const list = readList(request);
      return read((database) => listEntries(database, { ...list, ...now() }));
    },
  };
}

function getEntry(
  database: Database,
  { space, key, nowMs }: { readonly space: string; readonly key: string } & Now,
): KvEntry | undefined {
  const row = database.statement(GET).get(space, key, nowMs);
  return row === undefined ? undefined : toEntry(row);
}

/** `revision` may have been taken from the counter already. */
export function putEntry(
  database: Database,
  put: ReadPut & Now & { readonly revision?: number | undefined },
): { readonly revision: number } {
  if (put.expectRevision !== undefined) assertRevision(database, put);
  const { space, key, nowMs, ttlMs, value } = put;
  const revision = put.revision ?? nextNumber(database);
  const expiresAtMs = ttlMs === undefined ? null : nowMs + ttlMs;
  database.statement(PUT).run(space, key, revision, expiresAtMs, value.text);
  return { revision };
}

export function deleteEntry(database: Database, target: ReadDelete & Now): boolean {
  const revision = assertRevision(database, target);
  database.statement(DELETE).run(target.space, target.key);
  return revision !== 0;
}

export function checkEntry(database: Database, place: ReadDelete & Now): void {
  assertRevision(database, place);
}

function listEntries(database: Database, request: ReadList & Now): KvPage {
  const { space, prefix, after, limit, nowMs } = request;
  const end = prefixEnd(prefix);
  const values = [space, prefix, after ?? "", nowMs, limit + 1];
  const rows =
    end === undefined
      ? database.statement(LIST).iterate(...values)
      : database.statement(LIST_BEFORE).iterate(...values, end);
  const { entries, hasMore } = fillPage(rows, { limit, toEntry });
  return { entries, next: hasMore ? entries.at(-1)?.key : undefined };
}

/** The revision that is there, 0 for none. */
function assertRevision(database: Database, target: ReadDelete & Now): number {
  const { space, key, nowMs, expectRevision } = target;
  const row = database.statement(GET_REVISION).get(space, key, nowMs);
  const revision = row === undefined ? 0 : numberOf(row, "revision");
  if (expectRevision === undefined || expectRevision === revision) return revision;
  throw revisionMismatch({ key, expected: expectRevision, revision });
}

function toEntry(row: unknown): KvEntry {
  return {
    key: textOf(row, "key"),
    value: jsonOf(row, "value"),
    revision: numberOf(row, "revision"),
    expiresAtMs: readNumber(row, "expires_at_ms"),
  };
}

/** undefined when there is none: the prefix is empty or of last code points only. */
export function prefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last + 1 === FIRST_SURROGATE ? AFTER_SURROGATES : last + 1;
  return String.fromCodePoint(...points, next);
}

/**
 * `rows` holds one more than `limit`, if there is one: then, or when the size is reached, there is a
 * next page.
 */
export function fillPage<Entry>(
  rows: Iterable<unknown>,
  { limit, toEntry }: { readonly limit: number; readonly toEntry: (row: unknown) => Entry },
): { readonly entries: readonly Entry[]; readonly hasMore: boolean } {
  const entries: Entry[] = [];
  let chars = 0;
  for (const row of rows) {
    chars += textOf(row, "value").length;
    const isFull = entries.length === limit || chars > MAX_PAGE_BYTES;
    if (isFull && entries.length > 0) return { entries, hasMore: true };
    entries.push(toEntry(row));
  }
  return { entries, hasMore: false };
}

const READ = "SELECT value FROM state.counters WHERE name = 'revision'";
const SET = "UPDATE state.counters SET value = ? WHERE name = 'revision'";

/**
 * The last of `count` numbers that no one else gets. In a transaction, which keeps all others from
 * writing: then two statements cost a fraction of one that changes a row and gives it back.
 */
export function nextNumber(database: Database, count = 1): number {
  return database.transact(() => {
    const value = numberOf(database.statement(READ).get(), "value") + count;
    database.statement(SET).run(value);
    return value;
  });
}
