// A child in its own terminal, through a native package that is loaded on first use.
import { closeSync, constants, openSync, writeFileSync } from "node:fs";
import { constants as osConstants } from "node:os";
import { join } from "node:path";
import { type EnclosedCommand, ToolError } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { loadPackage } from "../../../lib/system/load-package.js";
import {
  makePrivateFolder,
  PASSED_FD_NAME,
  removePrivateFolder,
} from "../launch/private-folder.js";

const MAX_HELD_BYTES = 64 * 1024;
const SHELL = "/bin/sh";
const DEFAULT_TERM = "xterm-256color";
/** ^C reaches everyone in the terminal; the containment must survive it. */
const SHIELD = 'trap "" INT QUIT TSTP; exec "$@"';
/** A terminal passes no descriptors, so the containment reads a file. */
const givenFrom = (path: string, descriptor: number) => `${SHIELD} ${descriptor}<'${path}'`;
/** Restores what the shield changed, for the program inside. */
export const DEFAULT_SIGNALS = ["/usr/bin/env", "--default-signal=INT,QUIT,TSTP"] as const;

/** Shell words: report ready and wait for the start signal, both through the terminal itself. */
export function terminalHandshake(token: string): string {
  return [
    "stty -echo",
    `printf %s '${token}'`,
    "IFS= read -r go || exit 97",
    '[ "$go" = go ] || exit 97',
    "unset go",
    markLast(token),
    "stty echo",
  ].join("; ");
}

export interface TerminalRequest {
  readonly columns: number;
  readonly rows: number;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly given?: EnclosedCommand["given"];
  /** Output before it is not shown. */
  readonly token: string;
  readonly onData: (bytes: Uint8Array) => void;
}

export interface TerminalEnd {
  readonly exitCode: number | undefined;
  readonly exitSignal: string | undefined;
}

export type TerminalProcess = Awaited<ReturnType<typeof spawnTerminal>>;

export async function spawnTerminal(request: TerminalRequest) {
  const { file, args, columns, rows, cwd, env, token, onData } = request;
  const { spawn } = loadTerminals();
  const giving = request.given && writeGiven(request.given);
  const child = spawn(SHELL, ["-c", giving?.shield ?? SHIELD, SHELL, file, ...args], {
    name: env.TERM ?? DEFAULT_TERM,
    cols: columns,
    rows,
    cwd,
    env: { ...env },
    encoding: null,
  });
  // The type omits the name.
  const letGo = holdTerminal((child as { readonly ptsName?: unknown }).ptsName);
  const last = watchForLast(token, letGo);
  const startupFilter = createStartupFilter(token, (bytes) => {
    last.push(bytes);
    onData(bytes);
  });
  const exited = new Promise<TerminalEnd>((resolve) => {
    child.onExit(({ exitCode, signal }) => {
      letGo();
      resolve(toEnd({ exitCode, signal }));
    });
  });
  // Typed as text, but without an encoding it is bytes.
  child.onData((data: unknown) =>
    startupFilter.push(Buffer.isBuffer(data) ? data : Buffer.from(String(data))),
  );
  const ready = Promise.race([startupFilter.started, exited.then(rejectEarlyEnd)]);
  // Unobserved rejections must not crash.
  ready.catch(() => undefined).finally(() => giving?.remove());
  const write = (bytes: Uint8Array) =>
    // Typed as text, but bytes are written as they are.
    child.write(Buffer.from(bytes) as unknown as string);

  return {
    pid: child.pid,
    /** Fulfilled when the inside waits for `go`. */
    ready,
    go: () => write(Buffer.from("go\n")),
    write,
    pause: () => child.pause(),
    resume: () => child.resume(),
    exited,
  };
}

/** In a private folder, until the inside has read it. */
function writeGiven({ descriptor, bytes }: NonNullable<TerminalRequest["given"]>) {
  const folder = makePrivateFolder();
  const path = join(folder, PASSED_FD_NAME);
  writeFileSync(path, bytes);
  return {
    shield: givenFrom(path.replaceAll("'", "'\\''"), descriptor),
    remove: () => removePrivateFolder(folder),
  };
}

function loadTerminals(): typeof import("@lydell/node-pty") {
  try {
    // Its own types say what it is.
    return loadPackage("@lydell/node-pty") as typeof import("@lydell/node-pty");
  } catch (cause) {
    throw new ToolError(
      "unavailable",
      "Terminals need the package @lydell/node-pty, which cannot be loaded here. Install it and restart, or run without pty.",
      { reason: "terminal_unavailable", cause },
    );
  }
}

function toEnd(end: { exitCode: number; signal: number | undefined }): TerminalEnd {
  const { exitCode, signal } = end;
  if (!signal) return { exitCode, exitSignal: undefined };
  const [name] = Object.entries(osConstants.signals).find(([, number]) => number === signal) ?? [];
  return { exitCode: undefined, exitSignal: name ?? `signal ${signal}` };
}

function rejectEarlyEnd({ exitCode, exitSignal }: TerminalEnd): never {
  const how = exitSignal ?? `exit code ${exitCode}`;
  throw new ToolError("failed", `The terminal ended before the command began (${how}).`, {
    reason: "start_failed",
  });
}

function createStartupFilter(token: string, show: (bytes: Uint8Array) => void) {
  const wanted = Buffer.from(token);
  let held = Buffer.alloc(0);
  let hasStarted = false;
  let start: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });

  return {
    started,
    push(bytes: Uint8Array) {
      if (hasStarted) return show(bytes);
      held = Buffer.concat([held, bytes]);
      const place = held.indexOf(wanted);
      if (place === -1) {
        held = held.subarray(Math.max(0, held.length - MAX_HELD_BYTES));
        return;
      }
      hasStarted = true;
      start();
      const rest = held.subarray(place + wanted.length);
      if (rest.length > 0) show(rest);
    },
  };
}

/** Terminals ignore it. */
const BEGIN = "\\033]777;";
const END = "\\007";

/** Written last, however the shell ends. */
function markLast(token: string): string {
  return `trap "printf '${BEGIN}${token}${END}' 2>/dev/null >/dev/tty" EXIT`;
}

export interface Watch {
  push(bytes: Uint8Array): void;
}

/** Calls `found` once, however the mark is cut. */
export function watchForLast(token: string, found: () => void): Watch {
  const mark = Buffer.from(`\x1b]777;${token}\x07`);
  let isFound = false;
  let tail = Buffer.alloc(0);
  return {
    push(bytes) {
      if (isFound) return;
      const text = Buffer.concat([tail, bytes]);
      isFound = text.includes(mark);
      tail = text.subarray(Math.max(0, text.length - mark.length + 1));
      if (isFound) found();
    },
  };
}

/** Keeps the terminal open; returns how to release it. */
export function holdTerminal(path: unknown): () => void {
  if (typeof path !== "string") return () => undefined;
  try {
    const descriptor = openSync(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
    return lazy(() => closeSync(descriptor));
  } catch {
    return () => undefined;
  }
}
