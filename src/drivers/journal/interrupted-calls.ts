// Calls without an end whose process is gone: found by the marks of the journals that wrote them, and
// ended as interrupted.
import {
  type Clock,
  isToolError,
  type JournalEnd,
  type JournalIntent,
  type Store,
} from "../../core/index.js";
import { readField, readNumber, readText } from "../../lib/read-field.js";

export const JOURNAL_STREAM = "journal.calls";
export const WRITERS_SPACE = "journal.writers";
const PAGE_RECORDS = 1_000;
const ENDS_PER_WRITE = 500;

export interface JournalOwner {
  readonly own: string;
  isDead(mark: string, ageMs: number): boolean;
}

export interface RecoveryDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly owner: JournalOwner;
}

interface DeadWriter extends WriterMark {
  readonly key: string;
  readonly revision: number;
}

/** Gives the calls that it has ended; each to one process only, also when several do it at once. */
export async function endInterrupted(deps: RecoveryDeps): Promise<JournalRow[]> {
  const { store, clock } = deps;
  const dead = await findDeadWriters(deps);
  if (dead.length === 0) return [];
  const open = await findOpenCalls(store, Math.min(...dead.map(({ from }) => from)));
  const end = { outcome: "interrupted", atMs: clock.now() } as const;
  const rows: JournalRow[] = [];
  for (const writer of dead) {
    const begun = open.filter((call) => call.writer === writer.key);
    rows.push(...(await endCalls(store, { writer, begun, end })));
  }
  return rows;
}

async function findDeadWriters({ store, clock, owner }: RecoveryDeps): Promise<DeadWriter[]> {
  const dead: DeadWriter[] = [];
  let after: string | undefined;
  do {
    const page = await store.kv.list({ space: WRITERS_SPACE, after });
    for (const { key, revision, value } of page.entries) {
      const mark = parseWriterMark(value);
      if (!mark || !owner.isDead(mark.owner, clock.now() - mark.atMs)) continue;
      dead.push({ ...mark, key, revision });
    }
    after = page.next;
  } while (after !== undefined);
  return dead;
}

async function findOpenCalls(store: Store, from: number): Promise<BeginRecord[]> {
  const open = new Map<string, BeginRecord>();
  for await (const value of readFrom(store, from)) {
    const ended = parseEnd(value);
    if (ended) open.delete(ended.ends);
    const begin = ended ? undefined : parseBegin(value);
    if (begin) open.set(begin.key, begin);
  }
  return [...open.values()];
}

interface Ending {
  readonly writer: DeadWriter;
  readonly begun: readonly BeginRecord[];
  readonly end: JournalEnd;
}

/** Anyone who removes the mark ends its calls; they go in parts, of which the mark tells the rest. */
async function endCalls(
  store: Store,
  { writer, begun, end }: Ending,
): Promise<readonly JournalRow[]> {
  const rows: JournalRow[] = [];
  let { revision } = writer;
  for (let start = 0; ; start += ENDS_PER_WRITE) {
    const part = begun.slice(start, start + ENDS_PER_WRITE);
    const isLast = start + ENDS_PER_WRITE >= begun.length;
    const taken = await takePart(store, { writer: { ...writer, revision }, part, end, isLast });
    if (taken === undefined) return rows;
    rows.push(...part.map((begin) => toRow(begin, end)));
    if (isLast) return rows;
    revision = taken;
  }
}

/** The new revision of the mark, 0 when it is removed; undefined when another was faster. */
async function takePart(
  store: Store,
  part: {
    readonly writer: DeadWriter;
    readonly part: readonly BeginRecord[];
    readonly end: JournalEnd;
    readonly isLast: boolean;
  },
): Promise<number | undefined> {
  const { key, revision, owner, from, atMs } = part.writer;
  const place = { space: WRITERS_SPACE, key, expectRevision: revision };
  const records: EndRecord[] = part.part.map((begin) => ({ ends: begin.key, end: part.end }));
  try {
    await store.transact([
      part.isLast
        ? { kind: "kv.delete", ...place }
        : { kind: "kv.put", ...place, value: { owner, from, atMs } },
      ...(records.length === 0
        ? []
        : [{ kind: "log.append" as const, stream: JOURNAL_STREAM, records }]),
    ]);
  } catch (error) {
    if (isToolError(error) && error.reason === "revision_mismatch") return undefined;
    throw error;
  }
  return part.isLast ? 0 : ((await store.kv.get({ space: WRITERS_SPACE, key }))?.revision ?? 0);
}

