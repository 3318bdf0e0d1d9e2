// Puts a name together out of pieces: blocks are words apart, what is in one line is not.

const SPACES = /\s+/gu;
/** Places where a word may be broken: no one sees them. */
const BREAKS = /[\u200b\u00ad]/gu;

export interface Gatherer {
  add(text: string): void;
  /** What follows is another word. */
  apart(): void;
  isFull(): boolean;
  text(): string;
}

export function createGatherer(maxChars: number): Gatherer {
  const pieces: string[] = [];
  let length = 0;
  const push = (text: string) => {
    pieces.push(text);
    length += text.length;
  };
  return {
    add: (text) => {
      if (text !== "" && length <= maxChars) push(text.slice(0, maxChars + 1));
    },
    apart: () => {
      if (pieces.at(-1) !== " ") push(" ");
    },
    isFull: () => length > maxChars,
    text: () => squeeze(pieces.join("")),
  };
}

export function squeeze(text: string): string {
  return text.replace(BREAKS, "").replace(SPACES, " ").trim();
}
