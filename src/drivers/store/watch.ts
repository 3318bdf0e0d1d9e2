// Hints for the watchers of a store: topics of this process's own writes at once, and all topics when
// `poll` finds that another process has written.

import type { Store, StoreOperation, StoreTopic } from "../../core/index.js";

/** Costs 0.5 % of a core, and a hint from another process takes half of it on average. */
const POLL_INTERVAL_MS = 100;

export interface Watching {
  readonly watch: Store["watch"];
  /** The same writes; each gives hints when it is done. */
  hinted(store: Omit<Store, "watch">): Omit<Store, "watch">;
  close(): void;
}

/** `poll` changes whenever another process has written; absent where no other can. Rejects while unknown. */
export function createWatching(poll?: () => Promise<unknown>): Watching {
  const watchers = new Map<string, Set<() => void>>();
  const pending = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let seen: unknown;
  let isPolling = false;

  function hint(listeners: Iterable<() => void>): void {
    if (pending.size === 0) queueMicrotask(tell);
    for (const listener of listeners) pending.add(listener);
  }

  /** One hint for all changes of a turn. */
  function tell(): void {
    const listeners = [...pending];
    pending.clear();
    for (const listener of listeners) listener();
  }

  function hintTopics(topics: readonly StoreTopic[]): void {
    for (const topic of topics) hint(watchers.get(keyOf(topic)) ?? []);
  }

  async function look(read: () => Promise<unknown>): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    // What cannot be read may have changed: the next look that succeeds gives a hint.
    const found = await read().catch(() => Symbol("unknown"));
    isPolling = false;
    if (found === seen) return;
    // At the first look too: something may have changed between `watch` and now.
    seen = found;
    for (const listeners of watchers.values()) hint(listeners);
  }

  function close(): void {
    clearInterval(timer);
    timer = undefined;
    seen = undefined;
    watchers.clear();
    pending.clear();
  }

  return {
    watch(topic, onChange) {
      const key = keyOf(topic);
      const listeners = watchers.get(key) ?? new Set();
      // Its own: the same function may watch twice.
      const listener = () => onChange();
      watchers.set(key, listeners.add(listener));
      if (poll && timer === undefined) {
        void look(poll);
        timer = setInterval(() => void look(poll), POLL_INTERVAL_MS).unref();
      }
      return {
        close() {
          listeners.delete(listener);
          pending.delete(listener);
          if (listeners.size === 0 && watchers.get(key) === listeners) watchers.delete(key);
          if (watchers.size === 0) close();
        },
      };
    },
    hinted: (store) => withHints(store, hintTopics),
    close,
  };
}

function withHints(
  store: Omit<Store, "watch">,
  hintTopics: (topics: readonly StoreTopic[]) => void,
): Omit<Store, "watch"> {
  const { kv, log, lease, queue } = store;
  const after =
    <Request, Value>(
      write: (request: Request) => Promise<Value>,
      topicOf: (request: Request) => StoreTopic,
    ) =>
    async (request: Request) => {
      const value = await write(request);
      hintTopics([topicOf(request)]);
      return value;
    };
  return {
    ...store,
    kv: { ...kv, put: after(kv.put, ofSpace), delete: after(kv.delete, ofSpace) },
    log: { ...log, append: after(log.append, ofStream), trim: after(log.trim, ofStream) },
    lease: {
      ...lease,
      acquire: after(lease.acquire, ofLease),
      renew: after(lease.renew, ofLease),
      release: after(lease.release, ofLease),
    },
    queue: {
      ...queue,
      push: after(queue.push, ofQueue),
      acknowledge: after(queue.acknowledge, ofQueue),
      release: after(queue.release, ofQueue),
    },
    async transact(operations, options) {
      const outcomes = await store.transact(operations, options);
      hintTopics(operations.flatMap((operation) => topicsOf(operation)));
      return outcomes;
    },
  };
}

const ofSpace = ({ space }: { readonly space: string }): StoreTopic => ({ kind: "kv", space });
const ofStream = ({ stream }: { readonly stream: string }): StoreTopic => ({ kind: "log", stream });
const ofLease = ({ name }: { readonly name: string }): StoreTopic => ({ kind: "lease", name });
const ofQueue = ({ queue }: { readonly queue: string }): StoreTopic => ({ kind: "queue", queue });

function topicsOf(operation: StoreOperation): readonly StoreTopic[] {
  if (operation.kind === "kv.check" || operation.kind === "lease.check") return [];
  if ("space" in operation) return [ofSpace(operation)];
  return ["stream" in operation ? ofStream(operation) : ofQueue(operation)];
}

function keyOf(topic: StoreTopic): string {
  const { kind, ...place } = topic;
  return JSON.stringify([kind, ...Object.values(place)]);
}
