// Where a provider is asked. An address that a person configured is trusted as a host, and only for
// that one request; nothing that an answer names is.

import { type SearchProvider, ToolInputError } from "../../core/index.js";
import { findBaseUrlFault } from "../../lib/base-url.js";
import type { SearchSettings } from "./settings.js";

/** Throws `invalid_input` for an address that cannot be asked, or would show a key to everybody. */
export function assertAddress({ id }: SearchProvider, { baseUrl }: SearchSettings): void {
  if (baseUrl === undefined) return;
  const fault = findBaseUrlFault(baseUrl, "https://search.example.com");
  if (fault === undefined) return;
  throw new ToolInputError(`tools.web.search.${id}.baseUrl ${fault}`, {
    reason: "search_address_invalid",
  });
}

/** The path of the service below that of the address, unless it is there already. */
export function toEndpoint(base: string, path: string): URL {
  const url = new URL(base);
  const own = url.pathname.replace(/\/+$/, "");
  if (!`${own}/`.endsWith(path.endsWith("/") ? path : `${path}/`)) url.pathname = own + path;
  url.search = "";
  url.hash = "";
  return url;
}
