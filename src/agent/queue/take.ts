// Which of the waiting items become the next message of a session, by the rules of its queue.

import type { ClawtoolsConfig } from "../../config/index.js";
import {
  type InboxItem,
  textOfContent,
  type UserContent,
  type UserRecord,
  type WaitingItem,
} from "../../sessions/index.js";

const DEFAULT_CAP = 20;
const DEFAULT_DEBOUNCE_MS = 500;
const MAX_LISTED = 20;
const MAX_DROPPED_CHARS = 60;
/** A record of the store may have 16 MiB; the rest is for what is said around the messages. */
export const MAX_MESSAGE_BYTES = 15 * 1024 * 1024;

export const QUEUE_MODES = ["steer", "followup", "collect", "interrupt"] as const;
export type QueueMode = (typeof QUEUE_MODES)[number];

/** `messages.queue` of the config. */
export interface QueueRules {
  readonly mode: QueueMode;
  /** `collect` waits this long for further messages. */
  readonly debounceMs: number;
  /** Messages of people, and those of other sessions, that one run takes at once. */
  readonly cap: number;
  /** With more than `cap` of people: drop the oldest, drop them and quote how they began, or refuse new ones. */
  readonly drop: "old" | "summarize" | "new";
}

/** Modes of older configs that are not known here mean `steer`. */
export function readQueueRules(config: ClawtoolsConfig, mode?: QueueMode): QueueRules {
  const { queue = {} } = config.messages ?? {};
  const {
    cap = DEFAULT_CAP,
    debounceMs = DEFAULT_DEBOUNCE_MS,
    drop = "summarize",
    mode: written,
  } = queue;
  const configured = QUEUE_MODES.find((known) => known === written);
  return { mode: mode ?? configured ?? "steer", debounceMs, cap, drop };
}

const QUIET_KINDS: ReadonlySet<InboxItem["kind"]> = new Set(["system", "heartbeat"]);

/** System events do not start a run; they go with the next message. */
export function startsRun(waiting: readonly WaitingItem[]): boolean {
  return waiting.some(({ item }) => item.kind !== "system");
}

/** What fits into one message; the rest is taken after it. */
export function chooseFitting(waiting: readonly WaitingItem[]): readonly WaitingItem[] {
  const first = waiting.findIndex(({ item }) => item.kind !== "system");
  let bytes = 0;
  const end = waiting.findIndex(({ item }, index) => {
    bytes += sizeOfContent(item.content);
    return index > first && bytes > MAX_MESSAGE_BYTES;
  });
  return end === -1 ? waiting : waiting.slice(0, end);
}

export function sizeOfContent(content: UserContent): number {
  return Buffer.byteLength(JSON.stringify(content));
}

/** `followup` takes one message with the system events before it, the others all up to a run of its own. */
export function chooseItems(
  waiting: readonly WaitingItem[],
  { mode, cap }: QueueRules,
): readonly WaitingItem[] {
  const first = waiting.findIndex(({ item }) => item.kind !== "system");
  const kind = waiting[first]?.item.kind;
  if (kind === "heartbeat") {
    // Several wakes at once are one turn.
    const end = waiting.findIndex(({ item }) => !QUIET_KINDS.has(item.kind));
    return end === -1 ? waiting : waiting.slice(0, end);
  }
  const isAlone = mode === "followup" || kind === "exchange";
  return isAlone
    ? waiting.slice(0, first + 1)
    : upToCap(waiting.slice(0, findOwnRun(waiting)), cap);
}

/** For a run that is under way. What gets a run of its own waits, unless other messages wait behind it. */
export function chooseSteered(
  waiting: readonly WaitingItem[],
  { cap }: QueueRules,
): readonly WaitingItem[] {
  const end = findOwnRun(waiting);
  const hasOthers = waiting
    .slice(end)
    .some(({ item }) => item.kind !== "exchange" && !QUIET_KINDS.has(item.kind));
  return upToCap(hasOthers ? waiting : waiting.slice(0, end), cap);
}

function findOwnRun(waiting: readonly WaitingItem[]): number {
  const found = waiting.findIndex(
    ({ item }) => item.kind === "exchange" || item.kind === "heartbeat",
  );
  return found === -1 ? waiting.length : found;
}

/** Only messages of people are dropped: more than `cap` from other sessions wait for the next turn. */
function upToCap(items: readonly WaitingItem[], cap: number): readonly WaitingItem[] {
  const next = items.filter(({ item }) => item.kind !== "system" && !isFromPerson(item))[cap];
  return next === undefined ? items : items.slice(0, items.indexOf(next));
}

function isFromPerson({ kind, hops }: InboxItem): boolean {
  return kind === "message" && hops === undefined;
}

export interface TakeRequest {
  readonly items: readonly WaitingItem[];
  readonly run: string;
  /** The date now, and that of the last message. */
  readonly date: string;
  readonly lastDate: string | undefined;
  readonly isSteered: boolean;
  readonly rules: QueueRules;
}

export function toUserRecord(request: TakeRequest): UserRecord {
  const { items, run, date, lastDate, isSteered, rules } = request;
  const dropped = items.filter(({ item }) => isFromPerson(item)).slice(0, -rules.cap);
  const kept = onePrompt(items.filter((one) => !dropped.includes(one)));
  const kinds = new Set(kept.map(({ item }) => item.kind));
  const content = [...sayDropped(dropped, rules), ...kept.flatMap(({ item }) => render(item))];
  const through = items.at(-1)?.sequence ?? 0;
  // A person's message begins a new chain.
  const isNewChain = kept.some(({ item }) => isFromPerson(item));
  const hops = isNewChain ? 0 : Math.max(0, ...kept.map(({ item }) => item.hops ?? 0));
  return {
    ...{ type: "user", run, content, through, hops },
    about: items.flatMap(({ item }) => (item.runId === undefined ? [] : [item.runId])),
    kind: kinds.has("message") ? "message" : (kept.at(-1)?.item.kind ?? "system"),
    from: kept.at(-1)?.item.from,
    ...(date === lastDate ? {} : { date }),
    ...(isSteered ? { steered: true } : {}),
  };
}

/** The prompt of a heartbeat is said once, and not to a run that answers someone. */
function onePrompt(items: readonly WaitingItem[]): readonly WaitingItem[] {
  const others = items.filter(({ item }) => item.kind !== "heartbeat");
  if (startsRun(others)) return others;
  return [...others, ...items.filter((one) => !others.includes(one)).slice(-1)];
}

function render({ kind, content, from }: InboxItem): UserContent {
  if (kind === "system") return prefix("[System event]", content);
  if (kind === "session_message")
    return prefix(`[Message from session ${from ?? "unknown"}]`, content);
  return content;
}

function prefix(head: string, content: UserContent): UserContent {
  const [first, ...rest] = content;
  if (first?.type !== "text") return [{ type: "text", text: head }, ...content];
  return [{ type: "text", text: `${head}\n${first.text}` }, ...rest];
}

function sayDropped(dropped: readonly WaitingItem[], { cap, drop }: QueueRules): UserContent {
  if (dropped.length === 0) return [];
  const head = `${dropped.length} earlier messages were dropped: at most ${cap} wait.`;
  if (drop !== "summarize") return [{ type: "text", text: `[${head}]` }];
  const beginnings = dropped.map(
    ({ item }) => `- ${textOfContent(item.content).slice(0, MAX_DROPPED_CHARS)}`,
  );
  const lines = [`[${head} They began:]`, ...beginnings.slice(0, MAX_LISTED)];
  return [{ type: "text", text: lines.join("\n") }];
}
