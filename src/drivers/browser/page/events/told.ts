// What happened on a page and was not said yet: it goes with the next answer about it.

const MAX_TOLD = 30;

export interface Told {
  /** Described when it is told: a new tab has its address by then. Empty: it is no news any more. */
  tell(event: string | (() => string)): void;
  /** An error said it already. */
  forget(sentence: string): void;
  /** All of it, once. */
  take(): readonly string[];
}

export function createTold(): Told {
  let events: (string | (() => string))[] = [];
  let left = 0;
  return {
    tell: (event) => {
      if (events.length < MAX_TOLD) events.push(event);
      else left += 1;
    },
    forget: (sentence) => {
      events = events.filter((event) => typeof event !== "string" || !event.includes(sentence));
    },
    take: () => {
      const sentences = events
        .map((event) => (typeof event === "string" ? event : event()))
        .filter((sentence) => sentence !== "");
      if (left > 0) sentences.push(`${left} more things happened.`);
      events = [];
      left = 0;
      return sentences;
    },
  };
}
