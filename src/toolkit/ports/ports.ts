// The ports of every toolkit and registry, and ports whose driver is loaded at first use.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ClawtoolsConfig, GATEWAY_TOKEN_FILE } from "../../config/index.js";
import {
  type ArtifactStore,
  closedError,
  type Net,
  type RunPorts,
  type Store,
  tooManyOpenFiles,
} from "../../core/index.js";
import type { Gateway } from "../../core/server.js";
import { createSystemClock, createSystemRandom } from "../../drivers/clock.js";
import { createEnvironment } from "../../drivers/environment.js";
import { createImages } from "../../drivers/media/index.js";
import { createMemoryArtifacts } from "../../drivers/records.js";
import { createTimeGuard } from "../../drivers/time-guard.js";
import { isOutOfFiles, loadWithRoom } from "../../lib/system/file-descriptors.js";
import { pinPackages } from "../../lib/system/load-package.js";

const TOKEN_VARIABLE = "CLAWTOOLS_GATEWAY_TOKEN";

interface PortOptions {
  /** Absolute; `undefined` when this user has no place for one. Nothing is made there by binding. */
  readonly stateDir: string | undefined;
  /** Default: in memory. */
  readonly artifacts?: ArtifactStore | undefined;
}

export interface ToolkitPorts extends PortOptions {
  readonly system: RunPorts;
  readonly state: StateStore;
  readonly artifacts: ArtifactStore;
}

export function bindPorts({ stateDir, artifacts }: PortOptions): ToolkitPorts {
  const system = createSystemPorts();
  return {
    stateDir,
    system,
    state: createStateStore(stateDir, system),
    artifacts: artifacts ?? createMemoryArtifacts(system),
  };
}

/**
 * The gateway of the state folder, looked up at each call. undefined when no secret for one is known:
 * then none was ever started here, and tools that need it say so.
 */
export function findGateway(
  { stateDir, system }: ToolkitPorts,
  { config, net }: { readonly config: ClawtoolsConfig; readonly net: Net },
): { readonly gateway?: Gateway } {
  if (stateDir === undefined) return {};
  const token = system.environment?.read(TOKEN_VARIABLE);
  const isKnown =
    token !== undefined ||
    config.gateway?.auth !== undefined ||
    existsSync(join(stateDir, GATEWAY_TOKEN_FILE));
  if (!isKnown) return {};
  const gateway: Gateway = {
    configHashes: new Map(),
    async call(request) {
      const { createGatewayClient } = await import("../../drivers/gateway-client.js");
      const { readFolderOwner } = await import("../../drivers/store/index.js");
      const findUrl = () => readFolderOwner(stateDir)?.url;
      const client = createGatewayClient({ net, config, stateDir, token, findUrl });
      return await client.call(request);
    },
    close: () => Promise.resolve(),
  };
  return { gateway };
}

export function createSystemPorts(): RunPorts {
  pinPackages();
  return {
    clock: createSystemClock(),
    random: createSystemRandom(),
    guard: createTimeGuard(),
    load: loadOrSay,
    images: createImages(),
    environment: createEnvironment(),
  };
}

export interface StateStore {
  /** undefined without a state folder. Does not touch the disk. */
  open(): Promise<Store | undefined>;
  close(): Promise<void>;
}

export function createStateStore(
  stateDir: string | undefined,
  { clock, random }: Pick<RunPorts, "clock" | "random">,
): StateStore {
  if (stateDir === undefined) return { open: async () => undefined, close: async () => undefined };
  const { load, close } = createLazyPort(async () => {
    const { createSqliteStore } = await loadOrSay(() => import("../../drivers/store/index.js"));
    return createSqliteStore({ folder: stateDir, clock, random });
  });
  return { open: load, close };
}

interface LazyPort<Port> {
  /** Rejects as `open` does, and when it is closed. */
  load(): Promise<Port>;
  loaded(): Port | undefined;
  /** Closes what was loaded, or is being loaded; nothing is loaded afterwards. */
  close(): Promise<void>;
}

/** `open` may throw a ToolError: a config that cannot be used, a folder that is missing. */
export function createLazyPort<Port extends { close(): Promise<void> }>(
  open: () => Promise<Port>,
): LazyPort<Port> {
  let opening: Promise<Port> | undefined;
  let opened: Port | undefined;
  let isClosed = false;

  return {
    async load() {
      if (isClosed) throw closedError();
      opening ??= open();
      try {
        opened = await opening;
        return opened;
      } catch (error) {
        // What was missing may be there at the next call.
        opening = undefined;
        throw error;
      }
    },
    loaded: () => opened,
    async close() {
      isClosed = true;
      const port = await opening?.catch(() => undefined);
      await port?.close();
    },
  };
}

/** Rejects with a ToolError when no file descriptors are left. */
export async function loadOrSay<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await loadWithRoom(load);
  } catch (error) {
    throw isOutOfFiles(error) ? tooManyOpenFiles(error) : error;
  }
}
