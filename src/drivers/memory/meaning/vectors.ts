// The vectors of the pieces: kept in the index by the hash of their text, so that a text is sent once,
// and held in memory as one block while the index does not change.

import { createHash } from "node:crypto";
import type { Database } from "../index-file/database.js";
import { bytesOf, numberOf, textOf } from "../index-file/row.js";
import type { Found } from "../search/candidate.js";
import type { Pace } from "../sync/pace.js";
import type { Embedder } from "./embedder.js";

const BATCH_TEXTS = 64;
const BATCH_CHARS = 32_000;
const FLOAT_BYTES = 4;

interface Piece {
  readonly id: number;
  readonly heading: string;
  readonly text: string;
}

export interface EmbedWork {
  readonly writer: Database;
  readonly embedder: Embedder;
  readonly pace: Pace;
  readonly signal: AbortSignal;
}

/** Gives every piece without a vector one. Rejects as the embedder does; what came before stays. */
export async function embedPieces(work: EmbedWork): Promise<number> {
  const { writer, embedder, signal } = work;
  await hashPieces(work);
  let count = 0;
  for (;;) {
    const batch = readBatch(writer, embedder.model);
    if (batch.length === 0) return count;
    const texts = batch.map(toText);
    const vectors = await embedder.embed({ texts, role: "document", signal });
    writer.begin();
    try {
      for (const [index, vector] of vectors.entries()) {
        const hash = hashOf(texts[index] ?? "");
        const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
        writer
          .statement("INSERT OR REPLACE INTO notes.vectors (hash, model, vector) VALUES (?, ?, ?)")
          .run(hash, embedder.model, bytes);
      }
      writer.commit();
    } finally {
      writer.rollback();
    }
    count += batch.length;
  }
}

async function hashPieces({ writer, pace }: EmbedWork): Promise<void> {
  const rows = writer
    .statement("SELECT id, heading, text FROM notes.chunks WHERE hash IS NULL")
    .all();
  if (rows.length === 0) return;
  writer.begin();
  try {
    for (const piece of rows.map(toPiece)) {
      writer
        .statement("UPDATE notes.chunks SET hash = ? WHERE id = ?")
        .run(hashOf(toText(piece)), piece.id);
      if (pace.isDue()) await pace.pause();
    }
    writer.commit();
  } finally {
    writer.rollback();
  }
}

const WITHOUT_VECTOR = `
  FROM notes.chunks
  WHERE hash IS NULL OR NOT EXISTS
    (SELECT 1 FROM notes.vectors WHERE vectors.hash = chunks.hash AND vectors.model = ?)`;

function readBatch(database: Database, model: string): Piece[] {
  const rows = database
    .statement(`SELECT id, heading, text ${WITHOUT_VECTOR} ORDER BY id LIMIT ?`)
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

/** The pieces most like the query, by the product of their vectors. */
export function findNearest(
  { ids, values, length }: VectorBlock,
  { query, limit }: { readonly query: Float32Array; readonly limit: number },
): Found[] {
  if (query.length !== length) return [];
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
