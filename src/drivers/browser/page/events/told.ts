// What happened on a page and was not said yet: it goes with the next answer about it.

const MAX_TOLD = 30;
const QUOTING = /^A request was refused: /;
const EARLY = "Earlier: ";

export interface Told {
  /** Described when it is reported: a new tab has its address by then. Empty: it is not news any more. */
  tell(event: string | (() => string)): void;
  /** An error said it already; what comes of it a moment later is not news either. */
  forget(sentence: string): void;
  /** A call begins: what happened before it is reported as such. */
  begin(): void;
  /** All of it, once. */
  take(): readonly string[];
}

export function createTold(): Told {
  let events: (string | (() => string))[] = [];
  /** How many of them are of the time before the call. */
  let early = 0;
  let left = 0;
  let said: string | undefined;
  const isSaid = (event: string | (() => string)) =>
    said !== undefined && typeof event === "string" && isSame(event, said);
  return {
    tell: (event) => {
      if (isSaid(event)) return;
      if (events.length < MAX_TOLD) events.push(event);
      else left += 1;
    },
    forget: (sentence) => {
      said = sentence;
      early = events.slice(0, early).filter((event) => !isSaid(event)).length;
      events = events.filter((event) => !isSaid(event));
    },
    begin: () => {
      early = events.length;
    },
    take: () => {
      const sentences = events
        .map((event, index) => {
          const sentence = typeof event === "string" ? event : event();
          return index < early && sentence !== "" ? `${EARLY}${sentence}` : sentence;
        })
        .filter((sentence) => sentence !== "");
      if (left > 0) sentences.push(`${left} more things happened.`);
      events = [];
      early = 0;
      left = 0;
      said = undefined;
      return sentences;
    },
  };
}

/** One quotes the other. */
function isSame(event: string, sentence: string): boolean {
  return event.includes(sentence) || sentence.includes(event.replace(QUOTING, ""));
}
