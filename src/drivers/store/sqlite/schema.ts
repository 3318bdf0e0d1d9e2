// The tables, as steps from version to version. A step that was published is never changed; the
// next version is a further step.

/** Marks the file as ours: "claw" in ASCII. */
export const APPLICATION_ID = 0x636c6177;

/** Bits of a log id for the sequence number; the bits above are the stream. */
export const SEQUENCE_BITS = 40;

/**
 * The id of a log record is its stream and its sequence number in one: the records of a stream lie
 * side by side, and an append touches one page. `trimmed` of a stream is the last sequence number
 * that was removed; when records are left, the newest of them is the last.
 */
const VERSION_1 = `
CREATE TABLE state.migrations (
  version INTEGER PRIMARY KEY,
  applied_at_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE state.counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO state.counters (name, value) VALUES ('revision', 0);
CREATE TABLE state.kv (
  id INTEGER PRIMARY KEY,
  space TEXT NOT NULL,
  key TEXT NOT NULL,
  revision INTEGER NOT NULL,
  expires_at_ms INTEGER,
  value TEXT NOT NULL,
  UNIQUE (space, key)
) STRICT;
CREATE INDEX state.kv_expiry ON kv (expires_at_ms) WHERE expires_at_ms IS NOT NULL;
CREATE TABLE state.streams (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  trimmed INTEGER NOT NULL
) STRICT;
CREATE TABLE state.log (
  id INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  value TEXT NOT NULL
) STRICT;
CREATE TABLE state.leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  token INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE state.queue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  queue TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  held INTEGER NOT NULL,
  pushed_at_ms INTEGER NOT NULL,
  visible_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER,
  value TEXT NOT NULL
) STRICT;
CREATE INDEX state.queue_order ON queue (queue, visible_at_ms, id);
CREATE INDEX state.queue_expiry ON queue (expires_at_ms) WHERE expires_at_ms IS NOT NULL;
`;

/** The step at index n leads from version n to n + 1. */
export const MIGRATIONS: readonly string[] = [VERSION_1];
