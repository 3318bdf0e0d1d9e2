// The tables of the index. All but "vectors" and "tainted" can be rebuilt from the notes, so an index
// of another version is dropped and rebuilt.

/** Of the tables and of the rules by which text becomes words; a change makes every index again. */
export const INDEX_VERSION = 3;

/** Marks the file as ours: "clwn". */
export const APPLICATION_ID = 0x636c776e;

const TOKENIZER = "porter unicode61 remove_diacritics 2";

/** Headings and paths say in few words what a note is about. */
const RANK = "bm25(2.0, 1.5, 1.0)";

export const SCHEMA = `
  PRAGMA notes.application_id = ${APPLICATION_ID};
  CREATE TABLE IF NOT EXISTS notes.meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS notes.files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    mtime_ms REAL NOT NULL,
    bytes INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    checked_ms REAL NOT NULL,
    hash TEXT NOT NULL,
    chunk_count INTEGER NOT NULL,
    warning TEXT
  );
  CREATE TABLE IF NOT EXISTS notes.chunks (
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL,
    start_line INTEGER NOT NULL,
    start_char INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    heading TEXT NOT NULL,
    text TEXT NOT NULL,
    hash TEXT
  );
  CREATE INDEX IF NOT EXISTS notes.chunks_file ON chunks (file);
  CREATE TABLE IF NOT EXISTS notes.vectors (
    hash TEXT NOT NULL,
    model TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (hash, model)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS notes.words (word TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS notes.tainted (
    path TEXT PRIMARY KEY,
    hash TEXT NOT NULL,
    source TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE VIRTUAL TABLE IF NOT EXISTS notes.fts USING fts5 (
    heading, path, body, content = '', contentless_delete = 1, tokenize = '${TOKENIZER}'
  );
  INSERT INTO notes.fts (fts, rank) VALUES ('rank', '${RANK}');
`;

/** Made again for each connection, in its own memory. */
export const OWN_TABLES = `
  CREATE VIRTUAL TABLE main.stem USING fts5 (word, content = '', tokenize = '${TOKENIZER}');
  CREATE VIRTUAL TABLE temp.stem_at USING fts5vocab ('main', 'stem', 'instance');
  CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab ('notes', 'fts', 'row');
`;

export const EMPTY = `
  DELETE FROM notes.chunks;
  DELETE FROM notes.files;
  DELETE FROM notes.words;
  INSERT INTO notes.fts (fts) VALUES ('delete-all');
`;
