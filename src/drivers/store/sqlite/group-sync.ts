// One sync for all who wait: who asks while one is under way is served by the next.

/** Fulfilled after a sync that began after the call. */
export type GroupSync = () => Promise<void>;

export function createGroupSync(sync: () => Promise<void>): GroupSync {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function runNext(): Promise<void> {
    // Whoever waits for the one before is told of its failure; this one begins in any case.
    await running?.catch(() => undefined);
    running = next;
    next = undefined;
    try {
      await sync();
    } finally {
      running = undefined;
    }
  }

  return () => {
    next ??= runNext();
    return next;
  };
}
