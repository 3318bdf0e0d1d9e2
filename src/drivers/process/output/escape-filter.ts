// Removes terminal escape sequences from text. Other control characters are shown as \xHH.
/** A longer sequence is shown as text. */
const MAX_SEQUENCE_CHARS = 256;
const MAX_STRING_CHARS = 1024 * 1024;
const ESCAPE = "\x1b";
const SPECIAL = "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]";
const STRING_END = "[\\x07\\x18\\x1a\\x1b\\x9c]";
/** Titles and links end at a line feed, so a broken one hides only its line. */
const COMMAND_END = "[\\n\\x07\\x18\\x1a\\x1b\\x9c]";

/** Text, and the moves that change the current line. */
export interface FilteredText {
  text(run: string): void;
  carriageReturn(): void;
  backspace(): void;
  eraseLine(): void;
}

type State = "ground" | "escape" | "intermediate" | "sequence" | "string" | "command";
/** Handles what is at `index`; returns where to continue. */
type Step = (text: string, index: number) => number;

export function createEscapeFilter(sink: FilteredText) {
  const special = new RegExp(SPECIAL, "g");
  const stringEnd = new RegExp(STRING_END, "g");
  const commandEnd = new RegExp(COMMAND_END, "g");
  let state: State = "ground";
  let sequence = "";
  let stringChars = 0;

  function enter(next: State): void {
    state = next;
    sequence = "";
    stringChars = 0;
  }

  function skipString(text: string, { index, end }: { index: number; end: RegExp }): number {
    const found = findFrom(end, { text, index });
    stringChars += found - index;
    const mark = text[found];
    if (mark === undefined) {
      if (stringChars > MAX_STRING_CHARS) enter("ground");
      return found;
    }
    enter(mark === ESCAPE ? "escape" : "ground");
    return mark === "\n" ? found : found + 1;
  }

  const steps = {
    ground(text, index) {
      const found = findFrom(special, { text, index });
      if (found > index) sink.text(text.slice(index, found));
      const control = text[found];
      if (control === undefined) return found;
      const next = C1_STATES.get(control);
      if (next) enter(next);
      else if (control === "\r") sink.carriageReturn();
      else if (control === "\b") sink.backspace();
      else sink.text(toHexEscape(control));
      return found + 1;
    },
    escape(text, index) {
      const character = text.charAt(index);
      const next = ESCAPE_STATES.get(character);
      if (next) enter(next);
      else if (isBetween(character, " ", "/")) enter("intermediate");
      else enter("ground");
      // A character that ends no sequence is shown.
      return next || isBetween(character, " ", "~") ? index + 1 : index;
    },
    intermediate(text, index) {
      const character = text.charAt(index);
      if (isBetween(character, " ", "/")) return index + 1;
      enter("ground");
      return isBetween(character, "0", "~") ? index + 1 : index;
    },
    sequence(text, index) {
      const character = text.charAt(index);
      if (isBetween(character, " ", "?") && sequence.length < MAX_SEQUENCE_CHARS) {
        sequence += character;
        return index + 1;
      }
      const parameters = sequence;
      enter("ground");
      if (!isBetween(character, "@", "~")) return index;
      if (character === "K" && parameters === "2") sink.eraseLine();
      if (character === "G" && (parameters === "" || parameters === "1")) sink.carriageReturn();
      return index + 1;
    },
    string: (text, index) => skipString(text, { index, end: stringEnd }),
    command: (text, index) => skipString(text, { index, end: commandEnd }),
  } as const satisfies Record<State, Step>;

  return {
    get isIdle() {
      return state === "ground";
    },
    push(text: string) {
      let index = 0;
      while (index < text.length) index = steps[state](text, index);
    },
  };
}

/** After ESC. */
const ESCAPE_STATES: ReadonlyMap<string, State> = new Map([
  ["[", "sequence"],
  ["]", "command"],
  ["P", "string"],
  ["X", "string"],
  ["^", "string"],
  ["_", "string"],
  [ESCAPE, "escape"],
]);

/** The same as one character. */
const C1_STATES: ReadonlyMap<string, State> = new Map([
  [ESCAPE, "escape"],
  ["\x9b", "sequence"],
  ["\x9d", "command"],
  ["\x90", "string"],
  ["\x98", "string"],
  ["\x9e", "string"],
  ["\x9f", "string"],
]);

function findFrom(pattern: RegExp, { text, index }: { text: string; index: number }): number {
  pattern.lastIndex = index;
  return pattern.exec(text)?.index ?? text.length;
}

function isBetween(character: string, first: string, last: string): boolean {
  return character >= first && character <= last;
}

function toHexEscape(control: string): string {
  return `\\x${control.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
