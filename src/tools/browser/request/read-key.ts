// The names of keys as models write them, in the spelling that the driver knows.

/** By small letters. */
const KEYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    esc: "Escape",
    return: "Enter",
    del: "Delete",
    ins: "Insert",
    ctrl: "Control",
    cmd: "Meta",
    command: "Meta",
    win: "Meta",
    super: "Meta",
    option: "Alt",
    opt: "Alt",
    spacebar: "Space",
    up: "ArrowUp",
    down: "ArrowDown",
    left: "ArrowLeft",
    right: "ArrowRight",
    pgup: "PageUp",
    pgdn: "PageDown",
    pgdown: "PageDown",
    page_up: "PageUp",
    page_down: "PageDown",
    "⌘": "Meta",
    "⌃": "Control",
    "⌥": "Alt",
    "⇧": "Shift",
    "↵": "Enter",
  }),
);
const HELD: readonly string[] = ["Shift", "Control", "ControlOrMeta", "Alt", "Meta"];
const NAMES = [
  ...["Enter", "Escape", "Tab", "Backspace", "Delete", "Insert", "Space", "Home", "End"],
  ...["PageUp", "PageDown", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "CapsLock"],
  ...HELD,
  "ContextMenu",
  ...Array.from({ length: 12 }, (_, index) => `F${index + 1}`),
];
const BY_SMALL_LETTERS: ReadonlyMap<string, string> = new Map([
  ...NAMES.map((name): [string, string] => [name.toLowerCase(), name]),
  ...KEYS,
]);

/** `Control+a` for `ctrl+a` and `Ctrl-a`; what is not a known name stays as it is. */
export function readKey(text: string): string {
  if (text.length <= 1) return text === "\n" ? "Enter" : text;
  const parts = splitChord(text.trim());
  return parts.map((part) => BY_SMALL_LETTERS.get(part.toLowerCase()) ?? part).join("+");
}

/** One that is held while another is pressed. */
export function isHeldKey(name: string): boolean {
  return HELD.includes(name);
}

export function isKeyName(text: string): boolean {
  return BY_SMALL_LETTERS.has(text.trim().toLowerCase());
}

/** The plus sign is a key too: `Control++`. */
function splitChord(text: string): string[] {
  if (text === "+") return [text];
  if (text.endsWith("++")) return [...splitChord(text.slice(0, -2)), "+"];
  if (text.includes("+"))
    return text
      .split("+")
      .map((part) => part.trim())
      .filter(Boolean);
  const [first = "", ...rest] = text.split("-");
  return rest.length > 0 && BY_SMALL_LETTERS.has(first.toLowerCase()) ? [first, ...rest] : [text];
}
