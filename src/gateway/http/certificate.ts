// A self-signed certificate, written as DER by hand: P-256, valid for 397 days, for the names and
// addresses that it is asked for. Programs such as openssl need not be installed.

import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { TlsKeys } from "./listen.js";

const DAY_MS = 24 * 60 * 60_000;
const VALID_MS = 397 * DAY_MS;
const SERIAL_BYTES = 16;
const PEM_LINE = /.{1,64}/g;

const TAG = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  boolean: 0x01,
} as const;

const OID = {
  ecdsaWithSha256: "2a8648ce3d040302",
  commonName: "550403",
  basicConstraints: "551d13",
  keyUsage: "551d0f",
  extendedKeyUsage: "551d25",
  serverAuth: "2b06010505070301",
  alternativeNames: "551d11",
  subjectKeyId: "551d0e",
} as const;

export interface CertificateRequest {
  readonly names: readonly string[];
  /** IPv4. */
  readonly addresses: readonly string[];
  readonly nowMs: number;
}

export function makeCertificate({ names, addresses, nowMs }: CertificateRequest): TlsKeys {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicInfo = publicKey.export({ type: "spki", format: "der" });
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const subject = sequence(
    der(TAG.set, sequence(oid(OID.commonName), der(TAG.utf8, Buffer.from("clawtools gateway")))),
  );
  const alternatives = sequence(
    ...names.map((name) => der(0x82, Buffer.from(name, "ascii"))),
    ...addresses.map((address) => der(0x87, Buffer.from(address.split(".").map(Number)))),
  );
  const extensions = sequence(
    extension(OID.basicConstraints, sequence(), { critical: true }),
    // digitalSignature
    extension(OID.keyUsage, der(TAG.bitString, Buffer.from([7, 0x80])), { critical: true }),
    extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuth))),
    extension(OID.alternativeNames, alternatives),
    extension(
      OID.subjectKeyId,
      der(TAG.octetString, createHash("sha1").update(publicInfo).digest()),
    ),
  );
  const toSign = sequence(
    der(0xa0, der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, serialNumber()),
    algorithm,
    subject,
    // An hour of leeway for clocks that differ.
    sequence(time(nowMs - 60 * 60_000), time(nowMs + VALID_MS)),
    subject,
    publicInfo,
    der(0xa3, extensions),
  );
  const signature = sign("sha256", toSign, privateKey);
  const bits = der(TAG.bitString, Buffer.concat([Buffer.from([0]), signature]));
  return {
    cert: toPem("CERTIFICATE", sequence(toSign, algorithm, bits)),
    key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const size = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(TAG.sequence, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return der(TAG.oid, Buffer.from(hex, "hex"));
}

function extension(
  id: string,
  value: Buffer,
  { critical = false }: { readonly critical?: boolean } = {},
): Buffer {
  const mark = critical ? [der(TAG.boolean, Buffer.from([0xff]))] : [];
  return sequence(oid(id), ...mark, der(TAG.octetString, value));
}

/** Positive, and without a leading zero byte. */
function serialNumber(): Buffer {
  const bytes = randomBytes(SERIAL_BYTES);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

/** Two digits for the year: until 2049. */
function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, "");
  return der(TAG.utcTime, Buffer.from(text.slice(2)));
}

function toPem(label: string, bytes: Buffer): string {
  const lines = bytes.toString("base64").match(PEM_LINE) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
