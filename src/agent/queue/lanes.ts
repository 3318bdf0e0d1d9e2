// How many runs work at the same time, by lane. A run that only waits for another one gives its place
// back meanwhile, so that two runs cannot block each other.

export type Place = Awaited<ReturnType<ReturnType<typeof createLane>["enter"]>>;

export function createLane(size: number) {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const take = () => {
    if (taken < size) {
      taken += 1;
      return Promise.resolve();
    }
    return new Promise<void>((resolve) => waiting.push(resolve));
  };
  const give = () => {
    const next = waiting.shift();
    if (next) next();
    else taken -= 1;
  };
  return {
    async enter() {
      await take();
      return {
        /** Gives the place back while `work` goes on. */
        async during<T>(work: () => Promise<T>): Promise<T> {
          give();
          try {
            return await work();
          } finally {
            await take();
          }
        },
        leave: give,
      };
    },
  };
}
