// The sessions of one supervisor: who sees which, when they are forgotten, and one notice for each.
import type { Clock, ProcessEnd, ProcessScope, RandomSource } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { MAX_FINISHED_RUNS, type ProcessSettings } from "../settings.js";
import type { Session } from "./session.js";

const ADJECTIVES = (
  "amber bold brave brisk bright calm clear clever cool crisp dapper deep eager early fair fast fine firm " +
  "fleet fresh gentle glad golden grand green happy keen kind late lean light lively loud lucky mellow merry " +
  "mild neat nimble noble plain prime proud quick quiet rapid ready rich royal sharp shy silent silver sleek " +
  "smart smooth snug solid spry steady still stout strong sunny swift tall tidy tiny true vivid warm wide wild wise young"
).split(" ");

const NOUNS = (
  "ant badger bass bear beaver bee bison boar cat colt coral crab crane crow deer dove duck eagle eel elk falcon " +
  "fawn finch fox frog gecko goat goose gull hare hawk heron horse ibex jay koala lark lemur lion lynx mole moose " +
  "moth mouse mule newt orca otter owl panda perch pike pony puma quail rabbit ram raven robin salmon seal shark " +
  "sheep shrew skunk sloth snail snake stork swan tiger toad trout turtle vole walrus wasp whale wolf wren yak zebra"
).split(" ");

const MAX_NUMBERED = 12;
const SUFFIX_BYTES = 4;
/** For runs that never went to the background. */
const HIDDEN_KEEP_MS = 60_000;
/** A caller that waits for the end acknowledges within this. */
const NOTICE_GRACE_MS = 250;

interface SessionTableDeps {
  readonly clock: Clock;
  readonly settings: Pick<ProcessSettings, "keepMs" | "notifyOnExit" | "notifyOnEmptySuccess">;
  readonly notify: (notice: ProcessNotice) => void;
}

export type SessionTable = ReturnType<typeof createSessionTable>;

interface Entry {
  readonly session: Session;
  cancelExpiry: (() => void) | undefined;
  cancelNotice: (() => void) | undefined;
}

export function createSessionTable({ clock, settings, notify }: SessionTableDeps) {
  const entries = new Map<string, Entry>();
  /** Not ended. */
  const live = new Set<Session>();
  const claimed = new Set<string>();

  const isSeen = ({ session }: Entry, { agentId, sessionKey }: ProcessScope) =>
    session.isBackground &&
    (agentId === undefined || session.agentId === agentId) &&
    (sessionKey === undefined || session.sessionKey === sessionKey);

  async function drop(entry: Entry): Promise<void> {
    entry.cancelExpiry?.();
    entry.cancelNotice?.();
    entries.delete(entry.session.sessionId);
    live.delete(entry.session);
    await entry.session.remove();
  }

  function expireAfter(entry: Entry, keepMs: number): void {
    entry.cancelExpiry?.();
    entry.cancelExpiry = clock.after(keepMs, () => void drop(entry));
  }

  function makeRoom(): void {
    let surplus = entries.size - live.size - MAX_FINISHED_RUNS;
    for (const entry of entries.values()) {
      if (surplus <= 0) return;
      if (live.has(entry.session)) continue;
      void drop(entry);
      surplus--;
    }
  }

  function settle(entry: Entry, end: ProcessEnd): void {
    const { session } = entry;
    expireAfter(entry, session.isBackground ? settings.keepMs : HIDDEN_KEEP_MS);
    makeRoom();
    if (!session.isBackground || !isWorthTelling(session, end)) return;
    entry.cancelNotice ??= clock.after(NOTICE_GRACE_MS, () => notify(noticeOf(session, end)));
  }

  function isWorthTelling(session: Session, end: ProcessEnd): boolean {
    if (!settings.notifyOnExit || session.isAcknowledged || end.reason === "killed") return false;
    const isEmptySuccess = end.exitCode === 0 && session.output.tail(1) === "";
    return settings.notifyOnEmptySuccess || !isEmptySuccess;
  }

  return {
    /** Reserved until `add` or `giveBack`. */
    claimName(random: RandomSource) {
      const name = createSessionId(random, (id) => entries.has(id) || claimed.has(id));
      claimed.add(name);
      return name;
    },
    giveBack(sessionId: string) {
      claimed.delete(sessionId);
    },
    add(session: Session) {
      claimed.delete(session.sessionId);
      if (session.end === undefined) live.add(session);
      entries.set(session.sessionId, {
        session,
        cancelExpiry: undefined,
        cancelNotice: undefined,
      });
    },
    noteBackground(session: Session) {
      const entry = entries.get(session.sessionId);
      if (entry !== undefined && session.end !== undefined) settle(entry, session.end);
    },
    noteEnd(session: Session, end: ProcessEnd) {
      live.delete(session);
      const entry = entries.get(session.sessionId);
      if (entry !== undefined) settle(entry, end);
    },
    noteAcknowledged(session: Session) {
      entries.get(session.sessionId)?.cancelNotice?.();
    },
    has: (sessionId: string) => entries.has(sessionId),
    running: () => [...live],
    runningCount: () => live.size,
    /** The newest match. */
    findRunning(isWanted: (session: Session) => boolean) {
      let found: Session | undefined;
      for (const session of live) if (isWanted(session)) found = session;
      return found;
    },
    list: (scope: ProcessScope): readonly Session[] =>
      [...entries.values()]
        .filter((entry) => isSeen(entry, scope))
        .map(({ session }) => session)
        .reverse(),
    find(sessionId: string, scope: ProcessScope) {
      const entry = entries.get(sessionId);
      return entry !== undefined && isSeen(entry, scope) ? entry.session : undefined;
    },
    async forget(sessionId: string, scope: ProcessScope) {
      const entry = entries.get(sessionId);
      if (entry === undefined || !isSeen(entry, scope)) return false;
      if (entry.session.end === undefined) return false;
      await drop(entry);
      return true;
    },
    async clear() {
      await Promise.all([...entries.values()].map(drop));
    },
  };
}

