// `name:port` of an address, as the filter before the browser counts hosts.

/** `localhost.` is `localhost`. */
const TRAILING_DOTS = /\.+$/;

/** Empty for what is not an address. */
export function hostOf(url: string): string {
  if (!URL.canParse(url)) return "";
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === "https:" || protocol === "wss:" ? "443" : "80";
  return `${hostname.replace(TRAILING_DOTS, "")}:${port || usual}`;
}
