// A URL as it is fetched: http or https, without credentials, its host in one form.

import { schemeRefused, urlInvalid, userinfoRefused } from "./errors/failures.js";
import { hostOf } from "./policy/host-names.js";

const SCHEMES = ["http:", "https:"];

/** `base`: where a redirect came from. Throws `invalid_input`. */
export function readUrl(text: string, base?: URL): URL {
  const url = parse(text, base);
  if (!SCHEMES.includes(url.protocol)) throw schemeRefused(url.protocol);
  const host = hostOf(url);
  if (host === "") throw urlInvalid(text);
  if (url.username !== "" || url.password !== "") throw userinfoRefused(host);
  // "example.com." is the same host, and has to be so for origins and lists too.
  if (url.hostname.endsWith(".")) url.hostname = host;
  return url;
}

function parse(text: string, base: URL | undefined): URL {
  try {
    return new URL(text, base);
  } catch {
    // The only thing that goes wrong here.
    throw urlInvalid(text);
  }
}
