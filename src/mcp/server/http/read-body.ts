// The body of a request, never more of it than a message may have.

import type { IncomingMessage } from "node:http";
import { MAX_MESSAGE_BYTES, tooLarge } from "../protocol/parse-json.js";

/** Throws an RpcError when it is too large, told before it is read where it says so itself. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const told = Number(request.headers["content-length"] ?? 0);
  if (told > MAX_MESSAGE_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += part.length;
    if (bytes > MAX_MESSAGE_BYTES) throw tooLarge();
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString("utf8");
}
