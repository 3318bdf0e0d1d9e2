// URLs as they are shown: passwords, tokens and keys replaced, long ones cut.

import { isSecretName } from "./invoke/validate.js";

const HIDDEN = "[redacted]";
const MAX_DATA_CHARS = 64;
const MAX_NESTING = 3;
const USERINFO = /^((?:[a-z][a-z\d+.-]*:)?[/\\]{2})([^/\\?#]*@)/i;
/** `;jsessionid=1` behind a name in the path. */
const PATH_PAIR = /;([^;=/\\]+=[^;/\\]*)/g;
const DATA = /^data:/i;
const NESTED = /^[a-z][a-z\d+.-]*:[/\\]{2}/i;
/** Next to the names that hold secrets everywhere. */
const SECRET_PARAMETER =
  /^(?:auth|apikey|hmac|jwt|otp|pin|pwd|(?:.*[._-])?sid|sig|ticket|assertion|.*(?:signature|sess(?:ion)?_?id|credential)|(?:auth|authorization|device)_?code|code_verifier|saml(?:request|response))$/i;
/** Of a sign-in when it is long or drawn by lot; a country or a page when it is a short word. */
const MAYBE_SECRET = /^(?:(?:user_)?code|state|nonce|sess(?:ion)?|hash|h)$/i;
const MIN_SECRET_CHARS = 16;
/** Letters and digits that alternate, as in `a81bc81d`; `404`, `DE` and `SUMMER2026` do not. */
const DRAWN_BY_LOT = /^(?=.{8})[\w~%.-]*(?:[a-z]+\d+[a-z]|\d+[a-z]+\d)/i;
const SECRET_FORMS = new RegExp(
  [
    String.raw`(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`,
    String.raw`\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|sk-|sk_live_|rk_live_|pk_live_)[\w-]{16,}`,
    String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`,
    String.raw`\bAIza[\w-]{35}`,
    String.raw`\bbot\d{6,}:[\w-]{30,}`,
    String.raw`(?<=hooks\.slack\.com/services/)[\w/-]+`,
    String.raw`(?<=discord(?:app)?\.com/api/webhooks/\d+/)[\w-]+`,
  ].join("|"),
  "g",
);
const MAX_URL_CHARS = 2_000;

export function redactUrl(text: string): string {
  return redact(text, 0);
}

function redact(text: string, depth: number): string {
  if (DATA.test(text)) return cutData(text);
  const hashAt = text.indexOf("#");
  const address = hashAt === -1 ? text : text.slice(0, hashAt);
  const fragment = hashAt === -1 ? "" : text.slice(hashAt);
  const queryAt = address.indexOf("?");
  const path = queryAt === -1 ? address : address.slice(0, queryAt);
  const query = queryAt === -1 ? "" : address.slice(queryAt);
  const place = path
    .replace(USERINFO, `$1${HIDDEN}@`)
    .replace(PATH_PAIR, (_all, pair: string) => `;${redactPair(pair, depth)}`);
  const shown = `${place}${redactQuery(query, depth)}${redactFragment(fragment, depth)}`;
  return redactSecrets(shown);
}

/** Keys and tokens of well-known forms, in any text. */
export function redactSecrets(text: string): string {
  return text.replace(SECRET_FORMS, HIDDEN);
}

function cutData(text: string): string {
  return text.length <= MAX_DATA_CHARS ? text : `${text.slice(0, MAX_DATA_CHARS)}…`;
}

/** `?a=1&b=2`, with its mark. */
function redactQuery(query: string, depth: number): string {
  if (query === "") return "";
  const parts = query.slice(1).split(/([&;])/);
  return `?${parts.map((part) => redactPair(part, depth)).join("")}`;
}

/** Sign-ins answer behind the mark; so do pages that have addresses of their own there. */
function redactFragment(fragment: string, depth: number): string {
  const queryAt = fragment.indexOf("?");
  if (queryAt !== -1) {
    const before = redactFragment(fragment.slice(0, queryAt), depth);
    return `${before}${redactQuery(fragment.slice(queryAt), depth)}`;
  }
  return fragment.includes("=")
    ? `#${redactQuery(`?${fragment.slice(1)}`, depth).slice(1)}`
    : fragment;
}

function redactPair(pair: string, depth: number): string {
  const equalsAt = pair.indexOf("=");
  if (equalsAt === -1) return pair;
  const name = decode(pair.slice(0, equalsAt));
  const value = pair.slice(equalsAt + 1);
  if (value === "") return pair;
  if (isSecretParameter(name, value)) return `${pair.slice(0, equalsAt)}=${HIDDEN}`;
  return `${pair.slice(0, equalsAt)}=${redactValue(value, depth)}`;
}

function isSecretParameter(name: string, value: string): boolean {
  if (isSecretName(name) || SECRET_PARAMETER.test(name)) return true;
  if (!MAYBE_SECRET.test(name)) return false;
  return value.length >= MIN_SECRET_CHARS || DRAWN_BY_LOT.test(value);
}

function redactValue(value: string, depth: number): string {
  const plain = decode(value);
  if (depth >= MAX_NESTING || !NESTED.test(plain)) {
    SECRET_FORMS.lastIndex = 0;
    return SECRET_FORMS.test(plain) ? HIDDEN : value;
  }
  const shown = redact(plain, depth + 1);
  return shown === plain ? value : encodeURIComponent(shown).replaceAll("%5Bredacted%5D", HIDDEN);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // A stray percent sign: as it is.
    return text;
  }
}

export function cutUrl(url: string): string {
  return url.length <= MAX_URL_CHARS ? url : `${url.slice(0, MAX_URL_CHARS)}…`;
}
