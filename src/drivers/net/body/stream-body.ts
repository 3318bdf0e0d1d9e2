// A body as it comes, up to a limit beyond which it is an error.

import { bodyTooLarge } from "../errors/failures.js";
import { toNetError } from "../errors/to-net-error.js";
import type { BodySource } from "./body-source.js";

export interface BodyStream {
  readonly source: BodySource;
  readonly host: string;
  readonly maxBytes: number;
  /** Called once, however it ends. */
  readonly onEnd: () => void;
}

export async function* streamBody(request: BodyStream): AsyncGenerator<Uint8Array> {
  const { source, host, maxBytes, onEnd } = request;
  let bytes = 0;
  try {
    for await (const chunk of pull(source)) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw bodyTooLarge(host, maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw toNetError(error, host);
  } finally {
    source.cancel();
    onEnd();
  }
}

/** The source waits while the last piece is being looked at. */
async function* pull(source: BodySource): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let end: { readonly error?: unknown } | undefined;
  let wake = (): void => undefined;

  source.read({
    data(chunk) {
      chunks.push(chunk);
      source.pause();
      wake();
    },
    end() {
      end = {};
      wake();
    },
    fail(error) {
      end = { error };
      wake();
    },
  });
  for (;;) {
    const chunk = chunks.shift();
    if (chunk) {
      yield chunk;
    } else if (end) {
      if ("error" in end) throw end.error;
      return;
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
        source.resume();
      });
    }
  }
}
