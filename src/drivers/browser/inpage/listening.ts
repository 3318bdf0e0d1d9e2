// The listeners of our code at the window. A page that writes its document again by document.open() takes
// them all away, those of this world too; they are put back before anything else can come.

type Listener = (event: Event) => void;

export interface Listening {
  /** In the capture phase. */
  on(type: string, listener: Listener): void;
  /** Those that are gone are there again. */
  restore(): void;
  /** They were gone once, so that scripts of the page may hear of an input before us. */
  wereLost(): boolean;
}

export function createListening(): Listening {
  const kept: (readonly [string, Listener, capture: true])[] = [];
  // Of a name that no page knows.
  const probe = `${Math.random()}`;
  let isHeard = false;
  let wereLost = false;
  const on: Listening["on"] = (type, listener) => {
    const entry = [type, listener, true] as const;
    kept.push(entry);
    addEventListener(...entry);
  };
  on(probe, () => {
    isHeard = true;
  });
  return {
    on,
    restore: () => {
      isHeard = false;
      dispatchEvent(new Event(probe));
      if (isHeard) return;
      wereLost = true;
      for (const entry of kept) addEventListener(...entry);
    },
    wereLost: () => wereLost,
  };
}
