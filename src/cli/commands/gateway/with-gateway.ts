// A client of the gateway of this state folder, for one command.

import { stateDir } from "../../../config/index.js";
import type { GatewayCall } from "../../../core/server.js";
import { createGatewayClient } from "../../../drivers/gateway-client.js";
import { createNet } from "../../../drivers/net/index.js";
import { readFolderOwner } from "../../../drivers/store/index.js";
import type { CommandCall, FlagTable } from "../../command.js";
import { UsageError } from "../../failure.js";
import { readClientConfig } from "../../usable-config.js";

const MAX_PORT = 65_535;

export const GATEWAY_FLAGS = {
  "--url URL": "Another gateway; needs --token.",
  "--token TOKEN": "The token of that gateway.",
  "--timeout MS": "Time limit in milliseconds (default 10000).",
} as const satisfies FlagTable;

export type CallMethod = (
  method: string,
  params?: unknown,
  options?: Partial<Pick<GatewayCall, "timeoutMs" | "signal" | "onEvent">>,
) => Promise<unknown>;

export async function withGateway<T>(
  call: CommandCall,
  work: (ask: CallMethod) => Promise<T>,
): Promise<T> {
  const { url, token, timeout } = call.texts;
  if (url !== undefined && token === undefined) throw new UsageError("--url needs --token.");
  const folder = stateDir(call.place);
  const isRunning = readFolderOwner(folder)?.url !== undefined;
  const config = await readClientConfig(call, { isRunning });
  // A person names the address here, so private networks are fine.
  const net = createNet({ policy: { dangerouslyAllowPrivateNetwork: true } });
  const client = createGatewayClient({
    ...{ net, config, stateDir: folder, token: call.place.env.CLAWTOOLS_GATEWAY_TOKEN },
    findUrl: () => readFolderOwner(folder)?.url,
  });
  const timeoutMs = timeout === undefined ? undefined : readCount("timeout", timeout);
  try {
    return await call.untilStopped((signal) =>
      work((method, params, options) =>
        client.call({ method, params, url, token, timeoutMs, signal, ...options }),
      ),
    );
  } finally {
    await net.close();
  }
}

/** Throws a UsageError. */
export function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= MAX_PORT) return port;
  throw new UsageError(`--port must be a number from 0 to ${MAX_PORT}.`);
}

/** Throws a UsageError. */
export function readCount(flag: string, text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1) return count;
  throw new UsageError(`--${flag} must be a whole number from 1.`);
}
