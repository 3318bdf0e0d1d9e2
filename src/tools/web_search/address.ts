// Where a provider is asked. An address that a person configured is trusted as a host, and only for
// that one request; nothing that an answer names is.

import { type SearchProvider, ToolInputError } from "../../core/index.js";
import type { SearchSettings } from "./settings.js";

const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/;
/** Whole addresses: a name may begin like one, `10.example.com`. */
const PRIVATE_IPV4 =
  /^(?:(?:10|127)\.\d+|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.\d+\.\d+$/;
const LOCAL_IPV6 = /^\[(?:::1\]|f[cd][\da-f]{2}:)/;

/** Throws `invalid_input` for an address that cannot be asked, or would show a key to everybody. */
export function assertAddress({ id }: SearchProvider, { baseUrl }: SearchSettings): void {
  if (baseUrl === undefined) return;
  const place = `tools.web.search.${id}.baseUrl`;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw invalid(`${place} is no address; write one like https://search.example.com.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw invalid(`${place} has a user name or password in it; leave them out.`);
  }
  if (url.protocol === "http:" && !isLocal(url.hostname)) {
    throw invalid(`${place} is a public address without encryption; write it with https.`);
  }
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

/** By its looks: a name without a dot is one of the own network. */
function isLocal(host: string): boolean {
  const isName = !host.includes(".") && !host.startsWith("[");
  return isName || LOCAL_NAME.test(host) || PRIVATE_IPV4.test(host) || LOCAL_IPV6.test(host);
}

function invalid(message: string): ToolInputError {
  return new ToolInputError(message, { reason: "search_address_invalid" });
}
