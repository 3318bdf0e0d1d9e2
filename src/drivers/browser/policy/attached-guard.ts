// For own contexts in a browser that somebody else started: its arguments are not ours, so what goes
// past a proxy is taken away from pages before any of their scripts run.

/** An init script for `context.addInitScript({ content })`. */
export const ATTACHED_GUARD = `(() => {
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "WebTransport"]) {
    delete globalThis[name];
  }
})();`;
