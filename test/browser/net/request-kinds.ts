// Everything a page can do that makes a browser ask another host, one line each. `to` is the address of
// the host (every kind has its own), `own` the page's server, `add(tag, more)` puts an element in the page.

export interface RequestKind {
  readonly name: string;
  /** Of a script; what it gives is awaited. */
  readonly code: string;
  /** Without a policy the host sees it; what a browser does only when it likes is not expected. */
  readonly isExpected: boolean;
  /** Seen as packets, not as connections. */
  readonly isUdp?: boolean;
  /** Only done by a page that people see and that no service worker serves. */
  readonly isEarly?: boolean;
}

const kind = (name: string, code: string): RequestKind => ({ name, code, isExpected: true });
const maybe = (name: string, code: string): RequestKind => ({ name, code, isExpected: false });
const udp = (name: string, code: string): RequestKind => ({ ...kind(name, code), isUdp: true });
const early = (name: string, rules: string): RequestKind => ({
  name,
  code: `add('script', { type: 'speculationrules', textContent: JSON.stringify(${rules}) })`,
  isExpected: true,
  isEarly: true,
});

/** Text of a script for a worker, as an address. */
const worker = (text: string): string =>
  `URL.createObjectURL(new Blob(["const to = '" + to + "/x';", ${JSON.stringify(text)}], { type: "text/javascript" }))`;
const TOLD = "new Promise((resolve) => { told.onmessage = resolve; })";
const ICE = `
  const peer = new RTCPeerConnection({ iceServers: [server] });
  peer.createDataChannel("x");
  const gathered = new Promise((resolve) => {
    peer.onicegatheringstatechange = () => peer.iceGatheringState === "complete" && resolve();
  });
  await peer.setLocalDescription(await peer.createOffer());
  await gathered;`;