export async function* listRows(store: Store): AsyncIterable<JournalRow> {
  const ends = new Map<string, JournalEnd>();
  let before: number | undefined;
  do {
    const request = { stream: JOURNAL_STREAM, before, limit: PAGE_RECORDS };
    const { records, next } = await store.log.readLast(request);
    for (const { value } of records) {
      const ended = parseEnd(value);
      // Of two ends the later is the true one: its call was given up too early.
      if (ended && !ends.has(ended.ends)) ends.set(ended.ends, ended.end);
      const begin = ended ? undefined : parseBegin(value);
      const end = begin && ends.get(begin.key);
      if (begin && end) yield toRow(begin, end);
    }
    before = next;
  } while (before !== undefined);
}

async function* readFrom(store: Store, from: number): AsyncIterable<unknown> {
  let after: number | undefined = from;
  do {
    const request = { stream: JOURNAL_STREAM, after, limit: PAGE_RECORDS };
    const { records, next }: { records: readonly { value: unknown }[]; next: number | undefined } =
      await store.log.read(request);
    for (const { value } of records) yield value;
    after = next;
  } while (after !== undefined);
}

const OUTCOMES: readonly JournalEnd["outcome"][] = ["ok", "error", "interrupted"];

export interface BeginRecord extends JournalIntent {
  /** Names the call: its own id need not be unique. */
  readonly key: string;
  readonly writer: string;
  readonly owner: string;
  readonly root?: string | undefined;
}

export interface EndRecord {
  readonly ends: string;
  readonly end: JournalEnd;
}

export interface JournalRow extends Omit<BeginRecord, "key" | "writer"> {
  readonly end: JournalEnd;
}

function parseBegin(value: unknown): BeginRecord | undefined {
  const key = readText(value, "key");
  const writer = readText(value, "writer");
  const toolCallId = readText(value, "toolCallId");
  const toolName = readText(value, "toolName");
  const argumentsText = readText(value, "argumentsText");
  const owner = readText(value, "owner");
  const atMs = readNumber(value, "atMs");
  if (key === undefined || writer === undefined || owner === undefined) return undefined;
  if (toolCallId === undefined || toolName === undefined) return undefined;
  if (argumentsText === undefined || atMs === undefined) return undefined;
  const sessionKey = readText(value, "sessionKey");
  const root = readText(value, "root");
  return { key, writer, toolCallId, toolName, sessionKey, argumentsText, atMs, owner, root };
}

function parseEnd(value: unknown): EndRecord | undefined {
  const ends = readText(value, "ends");
  const end = readField(value, "end");
  const said = readText(end, "outcome");
  const outcome = OUTCOMES.find((known) => known === said);
  const atMs = readNumber(end, "atMs");
  if (ends === undefined || outcome === undefined || atMs === undefined) return undefined;
  return { ends, end: { outcome, atMs } };
}

function toRow(begin: BeginRecord, end: JournalEnd): JournalRow {
  const { key: _key, writer: _writer, ...row } = begin;
  return { ...row, end };
}

export interface WriterMark {
  readonly owner: string;
  readonly from: number;
  readonly atMs: number;
}

function parseWriterMark(value: unknown): WriterMark | undefined {
  const owner = readText(value, "owner");
  const from = readNumber(value, "from");
  const atMs = readNumber(value, "atMs");
  if (owner === undefined || from === undefined || atMs === undefined) return undefined;
  return { owner, from, atMs };
}
