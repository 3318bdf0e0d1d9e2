// The certificate of the gateway: the files of the config, or one of our own making in the state
// folder.

import { X509Certificate } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import type { ClawtoolsConfig } from "../../config/index.js";
import { type Clock, ToolError, ToolInputError } from "../../core/index.js";
import { errnoOf } from "../../lib/errno.js";
import { makeFolder } from "../../lib/make-folder.js";
import { makeCertificate } from "./certificate.js";
import { listAddresses, type TlsKeys } from "./listen.js";

const FOLDER = "tls";
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const RENEW_BEFORE_MS = 30 * 24 * 60 * 60_000;

/** undefined when TLS is off. */
export async function readTlsKeys(request: {
  readonly config: ClawtoolsConfig;
  readonly stateDir: string;
  readonly clock: Clock;
}): Promise<TlsKeys | undefined> {
  const { enabled, certPath, keyPath, caPath } = request.config.gateway?.tls ?? {};
  if (enabled !== true) return undefined;
  if (certPath !== undefined && keyPath !== undefined) {
    const [cert, key] = await Promise.all([read(certPath), read(keyPath)]);
    const keys = { cert, key, ...(caPath === undefined ? {} : { ca: await read(caPath) }) };
    assertFit(keys);
    return keys;
  }
  const folder = join(request.stateDir, FOLDER);
  const own = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  const now = request.clock.now();
  const kept = await readKept(own, now);
  if (kept) return kept;
  const made = makeCertificate({
    names: ["localhost", hostname(), `${hostname()}.local`],
    addresses: ["127.0.0.1", ...listAddresses()],
    nowMs: now,
  });
  await makeFolder(folder, FOLDER_MODE);
  await writeFile(own.key, made.key, { mode: FILE_MODE });
  await writeFile(own.cert, made.cert, { mode: FILE_MODE });
  return made;
}

async function readKept(
  own: { readonly cert: string; readonly key: string },
  nowMs: number,
): Promise<TlsKeys | undefined> {
  try {
    const [cert, key] = await Promise.all([readFile(own.cert, "utf8"), readFile(own.key, "utf8")]);
    const isFresh = Date.parse(new X509Certificate(cert).validTo) - nowMs > RENEW_BEFORE_MS;
    return isFresh ? { cert, key } : undefined;
  } catch {
    // Missing or damaged: a new one is made.
    return undefined;
  }
}

function assertFit(keys: TlsKeys): void {
  try {
    createSecureContext(keys);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolInputError(
      `gateway.tls names files that are not a certificate and its key: ${why}`,
      { reason: "tls_unusable", cause },
    );
  }
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new ToolError(
      "unavailable",
      `Cannot read "${path}" (${errnoOf(cause)}). Check gateway.tls.`,
      {
        reason: "tls_unreadable",
        cause,
      },
    );
  }
}