export const REQUEST_KINDS: readonly RequestKind[] = [
  kind("fetch", "await fetch(to + '/x')"),
  kind("fetch no-cors", "await fetch(to + '/x', { mode: 'no-cors' })"),
  kind("fetch keepalive", "await fetch(to + '/x', { keepalive: true, method: 'POST', body: 'x' })"),
  kind(
    "XMLHttpRequest",
    "const xhr = new XMLHttpRequest(); xhr.open('GET', to + '/x'); xhr.send(); await new Promise((resolve) => { xhr.onloadend = resolve; })",
  ),
  kind("sendBeacon", "navigator.sendBeacon(to + '/x', 'x')"),
  kind("image", "add('img', { src: to + '/x.png' })"),
  kind("image of an input", "add('input', { type: 'image', src: to + '/x.png' })"),
  kind("image by srcset", "add('img', { srcset: to + '/x.png 1x' })"),
  kind(
    "image of svg",
    `document.body.insertAdjacentHTML("beforeend", '<svg><image href="' + to + '/x.png"/></svg>')`,
  ),
  kind("script", "add('script', { src: to + '/x.js' })"),
  kind("module script", "add('script', { type: 'module', src: to + '/x.js' })"),
  kind("import()", "await import(to + '/x.js')"),
  kind("modulepreload", "add('link', { rel: 'modulepreload', href: to + '/x.js' })"),
  kind("stylesheet", "add('link', { rel: 'stylesheet', href: to + '/x.css' })"),
  kind("@import", "add('style', { textContent: '@import url(' + to + '/x.css);' })"),
  kind(
    "background",
    "add('div', { style: 'width:9px;height:9px;background:url(' + to + '/x.png)' })",
  ),
  kind("font", "await new FontFace('f' + Math.random(), 'url(' + to + '/x.woff2)').load()"),
  kind("video", "add('video', { src: to + '/x.mp4', preload: 'auto' })"),
  kind("video poster", "add('video', { poster: to + '/x.png' })"),
  kind("audio", "add('audio', { src: to + '/x.mp3', preload: 'auto' })"),
  kind("iframe", "add('iframe', { src: to + '/x' })"),
  kind("object", "add('object', { data: to + '/x', type: 'text/html' })"),
  kind("embed", "add('embed', { src: to + '/x', type: 'text/html' })"),
  kind(
    "form",
    "add('iframe', { name: 'get' }); add('form', { action: to + '/x', target: 'get' }).submit()",
  ),
  kind(
    "form post",
    "add('iframe', { name: 'post' }); add('form', { action: to + '/x', method: 'post', target: 'post' }).submit()",
  ),
  kind("window.open", "window.open(to + '/x')"),
  kind("window.open without opener", "window.open(to + '/x', '_blank', 'noopener')"),
  kind("navigation of a pop-up", "window.open('about:blank').location = to + '/x'"),
  kind(
    "meta refresh",
    `add('iframe', { srcdoc: '<meta http-equiv="refresh" content="0;url=' + to + '/x">' })`,
  ),
  kind(
    "ping",
    "const link = add('a', { href: '#', ping: to + '/x', textContent: 'x' }); link.click()",
  ),
  kind(
    "download",
    "add('a', { href: to + '/x.bin', download: 'x.bin', target: '_blank' }).click()",
  ),
  kind("prefetch", "add('link', { rel: 'prefetch', href: to + '/x' })"),
  kind("preload", "add('link', { rel: 'preload', as: 'script', href: to + '/x.js' })"),
  maybe("preconnect", "add('link', { rel: 'preconnect', href: to })"),
  maybe("dns-prefetch", "add('link', { rel: 'dns-prefetch', href: to })"),
  maybe("manifest", "add('link', { rel: 'manifest', href: to + '/x.json' })"),
  maybe("favicon", "add('link', { rel: 'icon', href: to + '/x.ico' })"),
  early("speculation prefetch", "{ prefetch: [{ source: 'list', urls: [to + '/x'] }] }"),
  early("speculation prerender", "{ prerender: [{ source: 'list', urls: [to + '/x'] }] }"),
  early(
    "redirected speculation prefetch",
    "{ prefetch: [{ source: 'list', urls: [own + '/redirect?to=' + to + '/x'] }] }",
  ),
  kind(
    "EventSource",
    "const events = new EventSource(to + '/x'); await new Promise((resolve) => { events.onerror = resolve; }); events.close()",
  ),
  kind(
    "WebSocket",
    "const socket = new WebSocket(to.replace('http', 'ws') + '/x'); await new Promise((resolve) => { socket.onclose = resolve; })",
  ),
  kind(
    "worker fetch",
    `const told = new Worker(${worker("fetch(to).finally(() => postMessage(1))")}); await ${TOLD}`,
  ),
  kind(
    "worker importScripts",
    `const told = new Worker(${worker("try { importScripts(to) } finally { postMessage(1) }")}); await ${TOLD}`,
  ),
  kind(
    "worker WebSocket",
    `const told = new Worker(${worker("new WebSocket(to.replace('http', 'ws')).onclose = () => postMessage(1)")}); await ${TOLD}`,
  ),
  kind(
    "shared worker fetch",
    `const told = new SharedWorker(${worker("onconnect = ({ ports: [port] }) => fetch(to).finally(() => port.postMessage(1))")}).port; await ${TOLD}`,
  ),
  kind("service worker fetch", "await askServiceWorker({ url: to + '/x', by: 'fetch' })"),
  kind(
    "service worker WebSocket",
    "await askServiceWorker({ url: to.replace('http', 'ws') + '/x', by: 'socket' })",
  ),
  kind("redirected fetch", "await fetch(own + '/redirect?to=' + to + '/x')"),
  kind("redirected image", "add('img', { src: own + '/redirect?to=' + to + '/x.png' })"),
  kind("redirected frame", "add('iframe', { src: own + '/redirect?to=' + to + '/x' })"),
  kind("redirected pop-up", "window.open(own + '/redirect?to=' + to + '/x')"),
  kind(
    "redirected post",
    "await fetch(own + '/redirect?code=307&to=' + to + '/x', { method: 'POST', body: 'x', mode: 'no-cors' })",
  ),
  kind("report of a policy", "add('iframe', { src: own + '/csp?to=' + to + '/x' })"),
  udp("WebRTC STUN", `const server = { urls: to.replace('http://', 'stun:') };${ICE}`),
  udp(
    "WebRTC TURN",
    `const server = { urls: to.replace('http://', 'turn:') + '?transport=udp', username: 'u', credential: 'c' };${ICE}`,
  ),
  kind(
    "WebRTC TURN by TCP",
    `const server = { urls: to.replace('http://', 'turn:') + '?transport=tcp', username: 'u', credential: 'c' };${ICE}`,
  ),
  udp(
    "WebTransport",
    "const transport = new WebTransport(to.replace('http', 'https') + '/x'); await transport.ready",
  ),
  udp(
    "worker WebTransport",
    `const told = new Worker(${worker("new WebTransport(to.replace('http', 'https')).ready.finally(() => postMessage(1))")}); await ${TOLD}`,
  ),
  udp(
    "WebRTC of a new frame",
    `const { RTCPeerConnection } = add('iframe', {}).contentWindow; const server = { urls: to.replace('http://', 'stun:') };${ICE}`,
  ),
  udp(
    "WebRTC of a pop-up",
    `const { RTCPeerConnection } = window.open('about:blank'); const server = { urls: to.replace('http://', 'stun:') };${ICE}`,
  ),
];
