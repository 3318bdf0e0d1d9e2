// A body that is on its way: pieces are handed to one reader as they come.

export interface BodyReader {
  data(chunk: Uint8Array): void;
  end(): void;
  /** Instead of `end`. */
  fail(error: unknown): void;
}

export interface BodySource {
  /** To be called once. What has come before is handed over at once. */
  read(reader: BodyReader): void;
  pause(): void;
  resume(): void;
  /** Ends it early; nothing that comes afterwards counts. */
  cancel(): void;
}
