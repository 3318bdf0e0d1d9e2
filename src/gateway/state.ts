// What a gateway keeps and who may keep it: the claim on its state folder, the store in it and the
// version of what the store holds.

import { type Clock, type RandomSource, type Store, ToolError } from "../core/index.js";
import { claimStateFolder, createSqliteStore } from "../drivers/store/index.js";
import { readNumber } from "../lib/read-field.js";

const SPACE = "gateway.state";
const KEY = "version";
/** Grows when rows are written that an older gateway cannot read; then a migration is added here. */
const STATE_VERSION = 1;

export interface GatewayState {
  readonly store: Store;
  close(): Promise<void>;
}

export interface StateRequest {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Throws `conflict` / `state_held` with the holder's name, `unavailable` / `state_newer`. */
export async function openState(request: StateRequest): Promise<GatewayState> {
  const claim = await claimStateFolder({ ...request, program: "clawtools gateway" });
  const store = createSqliteStore(request);
  const close = async () => {
    await store.close();
    await claim.release();
  };
  try {
    await checkVersion(store, request.folder);
    return { store, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function checkVersion(store: Store, folder: string): Promise<void> {
  const place = { space: SPACE, key: KEY };
  const found = readNumber((await store.kv.get(place))?.value, "version");
  if (found === STATE_VERSION) return;
  if (found === undefined) {
    await store.kv.put({ ...place, value: { version: STATE_VERSION } });
    return;
  }
  throw new ToolError(
    "unavailable",
    `The state folder "${folder}" was written by a newer clawtools (state version ${found}, this one knows ${STATE_VERSION}). Update clawtools or choose another state folder.`,
    { reason: "state_newer" },
  );
}
