// What a gateway keeps and who may keep it: the claim on its state folder, the store in it and the
// version of what the store holds.

import { type Clock, type RandomSource, type Store, ToolError } from "../core/index.js";
import { claimStateFolder, createSqliteStore } from "../drivers/store/index.js";
import { readNumber } from "../lib/read-field.js";

const SPACE = "gateway.state";
const KEY = "version";
const STARTED_KEY = "started";
/** A later version that changes rows needs a migration from this one. */
const VERSION = 1;
const HOUR_MS = 60 * 60_000;
/** Clocks are corrected by less all the time. */
const MAX_STEP_BACK_MS = 60_000;

interface StateRequest {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Throws `conflict` / `state_held` with the holder's name, `unavailable` / `state_newer`. */
export async function openState(request: StateRequest) {
  const claim = await claimStateFolder({ ...request, program: "clawtools gateway" });
  const store = createSqliteStore(request);
  const close = async () => {
    await store.close();
    await claim.release();
  };
  try {
    await assertVersion(store, request.folder);
    return { store, announce: claim.announce, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function assertVersion(store: Store, folder: string): Promise<void> {
  const place = { space: SPACE, key: KEY };
  const found = readNumber((await store.kv.get(place))?.value, "version");
  if (found === undefined) await store.kv.put({ ...place, value: { version: VERSION } });
  if (found === undefined || found <= VERSION) return;
  throw new ToolError(
    "unavailable",
    `The state folder "${folder}" was written by a newer clawtools (state version ${found}, this one knows ${VERSION}). Update clawtools or choose another state folder.`,
    { reason: "state_newer" },
  );
}

/** Notes the time of this start. A warning when the clock was set back since the last one. */
export async function noteStart(store: Store, clock: Clock): Promise<string | undefined> {
  const place = { space: SPACE, key: STARTED_KEY };
  const lastMs = readNumber((await store.kv.get(place))?.value, "atMs") ?? 0;
  const nowMs = Math.floor(clock.now());
  if (nowMs >= lastMs) await store.kv.put({ ...place, value: { atMs: nowMs } });
  const backMs = lastMs - nowMs;
  if (backMs < MAX_STEP_BACK_MS) return undefined;
  const hours = Math.round((backMs / HOUR_MS) * 10) / 10;
  return `The clock is ${hours} hours behind the last start of the gateway. Set it right: until then jobs and expiries wait for the later time.`;
}
