// What makes the filtering proxy the only way out of a browser: arguments for one that we start, the
// proxy of an own context in one that runs already.

/** Chromium goes past a proxy for this machine unless it is reported not to. */
const ALSO_LOOPBACK = "<-loopback>";

export interface FilterAddress {
  readonly host: string;
  readonly port: number;
}

/** In the order of their weight: without the first three pages reach this machine, or others by packets. */
export function listNetFlags({ host, port }: FilterAddress): readonly string[] {
  const filter = `http://${host}:${port}`;
  return [
    `--proxy-server=${filter}`,
    `--proxy-bypass-list=${ALSO_LOOPBACK}`,
    // WebRTC sends packets without asking a proxy. Older ones know the argument by its second name.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    // Second walls: nothing was seen to go past the first ones without them.
    "--disable-quic",
    "--dns-prefetch-disable",
    `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${host}`,
    // What the browser asks for on its own account goes to the filter itself, which refuses it.
    `--gaia-url=${filter}`,
    `--component-updater=url-source=${filter}`,
    `--apps-gallery-update-url=${filter}/`,
  ];
}

/** For `browser.newContext`. WebRTC and WebTransport go past it: see attached-guard.ts. */
export function toContextProxy({ host, port }: FilterAddress): {
  readonly server: string;
  readonly bypass: string;
} {
  return { server: `http://${host}:${port}`, bypass: ALSO_LOOPBACK };
}
