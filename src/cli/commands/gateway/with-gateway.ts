// A client of the gateway of this state folder, for one command.

import { stateDir } from "../../../config/index.js";
import type { GatewayCall } from "../../../core/server.js";
import { createGatewayClient } from "../../../drivers/gateway-client.js";
import { createNet } from "../../../drivers/net/index.js";
import { readFolderOwner } from "../../../drivers/store/index.js";
import type { CommandCall, FlagTable } from "../../command.js";
import { UsageError } from "../../failure.js";
import { readWhole } from "../../flags.js";
import { readClientConfig } from "../../usable-config.js";

export const MAX_PORT = 65_535;

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
  const { url, token } = call.texts;
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
  const timeoutMs = readWhole(call, "timeout", { min: 1 });
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
