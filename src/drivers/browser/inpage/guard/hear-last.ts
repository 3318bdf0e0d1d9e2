// Hears events once more behind the listeners of the page, before the browser does what it does by itself:
// a page may have written another item into the place by then.

const { addEventListener } = EventTarget.prototype;

export interface LastHearing {
  /** While an event is heard first. What stops it on its way is heard where that happens. */
  expect(event: Event): void;
  end(): void;
}

export function createLastHearing(hear: (event: Event) => void): LastHearing {
  let ending = new AbortController();
  return {
    expect: (event) => {
      const { signal } = ending;
      for (const target of event.composedPath())
        addEventListener.call(target, event.type, hear, { signal });
    },
    end: () => {
      ending.abort();
      ending = new AbortController();
    },
  };
}
