// One sync for all who wait: who asks while one is under way is served by the next, together with all
// others who do.

/** Fulfilled after a sync that began after the call. */
export type GroupSync = () => Promise<void>;

export function createGroupSync(sync: () => Promise<void>): GroupSync {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    const own = sync();
    running = own;
    next = undefined;
    const clear = () => {
      if (running === own) running = undefined;
    };
    own.then(clear, clear);
    return own;
  }

  return () => {
    if (running === undefined) return start();
    next ??= running.then(start, start);
    return next;
  };
}
