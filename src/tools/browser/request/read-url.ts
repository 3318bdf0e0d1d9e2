// Reads addresses and tab ids in the spellings that models use.

import { ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { invalid } from "./read-value.js";

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HOST_AND_PORT = /^(?!(?:javascript|data|about|file|blob|chrome):)[\w.-]+:\d+(?:[/?#]|$)/i;
const OWN_MACHINE = /^(?:localhost|127\.|\[::1\]|0\.0\.0\.0)/i;
/** `/form`, `./form`, `../`, `?page=2`, `#top`; `//host/` names a host. */
const RELATIVE = /^(?:\/(?!\/)|\.{1,2}\/|[?#])/;
/** Redacted page addresses cannot be a base. */
const HIDDEN = "redacted";
const NUMBERED = /^t?(\d+)$/i;

interface ReadUrl {
  readonly url: string;
  readonly notes: readonly string[];
}

export function isRelativeUrl(given: string | undefined): boolean {
  return RELATIVE.test(given?.trim() ?? "");
}

/** `base`: the open page, for a relative address. */
export function readUrl(
  given: string | undefined,
  { action, base = "" }: { readonly action: string; readonly base?: string },
): ReadUrl {
  const text = given?.trim() ?? "";
  if (text === "") {
    throw invalid(`${action} needs targetUrl, such as https://example.com/.`, {
      missing: "targetUrl",
    });
  }
  if (RELATIVE.test(text)) return resolveUrl(text, base);
  if (SCHEME.test(text) && !HOST_AND_PORT.test(text)) return { url: text, notes: [] };
  const scheme = OWN_MACHINE.test(text) ? "http" : "https";
  const url = `${scheme}://${text.replace(/^\/\//, "")}`;
  return { url, notes: [`The address had no scheme; ${toPrintable(url)} was taken.`] };
}

function resolveUrl(text: string, base: string): ReadUrl {
  const url = /^https?:/.test(base) && URL.canParse(text, base) ? new URL(text, base).href : "";
  if (url === "" || url.includes(HIDDEN)) {
    const message = `"${toPrintable(text, 200)}" is an address without a host, and no page is open that it could belong to; send the whole address.`;
    throw new ToolInputError(message, { reason: "browser_url_invalid" });
  }
  return { url, notes: [] };
}

export function readTargetId(given: string): string {
  const [, number] = NUMBERED.exec(given.trim()) ?? [];
  return number === undefined ? given : `t${Number(number)}`;
}
