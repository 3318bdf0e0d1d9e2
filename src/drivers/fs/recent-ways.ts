// Places that were reached a moment ago, on a file system that answers at once. The way to such a place
// is gone in this thread the next time: in so short a time it hardly comes to lead to what hangs.

/** After this a way is gone by another thread again. */
const RECENT_MS = 1_000;
const MAX_WAYS = 100;

export interface RecentWays {
  has(way: string): boolean;
  add(way: string): void;
}

export function createRecentWays(now: () => number = () => performance.now()): RecentWays {
  /** When each was gone, the oldest first. */
  const times = new Map<string, number>();
  return {
    has: (way) => now() - (times.get(way) ?? Number.NEGATIVE_INFINITY) < RECENT_MS,
    add(way) {
      times.delete(way);
      times.set(way, now());
      const [oldest] = times.keys();
      if (times.size > MAX_WAYS && oldest !== undefined) times.delete(oldest);
    },
  };
}
