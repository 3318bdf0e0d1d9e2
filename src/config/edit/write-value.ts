// A value as text that fits into the text around it: its indent, its line ends, its way to write keys.

const PLAIN_KEY = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const DEFAULT_UNIT = "  ";
/** A list or an object whose text is no longer stands on one line. */
const MAX_LINE_CHARS = 60;

export interface TextStyle {
  readonly newline: "\n" | "\r\n";
  /** One step of indent. */
  readonly unit: string;
  readonly keys: "bare" | "single" | "double";
}

/** Read off the text; `nearKey` is a key beside the new one, or any other of the text. */
export function readStyle(text: string, nearKey: string | undefined): TextStyle {
  const [, unit = DEFAULT_UNIT] = /[{[][^\S\n]*\r?\n([ \t]+)\S/.exec(text) ?? [];
  const first = nearKey?.charAt(0);
  return {
    newline: /\r\n/.test(text) ? "\r\n" : "\n",
    unit,
    keys: first === undefined || first === '"' ? "double" : first === "'" ? "single" : "bare",
  };
}

export function writeKey(name: string, { keys }: TextStyle): string {
  if (keys === "bare" && PLAIN_KEY.test(name)) return name;
  const quoted = JSON.stringify(name);
  return keys === "single" && !/['"\\]/.test(quoted.slice(1, -1))
    ? `'${quoted.slice(1, -1)}'`
    : quoted;
}

/** `indent` is that of the line on which the value begins. */
export function writeValue(
  value: unknown,
  { style, indent }: { readonly style: TextStyle; readonly indent: string },
): string {
  const entries = listEntries(value, style);
  if (entries === undefined) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) return `${open}${close}`;
  const inner = indent + style.unit;
  const texts = entries.map(([head, item]) => head + writeValue(item, { style, indent: inner }));
  const [left, right] = open === "[" ? ["[", "]"] : ["{ ", " }"];
  const line = `${left}${texts.join(", ")}${right}`;
  if (Array.isArray(value) && line.length <= MAX_LINE_CHARS && !line.includes("\n")) return line;
  const body = texts.map((text) => inner + text).join(`,${style.newline}`);
  return `${open}${style.newline}${body}${style.newline}${indent}${close}`;
}

/** undefined for a leaf. */
function listEntries(value: unknown, style: TextStyle): [string, unknown][] | undefined {
  if (Array.isArray(value)) return value.map((item: unknown) => ["", item]);
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).map(([name, item]) => [`${writeKey(name, style)}: `, item]);
}
