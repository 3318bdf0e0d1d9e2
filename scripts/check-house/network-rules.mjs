// One way out: requests are made in the network driver and nowhere else, so that every address is
// judged there. Tests are free of this.
import { lineOf } from "./read-tree.mjs";

const NET_DRIVER = /^src\/drivers\/net\//;
/** Rooms that answer requests: they may listen, and make none. */
const SERVERS = /^src\/(?:mcp\/server|gateway)\/http\//;
const LISTENING =
  /^import (?:type )?\{(?:\s*(?:type )?(?:createServer(?: as \w+)?|Server|IncomingMessage|ServerResponse)\s*,?)+\s*\} from "node:https?";$/;
/** A member of something, a key and the signature of a method are not the global function. */
const GLOBAL_FETCH =
  /(?<![.\w$])fetch\b(?!\s*\??\s*:)(?!\s*\([^()]*\)\s*(?::\s*Promise\b|\{))|\b(?:WebSocket|EventSource|XMLHttpRequest)\s*\(/g;
const FROM_GLOBAL = /\bglobalThis\s*(?:\?\.|\.|\[)\s*fetch\b|\bfetch\b[^;}]*\}\s*=\s*globalThis\b/g;
const MODULES = [
  "node:http",
  "node:https",
  "node:http2",
  "node:dns",
  "node:dns/promises",
  "undici",
];

export function networkRules(file) {
  if (file.isTest || NET_DRIVER.test(file.path)) return [];
  const names = [...file.strings]
    .filter(([offset, value]) => MODULES.includes(value) && !isListening(file, offset))
    .map(([offset]) => offset);
  const uses = [GLOBAL_FETCH, FROM_GLOBAL].flatMap((pattern) =>
    [...file.code.matchAll(pattern)].map(({ index }) => index),
  );
  const offsets = [...new Set([...names, ...uses])];
  return offsets.map((offset) => ({
    path: file.path,
    line: lineOf(file.text, offset),
    rule: "network",
    message: "requests are made in src/drivers/net only; a tool reads ctx.net",
  }));
}

function isListening(file, offset) {
  if (!SERVERS.test(file.path)) return false;
  const start = file.text.lastIndexOf("import", offset);
  const end = file.text.indexOf(";", offset) + 1;
  return LISTENING.test(file.text.slice(start, end));
}
