// The address of `open` and `navigate`; without a scheme it gets one, and that is told.

import { ToolInputError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** A host with a port looks like a scheme. */
const HOST_AND_PORT = /^[\w.-]+:\d+(?:[/?#]|$)/;
const OWN_MACHINE = /^(?:localhost|127\.|\[::1\]|0\.0\.0\.0)/i;

export function readUrl(
  given: string | undefined,
  action: string,
): { readonly url: string; readonly notes: readonly string[] } {
  const text = given?.trim() ?? "";
  if (text === "") {
    throw new ToolInputError(`${action} needs targetUrl, such as https://example.com/.`, {
      reason: "arguments_invalid",
      details: { missing: "targetUrl" },
    });
  }
  if (SCHEME.test(text) && !HOST_AND_PORT.test(text)) return { url: text, notes: [] };
  const scheme = OWN_MACHINE.test(text) ? "http" : "https";
  const url = `${scheme}://${text.replace(/^\/\//, "")}`;
  return { url, notes: [`The address had no scheme; ${toPrintable(url)} was taken.`] };
}
