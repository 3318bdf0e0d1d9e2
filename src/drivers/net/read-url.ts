// A URL as it is fetched: http or https, without credentials, its host in one form.

import {
  redirectUnusable,
  schemeRefused,
  type UrlFault,
  urlInvalid,
  userinfoRefused,
} from "./errors/failures.js";
import { hostOf } from "./policy/host-names.js";

const SCHEMES = ["http:", "https:"];

type UrlReading =
  | { readonly url: URL; readonly fault?: undefined }
  | { readonly url: URL | undefined; readonly fault: UrlFault };

/** As a caller wrote it. Throws `invalid_input`. */
export function readUrl(text: string): URL {
  const { url, fault } = judgeUrl(text);
  if (fault === undefined) return url;
  if (fault === "scheme_refused") throw schemeRefused(url?.protocol ?? "");
  if (fault === "userinfo_refused") throw userinfoRefused(url ? hostOf(url) : "");
  throw urlInvalid(text);
}

/** As a server wrote it, of which nothing is repeated. Throws `invalid_input`. */
export function readLocation(
  location: string,
  { base, askedHost }: { readonly base: URL; readonly askedHost: string },
): URL {
  const { url, fault } = judgeUrl(location, base);
  if (fault === undefined) return url;
  throw redirectUnusable(askedHost, { fault, scheme: url?.protocol ?? "" });
}

function judgeUrl(text: string, base?: URL): UrlReading {
  const url = parse(text, base);
  if (!url) return { url, fault: "url_invalid" };
  if (!SCHEMES.includes(url.protocol)) return { url, fault: "scheme_refused" };
  const host = hostOf(url);
  if (host === "") return { url, fault: "url_invalid" };
  if (url.username !== "" || url.password !== "") return { url, fault: "userinfo_refused" };
  // "example.com." is the same host, and has to be so for origins and lists too.
  if (url.hostname.endsWith(".")) url.hostname = host;
  return { url };
}

function parse(text: string, base: URL | undefined): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    // The only thing that goes wrong here.
    return undefined;
  }
}
