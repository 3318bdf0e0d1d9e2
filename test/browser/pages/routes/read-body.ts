// The whole body of a request, up to what a test would ever send.
import type { IncomingMessage } from "node:http";

const MAX_BODY_BYTES = 64 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    const buffer = Buffer.from(part);
    bytes += buffer.length;
    if (bytes > MAX_BODY_BYTES) throw new Error("The body is larger than any test sends.");
    parts.push(buffer);
  }
  return Buffer.concat(parts);
}
