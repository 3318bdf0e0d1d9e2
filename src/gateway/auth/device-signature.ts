// Whether a device holds the key that it claims: its id, the freshness of its signature, and the
// signature itself.

import { createHash, createPublicKey, verify } from "node:crypto";
import {
  type ConnectParams,
  type DeviceIdentity,
  toSignedText,
  type WireError,
} from "../../protocol/index.js";

/** DER in front of a raw Ed25519 public key. */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const BASE64URL = /^[A-Za-z0-9_-]+$/;
/** Newer clients sign the time of the challenge; older ones their own clock. */
const MAX_SKEW_MS = { 3: 2 * 60_000, 2: 10 * 60_000 } as const;

export interface Challenge {
  readonly nonce: string;
  readonly ts: number;
}

/** undefined: the device holds its key, and signed exactly this request. */
export function findSignatureFault(
  params: ConnectParams & { readonly device: DeviceIdentity },
  { challenge, nowMs }: { readonly challenge: Challenge; readonly nowMs: number },
): WireError | undefined {
  const { device } = params;
  const key = decode(device.publicKey, KEY_BYTES);
  if (key === undefined) return FAULTS.key;
  if (createHash("sha256").update(key).digest("hex") !== device.id) return FAULTS.id;
  if (device.nonce === undefined || device.nonce === "") return FAULTS.noNonce;
  if (device.nonce !== challenge.nonce) return FAULTS.nonce;
  const signature = decode(device.signature, SIGNATURE_BYTES);
  const publicKey = createPublicKey({
    key: Buffer.concat([SPKI_PREFIX, key]),
    format: "der",
    type: "spki",
  });
  const isSigned = (version: 2 | 3) =>
    signature !== undefined &&
    verify(null, Buffer.from(toText(params, version)), publicKey, signature);
  const version = isSigned(3) ? 3 : isSigned(2) ? 2 : undefined;
  if (version === undefined) return FAULTS.signature;
  const skewMs = Math.abs(nowMs - device.signedAt);
  return skewMs >= MAX_SKEW_MS[version] ? FAULTS.expired : undefined;
}

function toText(
  {
    client,
    role = "operator",
    scopes = [],
    auth,
    device,
  }: ConnectParams & { device: DeviceIdentity },
  version: 2 | 3,
): string {
  return toSignedText({
    version,
    deviceId: device.id,
    clientId: client.id,
    clientMode: client.mode,
    role,
    scopes,
    signedAtMs: device.signedAt,
    token: auth?.token ?? auth?.deviceToken ?? auth?.bootstrapToken ?? "",
    nonce: device.nonce ?? "",
    platform: client.platform,
    deviceFamily: client.deviceFamily,
  });
}

function decode(text: string, bytes: number): Buffer | undefined {
  if (!BASE64URL.test(text)) return undefined;
  const decoded = Buffer.from(text, "base64url");
  return decoded.length === bytes ? decoded : undefined;
}

const FAULTS = {
  key: fault("PUBLIC_KEY_INVALID", "device public key invalid", "device-public-key"),
  id: fault("DEVICE_ID_MISMATCH", "device identity mismatch", "device-id-mismatch"),
  noNonce: fault("NONCE_REQUIRED", "device nonce required", "device-nonce-missing"),
  nonce: fault("NONCE_MISMATCH", "device nonce mismatch", "device-nonce-mismatch"),
  signature: fault("SIGNATURE_INVALID", "device signature invalid", "device-signature"),
  expired: fault("SIGNATURE_EXPIRED", "device signature expired", "device-signature-stale"),
};

/** The way the protocol's clients expect it: `details.code` and `details.reason`. */
function fault(code: string, message: string, reason: string): WireError {
  const details = { code: `DEVICE_AUTH_${code}`, reason };
  return { code: "INVALID_REQUEST", message, details };
}
