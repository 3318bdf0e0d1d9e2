// The audit of a state folder: rows are written in batches after the answers and never fail a call.
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AuditContent, AuditLog, AuditRow, Clock, RandomSource } from "../core/index.js";
import { isMissing } from "../lib/errno.js";
import { readPlainFile } from "../lib/system/open-plain.js";
import type { LockPorts } from "../lib/system/rename-lock.js";
import { type AuditLimits, createAppender, createLock } from "./append-rows.js";
import { hashSnapshot, readArgumentsText, takeSnapshot, toCallBody } from "./call-body.js";
import { KEY_FILE, LOCK_FOLDER, type RowBody } from "./row.js";

const KEY_BYTES = 32;
const FILE_MODE = 0o600;
const MAX_KEY_BYTES = 100;
const KEY_FORM = /^[0-9a-f]{64}\n?$/;
export const DEFAULT_AUDIT_LIMITS: AuditLimits = { maxBytes: 32 * 1024 * 1024, keepFiles: 9 };

/** Rows of this time are written together. */
const GATHER_MS = 5;
const SYNC_WITHIN_MS = 50;
const RETRY_AFTER_MS = 1_000;

/** More are only counted: as long as nothing can be written, and while others write. */
const MAX_WAITING_ROWS = { outage: 1_000, busy: 50_000 } as const;
const MAX_GATHERED_ROWS = 1_000;

export interface AuditFileSource extends Pick<LockPorts, "owners"> {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly folder: string;
  readonly limits?: Partial<AuditLimits> | undefined;
  /** Called once per outage. */
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

export interface AuditFile extends AuditLog {
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface Gathered {
  readonly row: AuditRow;
  readonly given: string;
  readonly answered: string | undefined;
}

export function createAuditFile(source: AuditFileSource): AuditFile {
  const { folder, clock, random, report } = source;
  const lock = createLock(join(folder, LOCK_FOLDER), source);
  const limits = { ...DEFAULT_AUDIT_LIMITS, ...source.limits };
  const appender = createAppender({ folder, clock, lock, limits });
  const outage = createOutageCount();
  const gathered: Gathered[] = [];
  const waiting: RowBody[] = [];
  let key: Buffer | undefined;
  let cancelWrite: (() => void) | undefined;
  let cancelSync: (() => void) | undefined;
  let working: Promise<void> = Promise.resolve();

  /** Runs one task at a time; never rejects. */
  function queue(work: () => Promise<void>): Promise<void> {
    working = working.then(work).catch((cause: unknown) => {
      const isNew = outage.begin();
      if (isNew) report({ message: describeOutage(folder, cause), cause });
    });
    return working;
  }

  function hashGathered(secret: Buffer): void {
    for (const { row, given, answered } of gathered.splice(0)) {
      const argumentsHash = hashSnapshot(given, secret);
      const resultHash = answered && hashSnapshot(answered, secret);
      const body = toCallBody(row, { argumentsHash, resultHash });
      const max = outage.isOn() ? MAX_WAITING_ROWS.outage : MAX_WAITING_ROWS.busy;
      if (waiting.length < max) waiting.push(body);
      else outage.miss(body.at);
    }
  }

  async function loadKey(): Promise<Buffer> {
    key ??= await lock.within(() => readOrMakeKey(folder, random));
    return key;
  }

  async function write(): Promise<void> {
    hashGathered(await loadKey());
    const late = outage.describe({ waiting: waiting.length, nowMs: clock.now() });
    if (late) waiting.push(late);
    const hasRows = waiting.length > 0;
    try {
      if (hasRows) await appender.append(waiting);
      outage.end();
    } catch (error) {
      const place = late ? waiting.lastIndexOf(late) : -1;
      if (place >= 0) waiting.splice(place, 1);
      throw error;
    }
    if (!hasRows) return;
    cancelSync ??= clock.after(SYNC_WITHIN_MS, () => {
      cancelSync = undefined;
      void queue(appender.sync);
    });
  }

  function writeSoon(delayMs: number): void {
    cancelWrite ??= clock.after(delayMs, () => {
      cancelWrite = undefined;
      void queue(write);
    });
  }

  async function flush(): Promise<void> {
    cancelWrite?.();
    cancelWrite = undefined;
    await queue(write);
    cancelSync?.();
    cancelSync = undefined;
    await queue(appender.sync);
  }

  return {
    append(row, content) {
      if (gathered.length >= MAX_GATHERED_ROWS && key) hashGathered(key);
      if (gathered.length < MAX_GATHERED_ROWS) gathered.push(gather(row, content));
      else outage.miss(new Date(row.atMs).toISOString());
      writeSoon(outage.isOn() ? RETRY_AFTER_MS : GATHER_MS);
    },
    flush,
    async close() {
      await flush();
      await queue(appender.close);
    },
  };
}

function gather(row: AuditRow, content: AuditContent | undefined): Gathered {
  const given = takeSnapshot(readArgumentsText(content?.arguments));
  const answered = content?.result && takeSnapshot(content.result);
  return { row, given, answered };
}

function createOutageCount() {
  let isOn = false;
  let missed = 0;
  let since: string | undefined;
  return {
    isOn: () => isOn,
    begin() {
      const isNew = !isOn;
      isOn = true;
      return isNew;
    },
    miss(at: string) {
      missed += 1;
      since ??= at;
    },
    describe({ waiting, nowMs }: { waiting: number; nowMs: number }): RowBody | undefined {
      if (missed === 0 && (!isOn || waiting === 0)) return undefined;
      const at = new Date(nowMs).toISOString();
      return { kind: "late", at, late: waiting, missed, ...(since && { missedSince: since }) };
    },
    end() {
      isOn = false;
      missed = 0;
      since = undefined;
    },
  };
}

function describeOutage(folder: string, cause: unknown): string {
  const why = cause instanceof Error ? cause.message : String(cause);
  return `The audit in "${folder}" cannot be written (${why}); rows wait until it can, and are lost when this process ends before.`;
}

/** The caller holds the lock. */
async function readOrMakeKey(folder: string, random: RandomSource): Promise<Buffer> {
  const path = join(folder, KEY_FILE);
  const bytes = await readPlainFile(path, MAX_KEY_BYTES).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  const found = bytes?.toString() ?? "";
  if (KEY_FORM.test(found)) return Buffer.from(found.trim(), "hex");
  const key = random.hex(KEY_BYTES);
  await writeFile(`${path}.new`, `${key}\n`, { mode: FILE_MODE });
  await rename(`${path}.new`, path);
  return Buffer.from(key, "hex");
}
