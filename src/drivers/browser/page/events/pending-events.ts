// Page events that were not reported yet; the next answer about the page reports them.

const MAX_EVENTS = 30;
const QUOTING = /^A request was refused: /;
const EARLY = "Earlier: ";

export interface PendingEvents {
  /** A function is called when the event is reported: a new tab has its address by then. Empty: skipped. */
  tell(event: string | (() => string)): void;
  /** An error already said this; a matching event that comes a moment later is skipped too. */
  forget(sentence: string): void;
  /** A call begins: earlier events are marked as such. */
  begin(): void;
  /** Every pending event, once. */
  take(): readonly string[];
}

export function createPendingEvents(): PendingEvents {
  let events: (string | (() => string))[] = [];
  /** How many of them happened before the call. */
  let early = 0;
  let left = 0;
  let said: string | undefined;
  const isSaid = (event: string | (() => string)) =>
    said !== undefined && typeof event === "string" && isSame(event, said);
  return {
    tell: (event) => {
      if (isSaid(event)) return;
      if (events.length < MAX_EVENTS) events.push(event);
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
