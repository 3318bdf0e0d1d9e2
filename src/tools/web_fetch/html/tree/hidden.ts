// Whether an element is hidden by an attribute, by its own style, or by a plain rule of a style sheet
// inside the page. Sheets from elsewhere are not seen.

import type { Attributes } from "./elements.js";

const MAX_CODE_POINT = 0x10ffff;

/** `.name` and `#name`. */
export type HiddenRules = ReadonlySet<string>;

const ZERO = String.raw`\s*-?0*(?:\.0+)?(?:px|em|rem|%|pt|vw|vh)?\s*(?:!important\s*)?(?:;|$)`;
const FAR = String.raw`\s*-\d{3,}(?:\.\d+)?(?:px|em|rem|pt|vw|vh)`;
const HIDDEN_STYLE = new RegExp(
  [
    String.raw`(?:^|;)\s*display\s*:\s*none`,
    String.raw`(?:^|;)\s*visibility\s*:\s*(?:hidden|collapse)`,
    String.raw`(?:^|;)\s*content-visibility\s*:\s*hidden`,
    String.raw`(?:^|;)\s*opacity\s*:(?:${ZERO}|\s*0?\.0[01]\d{0,9}\s*(?:;|!|$))`,
    String.raw`(?:^|;)\s*(?:scale|zoom)\s*:${ZERO}`,
    String.raw`(?:^|;)\s*filter\s*:[^;]{0,80}opacity\(\s*(?:0(?:\.0+)?|\.0+)%?\s*\)`,
    String.raw`(?:^|;)\s*font\s*:(?:[^;]{0,80}?\s)?0(?:px|em|rem|%|pt)?\s*[/\s]`,
    String.raw`(?:^|;)\s*font-size\s*:(?:${ZERO}|\s*[01](?:\.\d+)?px)`,
    String.raw`(?:^|;)\s*(?:left|right|top|bottom|text-indent|margin-left|margin-top)\s*:${FAR}`,
    String.raw`(?:^|;)\s*clip\s*:\s*rect\(\s*0[^1-9;]{0,80}\)`,
    String.raw`(?:^|;)\s*clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)`,
    String.raw`(?:^|;)\s*(?:-webkit-)?transform\s*:[^;]{0,80}scale[xy3d]*\(\s*0(?:\.0+)?\s*[,)]`,
    String.raw`(?:^|;)\s*(?:-webkit-)?transform\s*:[^;]{0,80}translate[xy3d]*\(\s*-\d{4,}(?:\.\d+)?(?:px|em|rem|pt|vw|vh)`,
  ].join("|"),
  "i",
);
const NO_WIDTH = new RegExp(
  String.raw`(?:^|;)\s*(?:max-)?(?:width|height)\s*:(?:${ZERO}|\s*1px)`,
  "i",
);
const CUT_OFF = /(?:^|;)\s*overflow(?:-[xy])?\s*:\s*(?:hidden|clip)/i;
const COLOR = /(?:^|;)\s*color\s*:\s*([^;!]{1,40})/i;
const BACKGROUND = /(?:^|;)\s*background(?:-color)?\s*:\s*([^;!]{1,40})/i;
const TRANSPARENT =
  /(?:^|;)\s*(?:-webkit-text-fill-)?color\s*:\s*(?:transparent|rgba\([^)]{0,40},\s*0(?:\.0+)?\s*\))/i;
/** The letters are a hole through which the ground is seen. */
const CLIPPED_GROUND = /(?:^|;)\s*(?:-webkit-)?background-clip\s*:\s*text/i;
const PLAIN_SELECTOR = /^[.#][\w-]+$/;
/** Rules inside `@media` and the like hold only at times. */
const CONDITIONAL = /@[^@{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}?/g;

export function isHidden(attributes: Attributes, rules: HiddenRules): boolean {
  const { hidden, ariaHidden, style, className, id } = attributes;
  if (hidden !== undefined || ariaHidden?.trim().toLowerCase() === "true") return true;
  if (style !== undefined && isHiddenStyle(style)) return true;
  if (rules.size === 0) return false;
  if (id !== undefined && rules.has(`#${id}`)) return true;
  return className?.split(/\s+/).some((name) => rules.has(`.${name}`)) === true;
}

export function readHiddenRules(styles: string): HiddenRules {
  const rules = new Set<string>();
  const always = dropComments(styles).replace(CONDITIONAL, "");
  for (const rule of always.split("}")) {
    const [selectors = "", body = "", ...nested] = rule.split("{");
    if (nested.length > 0 || !isHiddenStyle(body)) continue;
    for (const selector of selectors.split(",").map((written) => written.trim())) {
      if (PLAIN_SELECTOR.test(selector)) rules.add(selector);
    }
  }
  return rules;
}

function isHiddenStyle(written: string): boolean {
  if (written.length < 6) return false;
  // Spaces in a row would be tried again and again.
  const style = decodeEscapes(dropComments(written)).replace(/\s+/g, " ");
  if (HIDDEN_STYLE.test(style)) return true;
  if (TRANSPARENT.test(style) && !CLIPPED_GROUND.test(style)) return true;
  if (CUT_OFF.test(style) && NO_WIDTH.test(style)) return true;
  const color = toColor(COLOR.exec(style)?.[1]);
  return color !== undefined && color === toColor(BACKGROUND.exec(style)?.[1]);
}

/** One that does not end takes the rest with it. */
function dropComments(styles: string): string {
  return styles.includes("/*") ? styles.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, "") : styles;
}

function decodeEscapes(style: string): string {
  if (!style.includes("\\")) return style;
  return style.replace(
    /\\(?:([\da-f]{1,6})\s?|([\s\S]))/gi,
    (_, digits?: string, plain?: string) => {
      const codePoint = Number.parseInt(digits ?? "", 16);
      return codePoint <= MAX_CODE_POINT ? String.fromCodePoint(codePoint) : (plain ?? "");
    },
  );
}

const NAMED: Readonly<Record<string, string>> = { white: "#ffffff", black: "#000000" };

function toColor(text: string | undefined): string | undefined {
  const color = text?.toLowerCase().replace(/\s+/g, "");
  if (color === undefined) return undefined;
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(color);
  if (short)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join("")}`;
  const rgb = /^rgba?\((\d+),(\d+),(\d+)(?:,1)?\)$/.exec(color);
  if (rgb)
    return `#${rgb
      .slice(1, 4)
      .map((part) => Number(part).toString(16).padStart(2, "0"))
      .join("")}`;
  return NAMED[color] ?? color;
}
