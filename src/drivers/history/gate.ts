// What a call waits for before it changes anything: that its beginning is written down.

export interface Gate {
  /** It need not be waited for. */
  isOpen(): boolean;
  /** Has it opened, and waits for it; undefined when it is open. Rejects when it stays shut. */
  pass(): Promise<unknown> | undefined;
}

/** Open from the beginning without `begin`. */
export function createGate(begin: (() => Promise<unknown>) | undefined): Gate {
  let opening: Promise<unknown> | undefined;
  let isOpen = begin === undefined;
  return {
    isOpen: () => isOpen,
    pass() {
      if (isOpen || !begin) return undefined;
      opening ??= begin().then(() => {
        isOpen = true;
      });
      return opening;
    },
  };
}
