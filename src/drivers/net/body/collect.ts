// The whole of a body, up to a limit.

import { isToolError } from "../../../core/index.js";
import type { BodySource } from "./body-source.js";

export interface Collected {
  readonly body: Uint8Array;
  readonly isCut: boolean;
}

/** Ends the source when the limit is passed. Rejects with whatever the source fails with. */
export function collect(source: BodySource, maxBytes: number): Promise<Collected> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const cut = () => resolve({ body: join(chunks).subarray(0, maxBytes), isCut: true });

    source.read({
      data(chunk) {
        if (bytes > maxBytes) return;
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes <= maxBytes) return;
        cut();
        source.cancel();
      },
      end: () => resolve({ body: join(chunks), isCut: false }),
      fail: (error) => (isOverLimit(error) ? cut() : reject(error)),
    });
  });
}

function join(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks);
}

function isOverLimit(error: unknown): boolean {
  return isToolError(error) && error.reason === "body_too_large";
}