export function createSessionId(random: RandomSource, isTaken: (id: string) => boolean): string {
  const id = `${pick(ADJECTIVES, random)}-${pick(NOUNS, random)}`;
  if (!isTaken(id)) return id;
  for (let number = 2; number <= MAX_NUMBERED; number++) {
    if (!isTaken(`${id}-${number}`)) return `${id}-${number}`;
  }
  return `${id}-${random.hex(SUFFIX_BYTES)}`;
}

function pick(words: readonly string[], random: RandomSource): string {
  return words[Number.parseInt(random.hex(2), 16) % words.length] ?? "plain";
}

const MAX_TAIL_CHARS = 400;
const MAX_COMMAND_CHARS = 80;

export interface ProcessNotice {
  readonly sessionId: string;
  readonly name: string;
  readonly command: string;
  readonly agentId: string | undefined;
  readonly sessionKey: string | undefined;
  readonly status: "completed" | "failed" | "interrupted";
  readonly exitCode: number | undefined;
  readonly exitSignal: string | undefined;
  /** One line for a model. */
  readonly text: string;
}

function noticeOf(run: Session, end: ProcessEnd): ProcessNotice {
  const { sessionId, name, command, agentId, sessionKey } = run;
  const { exitCode, exitSignal } = end;
  const status = statusOf(end);
  const tail = run.output.tail(MAX_TAIL_CHARS).replace(/\s+/g, " ").trim();
  const shown = toPrintable(command.replace(/\s+/g, " ").trim(), MAX_COMMAND_CHARS);
  const text = `Exec ${status} (${sessionId}, ${describeEnd(end)}): ${shown}${tail === "" ? "" : ` :: ${tail}`}`;
  return { sessionId, name, command, agentId, sessionKey, status, exitCode, exitSignal, text };
}

function statusOf({ reason, exitCode }: ProcessEnd): ProcessNotice["status"] {
  if (reason === "interrupted") return "interrupted";
  return reason === "exit" && exitCode === 0 ? "completed" : "failed";
}

function describeEnd({ reason, exitCode, exitSignal }: ProcessEnd): string {
  if (reason === "interrupted") return "outcome unknown";
  if (reason === "timeout") return "timed out";
  if (exitSignal !== undefined) return `signal ${exitSignal}`;
  return exitCode === undefined ? reason : `code ${exitCode}`;
}

const MAX_NAME_CHARS = 48;
const MAX_READ_CHARS = 500;

export function nameCommand(command: string): string {
  const [program = "", ...words] = command.slice(0, MAX_READ_CHARS).trim().split(/\s+/);
  const verb = program.slice(program.lastIndexOf("/") + 1) || program;
  const first = words.find((word) => !word.startsWith("-"));
  const name = toPrintable(first === undefined ? verb : `${verb} ${first}`);
  return name.length <= MAX_NAME_CHARS ? name : `${cutChars(name, MAX_NAME_CHARS - 1)}…`;
}
