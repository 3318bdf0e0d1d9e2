// Connected pairs of sockets: one end is a command's output, the other is read here into a buffer
// that is used again and again, so that a gigabyte of output costs no more memory than a line.
// Pairs are made ahead, a few at a time, because making one takes turns of the event loop.

import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { lazy } from "../../../lib/lazy.js";
import {
  makePrivateFolder,
  PRIVATE_NAMES,
  removeLeftFolders,
  removePrivateFolder,
} from "./private-folder.js";

const BUFFER_BYTES = 64 * 1_024;
const PAIRS_PER_BATCH = 16;
const MIN_READY_PAIRS = 6;

export interface StreamPair {
  /** To be read; what comes goes to the function given to `read`. */
  readonly near: Socket;
  /** For the command; the caller destroys its own copy once the command has it. */
  readonly far: Socket;
  /** `onBytes` answers false to pause; `near.resume()` goes on. The bytes are lent for the call. */
  read(onBytes: (bytes: Uint8Array) => boolean): void;
}

export interface StreamPairs {
  take(): Promise<StreamPair>;
  /** Makes some ahead when few are left; for a moment when this process waits for a command. */
  makeAhead(): void;
  close(): void;
}

export function createStreamPairs(): StreamPairs {
  const ready: StreamPair[] = [];
  /** Bytes are copied by whoever gets them before the next are read, so one buffer serves all. */
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let filling: Promise<void> | undefined;
  let isClosed = false;
  // Nobody waits for it, and what cannot be removed may be somebody else's.
  const tidyUp = lazy(() => removeLeftFolders().catch(() => undefined));

  function fill(): Promise<void> {
    filling ??= makeBatch(buffer)
      .then((pairs) => {
        if (isClosed) for (const pair of pairs) discard(pair);
        else ready.push(...pairs);
      })
      .finally(() => {
        filling = undefined;
      });
    return filling;
  }

  return {
    async take() {
      let pair = ready.shift();
      while (pair === undefined) {
        await fill();
        pair = ready.shift();
      }
      return pair;
    },
    makeAhead() {
      void tidyUp();
      // Its own failure is told to the next one who finds nothing ready.
      if (ready.length < MIN_READY_PAIRS && !isClosed) void fill().catch(() => undefined);
    },
    close() {
      isClosed = true;
      for (const pair of ready.splice(0)) discard(pair);
    },
  };
}

function discard({ near, far }: StreamPair): void {
  near.destroy();
  far.destroy();
}

/** The listener lives for this batch only, in a folder that nobody else can enter. */
async function makeBatch(buffer: Buffer): Promise<StreamPair[]> {
  const folder = makePrivateFolder();
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true });
  try {
    const path = join(folder, PRIVATE_NAMES.socket);
    server.listen(path);
    await once(server, "listening");
    const pairs: StreamPair[] = [];
    for (let count = 0; count < PAIRS_PER_BATCH; count++) {
      pairs.push(await makePair({ server, path, buffer }));
    }
    return pairs;
  } finally {
    server.close();
    removePrivateFolder(folder);
  }
}

interface PairRequest {
  readonly server: Server;
  readonly path: string;
  readonly buffer: Buffer;
}

async function makePair({ server, path, buffer }: PairRequest): Promise<StreamPair> {
  let onBytes: (bytes: Uint8Array) => boolean = () => true;
  const near = connect({
    path,
    onread: { buffer, callback: (count, bytes) => onBytes(bytes.subarray(0, count)) },
  });
  // An end that goes away is told by "close"; there is nothing else to say of it.
  near.on("error", () => undefined);
  const [[far]] = await Promise.all([once(server, "connection"), once(near, "connect")]);
  near.unref();
  far.on("error", () => undefined);
  far.unref();
  return {
    near,
    far,
    read(listener) {
      onBytes = listener;
      near.ref();
    },
  };
}
