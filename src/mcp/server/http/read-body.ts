// The body of a request, never more of it than a message may have.

import type { IncomingMessage } from "node:http";
import { decodeText, MAX_MESSAGE_BYTES, noText, tooLarge } from "../protocol/parse-json.js";

/**
 * Throws an RpcError when it is no text or too large, told before it is read where it says so
 * itself. `onWanted` is called when it is going to be read.
 */
export async function readBody(request: IncomingMessage, onWanted: () => void): Promise<string> {
  const told = Number(request.headers["content-length"] ?? 0);
  if (told > MAX_MESSAGE_BYTES) throw tooLarge();
  onWanted();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += part.length;
    if (bytes > MAX_MESSAGE_BYTES) throw tooLarge();
    chunks.push(part);
  }
  const text = decodeText(Buffer.concat(chunks));
  if (text === undefined) throw noText();
  return text;
}
