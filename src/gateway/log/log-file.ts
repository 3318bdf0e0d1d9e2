// The gateway's log: one JSON object a line, secrets hidden, rotated by size. `logs.tail` reads it;
// the command line prints the same entries for people.

import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Clock, isSecretName } from "../../core/index.js";
import { errnoOf } from "../../lib/errno.js";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_LINE_CHARS = 8_000;
const MAX_WAITING_LINES = 10_000;
/** Bytes that one tail reads at most. */
export const MAX_LOG_BYTES = 1_000_000;
const HIDDEN = "[hidden]";
const BEARER = /\b(Bearer\s+|token=|password=)[^\s"&]+/gi;

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export function gatewayLogPath(stateDir: string): string {
  return join(stateDir, "logs", "gateway.jsonl");
}

export interface LogEntry {
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly [field: string]: unknown;
}

export type GatewayLog = ReturnType<typeof createLog>;

export interface LogOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Gets each entry as well. */
  readonly onEntry?: ((entry: LogEntry) => void) | undefined;
  readonly maxFileBytes?: number | undefined;
}

/** A log that cannot be written never stops the gateway; `onEntry` still gets every entry. */
export function createLog(options: LogOptions) {
  const { path, clock, onEntry, maxFileBytes = MAX_FILE_BYTES } = options;
  const secrets = new Set<string>();
  let waiting: string[] = [];
  let dropped = 0;
  let writing: Promise<void> | undefined;
  let handle: FileHandle | undefined;
  let bytes = 0;
  let isClosed = false;

  const clean = (text: string) => {
    let shown = text;
    for (const secret of secrets) shown = shown.replaceAll(secret, HIDDEN);
    return shown.replace(BEARER, `$1${HIDDEN}`);
  };

  async function openFile(): Promise<FileHandle> {
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;
    const opened = await open(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, FILE_MODE);
    bytes = (await opened.stat()).size;
    return opened;
  }

  async function writeOut(): Promise<void> {
    while (waiting.length > 0) {
      const lines = waiting;
      waiting = [];
      try {
        handle ??= await openFile();
        const text = Buffer.from(lines.join(""));
        await handle.appendFile(text);
        bytes += text.length;
        if (bytes > maxFileBytes) await rotate();
      } catch (error) {
        dropped += lines.length;
        onEntry?.(toEntry("warn", `The log ${path} cannot be written (${errnoOf(error)}).`));
        await handle?.close().catch(() => undefined);
        handle = undefined;
        return;
      }
    }
  }

  async function rotate(): Promise<void> {
    await handle?.close();
    handle = undefined;
    await rename(path, `${path}.1`);
  }

  const toEntry = (level: LogLevel, message: string, fields: object = {}): LogEntry => ({
    time: new Date(clock.now()).toISOString(),
    level,
    message,
    ...fields,
  });

  function startWriting(): void {
    writing ??= writeOut().finally(() => {
      writing = undefined;
      if (waiting.length > 0) startWriting();
    });
  }

  /** Fulfilled when everything written before is in the file. */
  async function flush(): Promise<void> {
    while (writing !== undefined) await writing;
  }

  return {
    path,
    /** A text that no entry may show: a token that was read or made. */
    hide(secret: string): void {
      if (secret.length >= 8) secrets.add(secret);
    },
    write(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void {
      const entry = toEntry(level, clean(message), fields && hideFields(fields, clean));
      onEntry?.(entry);
      if (isClosed) return;
      if (waiting.length >= MAX_WAITING_LINES) {
        dropped++;
        return;
      }
      if (dropped > 0) {
        waiting.push(toLine(toEntry("warn", `${dropped} log entries were lost.`)));
        dropped = 0;
      }
      waiting.push(toLine(entry));
      startWriting();
    },
    flush,
    async close(): Promise<void> {
      isClosed = true;
      await flush();
      await handle?.close();
      handle = undefined;
    },
  };
}

/** `_meta.logLevelName` is what the OpenClaw command line reads. */
function toLine({ level, ...entry }: LogEntry): string {
  const { time, message, ...fields } = entry;
  const shown = { time, level, message: message.slice(0, MAX_LINE_CHARS), ...fields };
  const line = JSON.stringify({ ...shown, _meta: { logLevelName: level.toUpperCase() } });
  return `${line.length > 2 * MAX_LINE_CHARS ? JSON.stringify({ time, level, message: message.slice(0, MAX_LINE_CHARS) }) : line}\n`;
}

function hideFields(
  fields: Readonly<Record<string, unknown>>,
  clean: (text: string) => string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (isSecretName(name)) return [name, HIDDEN];
      return [name, typeof value === "string" ? clean(value) : value];
    }),
  );
}

/** Whole lines only, after `cursor` or the last ones. */
export async function tailLog(
  path: string,
  request: { readonly cursor?: number; readonly limit: number; readonly maxBytes: number },
) {
  const { cursor, limit, maxBytes } = request;
  const size = await stat(path).then(
    (facts) => facts.size,
    () => 0,
  );
  const reset = cursor !== undefined && cursor > size;
  const from = cursor === undefined || reset ? 0 : cursor;
  const start = Math.max(from, size - maxBytes);
  const text = size === start ? "" : await readRange(path, start, size);
  const whole = start > 0 && start !== cursor ? text.slice(text.indexOf("\n") + 1) : text;
  const end = whole.lastIndexOf("\n") + 1;
  const lines = whole.slice(0, end).split("\n").slice(0, -1);
  const next = size - Buffer.byteLength(whole.slice(end));
  const truncated = start > from || lines.length > limit;
  return { file: path, cursor: next, size, lines: lines.slice(-limit), truncated, reset };
}

async function readRange(path: string, start: number, end: number): Promise<string> {
  const handle = await open(path, "r");
  try {
    const buffer = Buffer.alloc(end - start);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}
