// The vectors of the pieces: kept in the index by the hash of their text, so that a text is sent once,
// and held in memory as one block while the index does not change.

import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { bytesOf, numberOf, textOf } from "../../sqlite.js";
import { type Database, retryWhileBusy } from "../index-file/database.js";
import type { Found } from "../search/rank.js";
import type { Embedder } from "./embedder.js";

const BATCH_TEXTS = 64;
const BATCH_CHARS = 32_000;
const FLOAT_BYTES = 4;
const HASHED_AT_ONCE = 500;
const KEPT_SHARE = 2;
const MIN_KEPT_VECTORS = 1_000;

interface Piece {
  readonly id: number;
  readonly heading: string;
  readonly text: string;
}

export interface WriterTurn {
  isTaken(): boolean;
  wait(): Promise<void>;
}

export interface EmbedWork {
  readonly writer: Database;
  readonly turn: WriterTurn;
  readonly embedder: Embedder;
  readonly signal: AbortSignal;
}

export async function embedPieces(work: EmbedWork): Promise<void> {
  const { writer, embedder, signal } = work;
  for (;;) {
    while ((await hashPieces(work)) > 0) signal.throwIfAborted();
    const batch = readBatch(writer, embedder.model);
    if (batch.length === 0) break;
    const texts = batch.map(toText);
    const vectors = await embedder.embed({ texts, role: "document", signal });
    await writeAtOnce(work, () => {
      for (const [index, vector] of vectors.entries()) {
        const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
        writer
          .statement("INSERT OR REPLACE INTO notes.vectors (hash, model, vector) VALUES (?, ?, ?)")
          .run(hashOf(texts[index] ?? ""), embedder.model, bytes);
      }
    });
  }
  await dropUnused(work);
}

/** How many were hashed: at most one part of them, so that others get their turn. */
async function hashPieces(work: EmbedWork): Promise<number> {
  let count = 0;
  await writeAtOnce(work, () => {
    const rows = work.writer
      .statement("SELECT id, heading, text FROM notes.chunks WHERE hash IS NULL LIMIT ?")
      .all(HASHED_AT_ONCE);
    for (const piece of rows.map(toPiece)) {
      work.writer
        .statement("UPDATE notes.chunks SET hash = ? WHERE id = ?")
        .run(hashOf(toText(piece)), piece.id);
    }
    count = rows.length;
  });
  return count;
}

async function dropUnused(work: EmbedWork): Promise<void> {
  const { writer } = work;
  const countOf = (table: string) =>
    numberOf(writer.statement(`SELECT count(*) AS count FROM notes.${table}`).get(), "count");
  if (countOf("vectors") <= Math.max(MIN_KEPT_VECTORS, countOf("chunks") * KEPT_SHARE)) return;
  await writeAtOnce(work, () => {
    writer
      .statement(
        `DELETE FROM notes.vectors
         WHERE hash NOT IN (SELECT hash FROM notes.chunks WHERE hash IS NOT NULL)`,
      )
      .run();
  });
}

/** One transaction that begins and ends in one turn of the event loop. */
export async function writeAtOnce(
  work: Pick<EmbedWork, "writer" | "turn" | "signal">,
  write: () => void,
): Promise<void> {
  const { writer, turn, signal } = work;
  await retryWhileBusy(async () => {
    while (turn.isTaken()) await turn.wait();
    signal.throwIfAborted();
    writer.begin();
    try {
      write();
      writer.commit();
    } finally {
      writer.rollback();
    }
  }, signal);
  // Others on this thread get their turn.
  await setImmediate();
}

const WITHOUT_VECTOR = `
  FROM notes.chunks
  WHERE NOT EXISTS
    (SELECT 1 FROM notes.vectors WHERE vectors.hash = chunks.hash AND vectors.model = ?)`;

function readBatch(database: Database, model: string): Piece[] {
  const rows = database
    .statement(
      `SELECT id, heading, text ${WITHOUT_VECTOR} AND hash IS NOT NULL ORDER BY id LIMIT ?`,
    )
    .all(model, BATCH_TEXTS);
  let chars = 0;
  return rows.map(toPiece).filter((piece, index) => {
    chars += piece.text.length;
    return index === 0 || chars <= BATCH_CHARS;
  });
}

export function countWithoutVector(database: Database, model: string): number {
  const row = database.statement(`SELECT count(*) AS count ${WITHOUT_VECTOR}`).get(model);
  return numberOf(row, "count");
}

function toPiece(row: unknown): Piece {
  return {
    id: numberOf(row, "id"),
    heading: textOf(row, "heading"),
    text: textOf(row, "text"),
  };
}

function toText({ heading, text }: Piece): string {
  return heading === "" ? text : `${heading}\n${text}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

export interface VectorBlock {
  readonly ids: readonly number[];
  readonly values: Float32Array;
  readonly length: number;
}

export function readVectors(database: Database, model: string): VectorBlock {
  const rows = database
    .statement(
      `SELECT chunks.id AS id, vector FROM notes.chunks
       JOIN notes.vectors ON vectors.hash = chunks.hash AND vectors.model = ?`,
    )
    .all(model);
  const length = rows.length === 0 ? 0 : bytesOf(rows[0], "vector").byteLength / FLOAT_BYTES;
  const values = new Float32Array(rows.length * length);
  const ids = rows.map((row, index) => {
    const bytes = bytesOf(row, "vector");
    // A copy: what SQLite gives need not begin at a multiple of four.
    const vector = new Float32Array(Uint8Array.from(bytes).buffer);
    values.set(vector.subarray(0, length), index * length);
    return numberOf(row, "id");
  });
  return { ids, values, length };
}

export function findNearest(
  { ids, values, length }: VectorBlock,
  { query, limit }: { readonly query: Float32Array; readonly limit: number },
): Found[] {
  const found = ids.map((id, row) => {
    let relevance = 0;
    const start = row * length;
    for (let index = 0; index < length; index++) {
      relevance += (query[index] ?? 0) * (values[start + index] ?? 0);
    }
    return { id, relevance };
  });
  return found.sort((one, other) => other.relevance - one.relevance).slice(0, limit);
}
