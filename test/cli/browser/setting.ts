// What tests of `clawtools browser` stand on: pages of this machine, and a command that keeps a browser
// open.

import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { BIN, type Sandbox } from "../run-cli.js";

/** Of commands that start a browser, on a machine with much else to do. */
export const TEST_MS = 240_000;

export interface Site {
  /** Ends in a slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Pages by their paths; all others are not found. */
export async function servePages(pages: Readonly<Record<string, string>>): Promise<Site> {
  const server = createServer(({ url = "" }, response) => {
    const page = pages[url];
    const type = page?.startsWith("<") === false ? "text/csv" : "text/html";
    response.writeHead(page === undefined ? 404 : 200, { "content-type": type });
    response.end(page);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export interface Keeping {
  /** All that it has printed until then, on stdout and on stderr. */
  readonly said: string;
  readonly ended: Promise<number | null>;
  end(): Promise<void>;
}

/** Resolves when the browser can be used. Whoever asked for it ends it. */
export async function keepOpen({ root, env }: Sandbox, url: string): Promise<Keeping> {
  const args = ["browser", "open", url, "--allow-local", "--root", root];
  const child = spawn(process.execPath, [BIN, ...args], { env: { ...process.env, ...env } });
  const ended = new Promise<number | null>((end) => child.once("close", end));
  return {
    said: await hear(child, "stays open"),
    ended,
    async end() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function hear({ stderr, stdout }: ChildProcess, words: string): Promise<string> {
  let text = "";
  return new Promise((heard, reject) => {
    const add = (part: string) => {
      text += part;
      if (text.includes(words)) heard(text);
    };
    stdout?.setEncoding("utf8").on("data", add);
    stderr?.setEncoding("utf8").on("data", add);
    stderr?.once("close", () => reject(new Error(`It ended: ${text}`)));
  });
}
