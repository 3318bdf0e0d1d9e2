// Removes terminal escape sequences from text. Other control characters are shown as \xHH.

/** A longer string is shown as text. */
const MAX_STRING_CHARS = 1024 * 1024;
const ESCAPE = "\x1b";
const TOKEN = [
  // Text.
  String.raw`([^\x00-\x08\x0b-\x1f\x7f-\x9f]+)`,
  // A control sequence: its parameters and its last character.
  String.raw`(?:\x1b\[|\x9b)([ -?]{0,256})([@-~]?)`,
  // The start of a command, such as a title; the start of another string.
  String.raw`(\x1b\]|\x9d)`,
  String.raw`(\x1b[PX^_]|[\x90\x98\x9e\x9f])`,
  // A short sequence: its last character.
  String.raw`\x1b[ -/]{0,256}([0-~]?)`,
  String.raw`([\x00-\x1f\x7f-\x9f])`,
].join("|");
const STRING_END = String.raw`[\x07\x18\x1a\x1b\x9c]`;
/** Also at a line feed, so that a broken title hides only its line. */
const COMMAND_END = String.raw`[\n\x07\x18\x1a\x1b\x9c]`;

/** Text, and the moves that change the current line. */
export interface FilteredText {
  text(run: string): void;
  carriageReturn(): void;
  backspace(): void;
  eraseLine(): void;
}

export function createEscapeFilter(sink: FilteredText) {
  const tokens = new RegExp(TOKEN, "y");
  /** A sequence that the next chunk may continue. */
  let held = "";
  /** Set inside a string. */
  let end: RegExp | undefined;
  let skippedChars = 0;

  /** Both return where to continue. */
  function skipString(text: string, { at, end: pattern }: { at: number; end: RegExp }): number {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.index ?? text.length;
    skippedChars += found - at;
    const mark = text[found];
    if (mark !== undefined || skippedChars > MAX_STRING_CHARS) end = undefined;
    return mark === undefined || mark === ESCAPE || mark === "\n" ? found : found + 1;
  }

  function takeToken(text: string, at: number): number {
    tokens.lastIndex = at;
    const [whole = "", run, parameters, final, command, string, last, control] =
      tokens.exec(text) ?? [];
    const next = at + whole.length;
    if (run !== undefined) sink.text(run);
    else if (control !== undefined) showControl(sink, control);
    else if (command !== undefined || string !== undefined) {
      end = new RegExp(command === undefined ? STRING_END : COMMAND_END, "g");
      skippedChars = 0;
    } else if (next === text.length && !(final || last)) held = whole;
    else if (final === "K" && parameters === "2") sink.eraseLine();
    else if (final === "G" && (parameters === "" || parameters === "1")) sink.carriageReturn();
    return next;
  }

  return {
    /** Returns whether the text ended outside of all sequences. */
    push(chunk: string): boolean {
      const text = held + chunk;
      held = "";
      for (let at = 0; at < text.length; ) {
        at = end ? skipString(text, { at, end }) : takeToken(text, at);
      }
      return held === "" && end === undefined;
    },
  };
}

function showControl(sink: FilteredText, control: string): void {
  if (control === "\r") sink.carriageReturn();
  else if (control === "\b") sink.backspace();
  else sink.text(`\\x${control.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}
