// A client of the gateway that serves a state folder on this machine: its address and secret as the
// config, the environment and the folder have them at each call.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ClawtoolsConfig, GATEWAY_TOKEN_FILE } from "../../config/index.js";
import type { Gateway } from "../../core/server.js";
import { createGatewayClient } from "./client.js";

const DEFAULT_PORT = 18_789;

interface LocalGatewayOptions {
  readonly config: Pick<ClawtoolsConfig, "gateway">;
  readonly stateDir: string;
  /** `CLAWTOOLS_GATEWAY_TOKEN`; wins over the config and the file. */
  readonly token?: string | undefined;
  /** Wins over the config. */
  readonly port?: number | undefined;
}

export function createLocalGateway(options: LocalGatewayOptions): Gateway {
  const { config, stateDir, token } = options;
  const { auth, tls, port = DEFAULT_PORT } = config.gateway ?? {};
  const scheme = tls?.enabled === true ? "wss" : "ws";
  const readTokenFile = () =>
    readFile(join(stateDir, GATEWAY_TOKEN_FILE), "utf8").then(
      (text) => text.trim(),
      // A gateway without a secret has no such file.
      () => undefined,
    );
  return createGatewayClient({
    url: `${scheme}://127.0.0.1:${options.port ?? port}`,
    readToken: async () => token ?? auth?.token ?? auth?.password ?? (await readTokenFile()),
  });
}
