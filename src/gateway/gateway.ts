// A gateway as programs see it, and what it is made with.

import type { ClawtoolsConfig, ConfigPlace } from "../config/index.js";
import type { Principal } from "../protocol/index.js";
import type { SharedSecret } from "./auth/shared-secret.js";
import type { LogEntry } from "./log/log-file.js";
import type { GatewayMethod, GatewayServices } from "./services.js";

export interface GatewayOptions {
  /** Folder of the default agent. */
  readonly root: string;
  /** The shape of `clawtools.json`, for a gateway whose config is not a file. */
  readonly config?: ClawtoolsConfig | undefined;
  /** Where `clawtools.json` is: loaded, watched, and changed by the config methods. */
  readonly configPlace?: ConfigPlace | undefined;
  /** Default `gateway.port`, else 18789; 0 takes a free one. */
  readonly port?: number | undefined;
  /** Default `~/.clawtools`. */
  readonly stateDir?: string | undefined;
  /** The shared token; default `gateway.auth.token`, else made and kept in the state folder. */
  readonly token?: string | undefined;
  /** Further methods. */
  readonly methods?: readonly GatewayMethod[] | undefined;
  /** The caller starts it again when `closed` says so. Default false: it cannot be restarted. */
  readonly canRestart?: boolean | undefined;
  /** Gets each entry of the log. */
  readonly onLog?: ((entry: LogEntry) => void) | undefined;
}

export interface GatewayEnd {
  readonly restart: boolean;
  readonly reason: string;
}

export interface Gateway {
  readonly port: number;
  /** `ws://127.0.0.1:18789`. */
  readonly url: string;
  /** `http://127.0.0.1:18789`. */
  readonly httpUrl: string;
  readonly auth: SharedSecret;
  readonly services: GatewayServices;
  readonly methods: readonly GatewayMethod[];
  /** Calls a method in this process, by default as an operator with all scopes. */
  call(
    method: string,
    params?: unknown,
    options?: { readonly principal?: Principal; readonly signal?: AbortSignal },
  ): Promise<unknown>;
  /** Ends it with `restart: true`; the caller starts it again. */
  restart(reason: string): void;
  /** Fulfilled when everything has ended. */
  readonly closed: Promise<GatewayEnd>;
  close(reason?: string): Promise<void>;
}
