// Colours for people at a terminal: on only where the stream and the environment allow them.

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Style = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

/** NO_COLOR and --no-color win over FORCE_COLOR. */
export function createStyle(options: {
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly args: readonly string[];
}): Style {
  const { isTerminal, env, args } = options;
  const { NO_COLOR: no = "", FORCE_COLOR: force, TERM } = env;
  const isForced = force !== undefined && force !== "0" && force !== "false";
  const isOff = no !== "" || args.includes("--no-color") || force === "0";
  const isOn = !isOff && (isForced || (isTerminal && TERM !== "dumb"));
  const paint =
    ([start, end]: readonly [number, number]) =>
    (text: string) =>
      isOn && text !== "" ? `\u001b[${start}m${text}\u001b[${end}m` : text;
  return {
    bold: paint(CODES.bold),
    dim: paint(CODES.dim),
    red: paint(CODES.red),
    green: paint(CODES.green),
    yellow: paint(CODES.yellow),
    cyan: paint(CODES.cyan),
  };
}

/** A verdict as a symbol with a word: `✓ ok`, `! warning`, `✗ error`. */
export type Mark = "ok" | "fixed" | "note" | "warning" | "error";

export function showMark(mark: Mark, { green, yellow, red, dim }: Style): string {
  if (mark === "warning") return yellow("! warning");
  if (mark === "error") return red("✗ error");
  return mark === "note" ? dim("· note") : green(`✓ ${mark}`);
}
