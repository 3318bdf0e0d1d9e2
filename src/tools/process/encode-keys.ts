// Key names such as "Enter", "C-c", "M-x" or "S-F5" as bytes. Unknown names are never typed as text.

import { nearestName } from "../../lib/nearest-name.js";

const ESCAPE = "\x1b";

interface KeyForm {
  readonly plain: string;
  /** While the program has switched the cursor keys to application mode. */
  readonly application: string;
  modified(modifier: number): string;
}

function cursor(final: string): KeyForm {
  const modified = (modifier: number) => `${ESCAPE}[1;${modifier}${final}`;
  return { plain: `${ESCAPE}[${final}`, application: `${ESCAPE}O${final}`, modified };
}

function functionKey(final: string): KeyForm {
  const { application } = cursor(final);
  return { ...cursor(final), plain: application };
}

function tilde(number: string): KeyForm {
  const plain = `${ESCAPE}[${number}~`;
  return { plain, application: plain, modified: (modifier) => `${ESCAPE}[${number};${modifier}~` };
}

/** Only Alt changes them. */
const TEXT_KEYS: ReadonlyMap<string, string> = new Map([
  ["tab", "\t"],
  ["escape", ESCAPE],
  ["space", " "],
  ["backspace", "\x7f"],
]);

const KEYS: ReadonlyMap<string, KeyForm> = new Map([
  ["home", { ...cursor("H"), plain: tilde("1").plain }],
  ["end", { ...cursor("F"), plain: tilde("4").plain }],
  ...named("up A down B right C left D", cursor),
  ...named("insert 2 delete 3 pageup 5 pagedown 6", tilde),
  ...named("f1 P f2 Q f3 R f4 S", functionKey),
  ...named("f5 15 f6 17 f7 18 f8 19 f9 20 f10 21 f11 23 f12 24", tilde),
  ...named("kp/ o kp* j kp- m kp+ k kp. n kpenter M", functionKey),
  ...named("kp0 p kp1 q kp2 r kp3 s kp4 t kp5 u kp6 v kp7 w kp8 x kp9 y", functionKey),
]);

/** Names and codes alternate. */
function named(list: string, form: (code: string) => KeyForm): [string, KeyForm][] {
  return [...list.matchAll(/(\S+) (\S+)/g)].map(([, name = "", code = ""]) => [name, form(code)]);
}

const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ...["return", "cr"].map((name) => [name, "enter"] as const),
  ...["bspace", "bs"].map((name) => [name, "backspace"] as const),
  ...["pgup", "ppage"].map((name) => [name, "pageup"] as const),
  ...["pgdn", "npage"].map((name) => [name, "pagedown"] as const),
  ...["del", "dc"].map((name) => [name, "delete"] as const),
  ["esc", "escape"],
  ["spc", "space"],
  ["ic", "insert"],
]);

const ENTER_KEY = "enter";
const BACK_TAB = "\x1b[Z";

const HEX = /^(?:0x)?((?:[0-9a-f]{2})+)$/i;

interface EncodedInput {
  readonly bytes: Uint8Array;
  readonly problems: readonly string[];
}

const MODIFIED = /^((?:[CMS]-)+)(.+)$/i;
const CARET = /^\^(.)$/s;
const MODIFIER_WEIGHTS = { s: 1, m: 2, c: 4 } as const;

interface KeyboardState {
  readonly applicationCursor: boolean;
  readonly enter: string;
}

interface Stroke {
  readonly key: string;
  readonly control: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** Send nothing when there are problems. */
export function encodeKeys(keys: readonly string[], state: KeyboardState): EncodedInput {
  const problems: string[] = [];
  let text = "";
  for (const written of keys) {
    const code = encodeStroke(readStroke(written), state);
    if (code === undefined) problems.push(explainKey(written));
    else text += code;
  }
  return { bytes: new TextEncoder().encode(text), problems };
}

function readStroke(written: string): Stroke {
  const caret = CARET.exec(written)?.[1];
  if (caret !== undefined) return { key: caret, control: true, alt: false, shift: false };
  const [, modifiers = "", key = written] = MODIFIED.exec(written) ?? [];
  const held = modifiers.toLowerCase();
  return {
    key,
    control: held.includes("c-"),
    alt: held.includes("m-"),
    shift: held.includes("s-"),
  };
}

function encodeStroke(stroke: Stroke, state: KeyboardState): string | undefined {
  if ([...stroke.key].length === 1) return withAlt(stroke, encodeCharacter(stroke));
  const name = toKeyName(stroke.key);
  if (name === ENTER_KEY)
    return withAlt(stroke, stroke.control || stroke.shift ? undefined : state.enter);
  if (name === "btab") return BACK_TAB;
  const typed = TEXT_KEYS.get(name);
  if (typed !== undefined) return encodeText(stroke, typed);
  const modifier = modifierOf(stroke);
  if (modifier !== 1) return KEYS.get(name)?.modified(modifier);
  return state.applicationCursor ? KEYS.get(name)?.application : KEYS.get(name)?.plain;
}

/** Shift applies to letters only. */
function encodeCharacter({ key, control, shift }: Stroke): string | undefined {
  if (control) return toControl(key);
  if (!shift) return key;
  const large = key.toUpperCase();
  return large === key ? undefined : large;
}

function encodeText(stroke: Stroke, text: string): string | undefined {
  if (text === "\t" && stroke.shift && !stroke.control) return withAlt(stroke, BACK_TAB);
  if (text === " " && stroke.control) return withAlt(stroke, "\0");
  // In a terminal Shift changes nothing here, and Control has no code.
  return withAlt(stroke, stroke.control ? undefined : text);
}

function withAlt({ alt }: Stroke, code: string | undefined): string | undefined {
  return alt && code !== undefined ? `${ESCAPE}${code}` : code;
}

/** The low five bits. */
function toControl(character: string): string | undefined {
  if (character === "?") return "\x7f";
  if (character === " ") return "\0";
  const code = character.toUpperCase().charCodeAt(0);
  const hasCode = character.length === 1 && code >= 0x40 && code <= 0x5f;
  return hasCode ? String.fromCharCode(code & 0x1f) : undefined;
}

function modifierOf({ shift, alt, control }: Stroke): number {
  const { s, m, c } = MODIFIER_WEIGHTS;
  return 1 + (shift ? s : 0) + (alt ? m : 0) + (control ? c : 0);
}

function explainKey(written: string): string {
  const { key } = readStroke(written);
  const name = toKeyName(key);
  if ([...key].length === 1 || listKeyNames().includes(name)) {
    return `A terminal has no code for "${written}".`;
  }
  const nearest = nearestName(name, listKeyNames());
  const hint = nearest ? `; did you mean "${nearest}"?` : "; send text with literal.";
  return `"${written}" is not a key${hint}`;
}

export function parseHexBytes(entries: readonly string[]): EncodedInput {
  const bytes: number[] = [];
  const problems: string[] = [];
  for (const entry of entries) {
    const digits = HEX.exec(entry.trim())?.[1];
    if (digits === undefined) {
      problems.push(`hex "${entry}" is not a byte: write two digits each, such as 1b.`);
      continue;
    }
    for (let at = 0; at < digits.length; at += 2) {
      bytes.push(Number.parseInt(digits.slice(at, at + 2), 16));
    }
  }
  return { bytes: Uint8Array.from(bytes), problems };
}

function toKeyName(written: string): string {
  const name = written.toLowerCase();
  return OTHER_NAMES.get(name) ?? name;
}

export function listKeyNames(): string[] {
  return [ENTER_KEY, "btab", ...TEXT_KEYS.keys(), ...KEYS.keys()];
}
