// A gateway for one test: its own folder, a free port, closed and removed when the test ends.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect as connectTcp, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGateway, type Gateway, type GatewayOptions } from "clawtools/gateway";
import { expect, onTestFinished } from "vitest";
import { type ConnectWish, connect, type RawClient } from "./client.js";

/** A folder may hold an installed package of many files. */
const REMOVE_LIMIT_MS = 10 * 60_000;

export interface TestGateway {
  readonly gateway: Gateway;
  readonly root: string;
  readonly stateDir: string;
  readonly token: string;
  /** As an operator with the shared token, by default with all scopes. */
  operator(wish?: ConnectWish): Promise<RawClient>;
}

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "gateway-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }), REMOVE_LIMIT_MS);
  return folder;
}

export async function startGateway(options: Partial<GatewayOptions> = {}): Promise<TestGateway> {
  const folder = makeFolder();
  const root = options.root ?? join(folder, "root");
  mkdirSync(root, { recursive: true });
  const stateDir = options.stateDir ?? join(folder, "state");
  const gateway = await createGateway({ port: 0, ...options, root, stateDir });
  onTestFinished(() => gateway.close());
  const token = gateway.auth.secret;
  return {
    gateway,
    root,
    stateDir,
    token,
    async operator(wish = {}) {
      const client = await connect(gateway.url, { auth: { token }, ...wish });
      onTestFinished(() => client.socket.terminate());
      return client;
    },
  };
}

/** Fails the test when the gateway does not answer a new client. */
export async function assertServes({ operator }: TestGateway): Promise<void> {
  const client = await operator();
  expect((await client.request("health")).ok).toBe(true);
  client.socket.terminate();
}

/** A connection that speaks no protocol; ended when the test ends. */
export function openRaw(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp(port, "127.0.0.1", () => resolve(socket));
    socket.on("error", reject);
    onTestFinished(() => {
      socket.destroy();
    });
  });
}
