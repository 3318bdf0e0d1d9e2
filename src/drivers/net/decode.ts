// A body without its content encoding, piece by piece, so that a small one cannot become a huge one
// before anybody has counted.
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { bodyTooLarge, encodingUnknown } from "./errors.js";

const CHUNK_BYTES = 64 * 1024;
/** What may be read of an encoded body beyond the limit of the decoded one. */
const SPARE_BYTES = 64 * 1024;

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", () => createGunzip({ chunkSize: CHUNK_BYTES })],
  ["x-gzip", () => createGunzip({ chunkSize: CHUNK_BYTES })],
  ["br", () => createBrotliDecompress({ chunkSize: CHUNK_BYTES })],
  ["deflate", () => createInflate({ chunkSize: CHUNK_BYTES })],
]);

interface EncodedBody {
  readonly source: BodySource;
  readonly encoding: string | undefined;
  readonly host: string;
  readonly maxBytes: number;
}

export function decodeBody(body: EncodedBody): BodySource {
  const name = body.encoding?.trim().toLowerCase() ?? "";
  if (name === "" || name === "identity") return body.source;
  const create = DECODERS.get(name);
  if (!create) throw encodingUnknown(body.host);
  const decoder = create();
  return {
    read(reader) {
      hear(decoder, reader);
      feed(decoder, body);
    },
    pause: () => decoder.pause(),
    resume: () => decoder.resume(),
    cancel() {
      decoder.destroy();
      body.source.cancel();
    },
  };
}

function hear(decoder: Transform, reader: BodyReader): void {
  decoder.on("data", (chunk: Uint8Array) => reader.data(chunk));
  decoder.once("end", () => reader.end());
  // It stays: what is ended early may fail afterwards.
  decoder.on("error", (error) => reader.fail(error));
}

function feed(decoder: Transform, { source, host, maxBytes }: EncodedBody): void {
  let readBytes = 0;
  decoder.on("drain", () => source.resume());
  decoder.once("close", () => source.cancel());
  source.read({
    data(chunk) {
      readBytes += chunk.length;
      if (readBytes > maxBytes + SPARE_BYTES) decoder.destroy(bodyTooLarge(host, maxBytes));
      else if (!decoder.write(chunk)) source.pause();
    },
    end: () => (readBytes === 0 ? endEmpty(decoder) : decoder.end()),
    fail: (error) => decoder.destroy(error instanceof Error ? error : new Error(String(error))),
  });
}

/** Nothing at all is not a valid archive, but servers send it for an empty body. */
function endEmpty(decoder: Transform): void {
  decoder.once("end", () => decoder.destroy());
  decoder.push(null);
}

export interface BodyReader {
  data(chunk: Uint8Array): void;
  end(): void;
  fail(error: unknown): void;
}

export interface BodySource {
  read(reader: BodyReader): void;
  pause(): void;
  resume(): void;
  cancel(): void;
}
