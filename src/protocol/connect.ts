// The handshake request: its parameters, and the text that a device signs.

import { type ArgumentsOf, t } from "../core/index.js";
import { lazy } from "../lib/lazy.js";

/** Newest first. */
export const PROTOCOL_VERSIONS = [4, 3] as const;
const CLIENT_MODES = [
  "webchat",
  "cli",
  "ui",
  "backend",
  "node",
  "worker",
  "probe",
  "test",
] as const;

const MAX_TEXT = 1_024;
const MAX_ITEMS = 256;
const text = () => t.string({ minLength: 1, maxLength: MAX_TEXT });
const secret = () => t.optional(t.string({ maxLength: MAX_TEXT }));
const words = () => t.optional(t.array(text(), { maxItems: MAX_ITEMS }));

const device = lazy(() =>
  t.object({
    id: text(),
    publicKey: text(),
    signature: text(),
    signedAt: t.integer({ minimum: 0 }),
    nonce: t.optional(t.string({ maxLength: MAX_TEXT })),
  }),
);

/** Unknown fields are ignored. */
export const connectParams = lazy(() =>
  t.object({
    minProtocol: t.integer({ minimum: 1 }),
    maxProtocol: t.integer({ minimum: 1 }),
    client: t.object({
      id: text(),
      version: text(),
      platform: text(),
      mode: t.choice(CLIENT_MODES),
      displayName: t.optional(t.string({ maxLength: MAX_TEXT })),
      deviceFamily: t.optional(t.string({ maxLength: MAX_TEXT })),
      modelIdentifier: t.optional(t.string({ maxLength: MAX_TEXT })),
      instanceId: t.optional(t.string({ maxLength: MAX_TEXT })),
    }),
    role: t.optional(t.string({ maxLength: MAX_TEXT })),
    scopes: words(),
    caps: words(),
    commands: words(),
    permissions: t.optional(t.record(t.boolean())),
    pathEnv: t.optional(t.string({ maxLength: 64 * MAX_TEXT })),
    auth: t.optional(
      t.object({
        token: secret(),
        password: secret(),
        deviceToken: secret(),
        bootstrapToken: secret(),
      }),
    ),
    device: t.optional(device()),
    locale: t.optional(t.string({ maxLength: MAX_TEXT })),
    userAgent: t.optional(t.string({ maxLength: MAX_TEXT })),
  }),
);

export type ConnectParams = ArgumentsOf<ReturnType<typeof connectParams>>;
export type DeviceIdentity = NonNullable<ConnectParams["device"]>;

export interface SignedFields {
  readonly version: 2 | 3;
  readonly deviceId: string;
  readonly clientId: string;
  readonly clientMode: string;
  readonly role: string;
  readonly scopes: readonly string[];
  readonly signedAtMs: number;
  /** The credential that is sent with it: token, device token or bootstrap token; never a password. */
  readonly token: string;
  readonly nonce: string;
  readonly platform?: string | undefined;
  readonly deviceFamily?: string | undefined;
}

export function toSignedText(fields: SignedFields): string {
  const { version, deviceId, clientId, clientMode, role, scopes, signedAtMs, token } = fields;
  const parts = [
    `v${version}`,
    deviceId,
    clientId,
    clientMode,
    role,
    scopes.join(","),
    String(signedAtMs),
    token,
    fields.nonce,
  ];
  const more = version === 3 ? [fold(fields.platform), fold(fields.deviceFamily)] : [];
  return [...parts, ...more].join("|");
}

/** ASCII only, as the clients do. */
function fold(word = ""): string {
  return word.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
