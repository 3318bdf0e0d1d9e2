// What the keys of a terminal send, as xterm does it. Modifiers are put in by `encode-keys.ts`.

/** How a key is sent, and where a modifier goes. */
export type KeyForm =
  /** The text itself; no place for a modifier but Alt. */
  | { readonly kind: "text"; readonly text: string }
  /** ESC [ X, in application mode ESC O X; ESC [ 1 ; m X with a modifier. */
  | { readonly kind: "cursor"; readonly final: string }
  /** ESC O X; ESC [ 1 ; m X with a modifier. */
  | { readonly kind: "function"; readonly final: string }
  /** ESC [ n ~; ESC [ n ; m ~ with a modifier. */
  | { readonly kind: "tilde"; readonly number: number }
  /** As `tilde`, but a cursor key in application mode and with a modifier. */
  | { readonly kind: "border"; readonly number: number; readonly final: string };

const text = (value: string): KeyForm => ({ kind: "text", text: value });
const cursor = (final: string): KeyForm => ({ kind: "cursor", final });
const functionKey = (final: string): KeyForm => ({ kind: "function", final });
const tilde = (number: number): KeyForm => ({ kind: "tilde", number });

const KEYS: Readonly<Record<string, KeyForm>> = {
  tab: text("\t"),
  escape: text("\x1b"),
  space: text(" "),
  backspace: text("\x7f"),
  up: cursor("A"),
  down: cursor("B"),
  right: cursor("C"),
  left: cursor("D"),
  home: { kind: "border", number: 1, final: "H" },
  end: { kind: "border", number: 4, final: "F" },
  insert: tilde(2),
  delete: tilde(3),
  pageup: tilde(5),
  pagedown: tilde(6),
  f1: functionKey("P"),
  f2: functionKey("Q"),
  f3: functionKey("R"),
  f4: functionKey("S"),
  f5: tilde(15),
  f6: tilde(17),
  f7: tilde(18),
  f8: tilde(19),
  f9: tilde(20),
  f10: tilde(21),
  f11: tilde(23),
  f12: tilde(24),
  "kp/": functionKey("o"),
  "kp*": functionKey("j"),
  "kp-": functionKey("m"),
  "kp+": functionKey("k"),
  "kp.": functionKey("n"),
  kp0: functionKey("p"),
  kp1: functionKey("q"),
  kp2: functionKey("r"),
  kp3: functionKey("s"),
  kp4: functionKey("t"),
  kp5: functionKey("u"),
  kp6: functionKey("v"),
  kp7: functionKey("w"),
  kp8: functionKey("x"),
  kp9: functionKey("y"),
  kpenter: functionKey("M"),
};

const OTHER_NAMES: Readonly<Record<string, string>> = {
  return: "enter",
  cr: "enter",
  esc: "escape",
  spc: "space",
  bspace: "backspace",
  bs: "backspace",
  pgup: "pageup",
  ppage: "pageup",
  pgdn: "pagedown",
  npage: "pagedown",
  ic: "insert",
  del: "delete",
  dc: "delete",
};

export const ENTER_KEY = "enter";
/** Shift and Tab together have a code of their own. */
export const BACK_TAB = "\x1b[Z";

/** The name as the table has it. */
export function toKeyName(written: string): string {
  const name = written.toLowerCase();
  return OTHER_NAMES[name] ?? name;
}

export function findKey(name: string): KeyForm | undefined {
  return Object.hasOwn(KEYS, name) ? KEYS[name] : undefined;
}

export function listKeyNames(): string[] {
  return [ENTER_KEY, "btab", ...Object.keys(KEYS)];
}
