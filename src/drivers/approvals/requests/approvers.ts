// Who can be asked in other processes: each that listens says so in the store, again and again, and
// is forgotten soon after it stops.

import type { Clock, RandomSource, Store } from "../../../core/index.js";

const SPACE = "approvals.approvers";
const ALIVE_MS = 10_000;
const RENEW_MS = 3_000;
const ID_BYTES = 8;

export interface Registration {
  close(): Promise<void>;
}

export interface ApproverPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** `name`: what listens, for people. Fulfilled when it counts. */
export async function registerApprover(
  name: string,
  { store, clock, random }: ApproverPorts,
): Promise<Registration> {
  const place = { space: SPACE, key: random.hex(ID_BYTES) };
  let isClosed = false;
  let takeBack: (() => void) | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const announce = () => store.kv.put({ ...place, value: { name }, ttlMs: ALIVE_MS });
  const renewLater = () => {
    takeBack = clock.after(RENEW_MS, () => {
      // One that cannot be written is tried again; meanwhile no one is asked to wait in vain.
      last = announce().then(renew, renew);
    });
  };
  const renew = () => {
    if (!isClosed) renewLater();
  };
  await announce();
  renewLater();
  return {
    async close() {
      isClosed = true;
      takeBack?.();
      await last;
      await store.kv.delete(place);
    },
  };
}

export async function hasApprover(store: Store): Promise<boolean> {
  const { entries } = await store.kv.list({ space: SPACE, limit: 1 });
  return entries.length > 0;
}
