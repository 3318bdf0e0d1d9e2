// Headers as they go on: without those that belong to one connection (RFC 9110, 7.6.1) or to a proxy.

const ONE_CONNECTION = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const SEPARATOR = /\s*,\s*/;

/** Names and values in turn, as Node gives and takes them. */
export type RawHeaders = readonly string[];

/** Pairs in their order and spelling; `dropped` are further names, in lower case. */
export function keepForwarded(raw: RawHeaders, dropped: readonly string[] = []): string[] {
  const named = toPairs(raw)
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.toLowerCase().split(SEPARATOR));
  const isDropped = (name: string) =>
    ONE_CONNECTION.has(name) || named.includes(name) || dropped.includes(name);
  return toPairs(raw)
    .filter(([name]) => !isDropped(name.toLowerCase()))
    .flat();
}

export function toPairs(raw: RawHeaders): readonly (readonly [name: string, value: string])[] {
  return Array.from({ length: Math.floor(raw.length / 2) }, (_, index) => [
    raw[index * 2] ?? "",
    raw[index * 2 + 1] ?? "",
  ]);
}
