// The static files of a web client, from the folder of `gateway.controlUi.root`. Paths without a file get
// the client's first page, whose own router shows them.

import { createHash } from "node:crypto";
import { extname } from "node:path";
import { type FsBridge, isToolError } from "../../core/index.js";
import { createNodeBridge } from "../../drivers/fs/index.js";
import type { GatewayServices } from "../services.js";
import { type HttpCall, type HttpRoute, sendError, sendJson } from "./routes.js";

const INDEX = "index.html";
/** Paths of interfaces: a wrong one must not look like a page. */
const NOT_PAGES = /^\/(?:api|plugins|v1|hooks|tools)(?:\/|$)/;
const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;
const RELATIVE_LINK = /\b(href|src)="\.\//g;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};

export function listControlUiRoutes(services: GatewayServices): HttpRoute[] {
  const rootOf = () => services.config.current().gateway?.controlUi?.root;
  const isOn = () => rootOf() !== undefined;
  let opened: { readonly root: string; readonly files: FsBridge } | undefined;
  const filesOf = (root: string) => {
    if (opened?.root !== root) opened = { root, files: createNodeBridge(root) };
    return opened.files;
  };
  return [
    {
      ...{ path: "/", methods: ["GET"], auth: "open", isOn },
      async handle({ path, response }) {
        const root = rootOf();
        if (root === undefined || NOT_PAGES.test(path)) return sendError(response, NOT_FOUND);
        await sendFile(response, { path, files: filesOf(root) });
      },
    },
    {
      ...{ path: "/control-ui-config.json", methods: ["GET"], auth: "operator.read", isOn },
      handle: ({ response }) =>
        sendJson(response, {
          body: {
            basePath: "",
            assistantName: "clawtools",
            assistantAvatar: "",
            assistantAgentId: services.agents.defaultId,
            serverVersion: services.version,
            terminalEnabled: false,
          },
        }),
    },
  ];
}

const NOT_FOUND = { status: 404, type: "not_found", message: "Not found" };

async function sendFile(
  response: HttpCall["response"],
  { path, files }: { readonly path: string; readonly files: FsBridge },
): Promise<void> {
  const name = readName(path);
  const found = name === INDEX ? undefined : await readFile(files, name);
  if (found !== undefined) return send(response, { name, body: found });
  // A missing asset is an error; a path without an ending is a page of the client.
  const page = extname(name) === "" || name === INDEX ? await readFile(files, INDEX) : undefined;
  if (page === undefined) return sendError(response, NOT_FOUND);
  const html = toPage(page.toString("utf8"));
  send(response, { name: INDEX, body: Buffer.from(html), csp: toPolicy(html) });
}

function readName(path: string): string {
  try {
    return decodeURIComponent(path).replace(/^\/+/, "") || INDEX;
  } catch {
    return INDEX;
  }
}

/** undefined: no such file inside the folder. The bridge refuses what leads out of it. */
async function readFile(files: FsBridge, filePath: string): Promise<Buffer | undefined> {
  try {
    return await files.readFile({ filePath });
  } catch (error) {
    if (isToolError(error)) return undefined;
    throw error;
  }
}

/** Deep links load the same page, so its links must not be relative. */
function toPage(html: string): string {
  return html
    .replace("<html", '<html data-openclaw-control-ui-base-path=""')
    .replace(RELATIVE_LINK, '$1="/');
}

function toPolicy(html: string): string {
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(
    ([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`,
  );
  return [
    "default-src 'self'",
    `script-src 'self' ${hashes.join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "font-src 'self' data:",
    // Icons are fetched from data URLs.
    "connect-src 'self' data:",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function send(
  response: HttpCall["response"],
  file: { readonly name: string; readonly body: Buffer; readonly csp?: string },
): void {
  const { name, body, csp } = file;
  response.writeHead(200, {
    "Content-Type": TYPES[extname(name).toLowerCase()] ?? "application/octet-stream",
    "Content-Length": body.length,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": name.startsWith("assets/")
      ? "public, max-age=31536000, immutable"
      : "no-cache",
    ...(csp === undefined ? {} : { "Content-Security-Policy": csp }),
  });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
