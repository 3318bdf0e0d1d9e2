// A gateway client written by hand for tests: raw frames in both directions, and a device that signs.

import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { WebSocket } from "ws";
import { toSignedText } from "../../src/protocol/index.js";

const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

export interface Frame {
  readonly type: string;
  readonly id?: unknown;
  readonly ok?: boolean;
  readonly event?: string;
  readonly seq?: number;
  // Whatever a method answers; tests look into it.
  readonly payload?: unknown;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details?: Record<string, unknown>;
    readonly retryable?: boolean;
  };
}

export interface RawClient {
  readonly socket: WebSocket;
  readonly frames: readonly Frame[];
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  send(frame: object | string): void;
  /** The first frame, past or future, for which this is true. Rejects when the socket ends before. */
  next(isIt: (frame: Frame) => boolean): Promise<Frame>;
  request(method: string, params?: unknown, id?: string): Promise<Frame>;
  close(): void;
}

export function openClient(url: string, headers: Record<string, string> = {}): RawClient {
  const socket = new WebSocket(url, { headers, rejectUnauthorized: false });
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  let end: { readonly code: number; readonly reason: string } | undefined;
  const wake = () => {
    for (const one of [...waiting]) one();
  };
  socket.on("message", (data) => {
    frames.push(JSON.parse(String(data)));
    wake();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on("error", () => undefined);
    socket.on("close", (code, reason) => {
      end = { code, reason: String(reason) };
      wake();
      resolve(end);
    });
  });
  let count = 0;
  const next = (isIt: (frame: Frame) => boolean) =>
    new Promise<Frame>((resolve, reject) => {
      const look = () => {
        const found = frames.find(isIt);
        if (found) resolve(found);
        else if (end) reject(new Error(`closed ${end.code} ${end.reason}`));
        else return;
        waiting.delete(look);
      };
      waiting.add(look);
      look();
    });
  const send = (frame: object | string) => {
    socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  };
  return {
    socket,
    frames,
    closed,
    send,
    next,
    async request(method, params, id = `r${++count}`) {
      send({ type: "req", id, method, params });
      return await next((frame) => frame.type === "res" && frame.id === id);
    },
    close: () => socket.close(),
  };
}

export interface TestDevice {
  readonly id: string;
  readonly publicKey: string;
  sign(text: string): string;
}

/** The same seed gives the same device. */
export function makeDevice(seed: number): TestDevice {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, Buffer.alloc(32, seed)]),
    format: "der",
    type: "pkcs8",
  });
  const raw = createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(-32);
  return {
    id: createHash("sha256").update(raw).digest("hex"),
    publicKey: raw.toString("base64url"),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString("base64url"),
  };
}

export interface ConnectWish {
  readonly scopes?: readonly string[];
  readonly role?: string;
  readonly auth?: Record<string, string>;
  readonly client?: Record<string, unknown>;
  readonly protocol?: readonly [number, number];
  readonly device?: TestDevice;
  readonly signature?: 2 | 3;
  readonly signedAt?: number;
  readonly nonce?: string;
  readonly more?: Record<string, unknown>;
}

export async function sendConnect(client: RawClient, wish: ConnectWish): Promise<Frame> {
  const challenge = await client.next(({ event }) => event === "connect.challenge");
  const { nonce: given, ts } = challenge.payload as { nonce: string; ts: number };
  const [minProtocol, maxProtocol] = wish.protocol ?? [4, 4];
  const info = { id: "cli", version: "1.0.0", platform: "linux", mode: "cli", ...wish.client };
  const { role, scopes, auth, device, signature: version = 3 } = wish;
  const nonce = wish.nonce ?? given;
  const signedAt = wish.signedAt ?? ts;
  const signed = device && {
    id: device.id,
    publicKey: device.publicKey,
    signedAt,
    nonce,
    signature: device.sign(
      toSignedText({
        version,
        deviceId: device.id,
        clientId: info.id,
        clientMode: info.mode,
        role: role ?? "operator",
        scopes: scopes ?? [],
        signedAtMs: signedAt,
        token: auth?.token ?? auth?.deviceToken ?? "",
        nonce,
        platform: info.platform,
      }),
    ),
  };
  const params = { minProtocol, maxProtocol, client: info, role, scopes, auth, device: signed };
  return await client.request("connect", { ...params, ...wish.more });
}

/** A client that has said hello; fails the test when it is refused. */
export async function connect(url: string, wish: ConnectWish): Promise<RawClient> {
  const client = openClient(url);
  const hello = await sendConnect(client, wish);
  if (hello.ok !== true) throw new Error(`refused: ${JSON.stringify(hello.error)}`);
  return client;
}
