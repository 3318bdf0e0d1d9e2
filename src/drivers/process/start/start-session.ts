// Starts an allowed command and makes a session of it, with a row in the ledger.

import { join } from "node:path";
import {
  abortError,
  type Clock,
  type RandomSource,
  type StartRequest,
} from "../../../core/index.js";
import { cutChars } from "../../../lib/unicode-text.js";
import { childEnvironment, MARKER_BYTES, MARKER_NAME } from "../environment.js";
import { directWork, type LaunchWork, type Shells } from "../launch/inner-script.js";
import type { PrewarmedSandbox, Prewarmer, PrewarmPlace } from "../launch/prewarmed-sandbox.js";
import type { RunPipes } from "../launch/run-pipes.js";
import type { LedgerRow, RunLedger } from "../run-ledger.js";
import { createRunChanges, createSession, type Session } from "../session/session.js";
import { nameCommand, type SessionTable } from "../session/session-table.js";
import { MAX_TIMEOUT_MS, type ProcessSettings } from "../settings.js";
import type { ChosenHost } from "./authorise-command.js";
import { type RunPlace, type StartedRun, startPiped } from "./start-run.js";

const MAX_ROW_COMMAND_CHARS = 500;

export interface StartDeps {
  readonly settings: ProcessSettings;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly ledger: RunLedger;
  readonly table: SessionTable;
  readonly pipes: RunPipes;
  readonly prewarmer: Prewarmer;
  readonly shells: Shells;
  readonly inherited: Readonly<Record<string, string>>;
  readonly searchPath: readonly string[];
  readonly home: string | undefined;
  readonly logFolder: string | undefined;
}

export interface AllowedStart {
  readonly request: StartRequest;
  readonly chosen: ChosenHost;
  readonly cwd: string;
  readonly work: LaunchWork;
  readonly warnings: readonly string[];
}

export async function startSession(deps: StartDeps, asked: AllowedStart): Promise<Session> {
  const { clock, ledger, table, prewarmer } = deps;
  const allowed = { ...asked, work: shortenWork(deps, asked) };
  const { request, chosen, cwd } = allowed;
  const changes = createRunChanges(clock);
  let lastOutputAtMs: number | undefined;
  const usual = usualPlace(deps, allowed);
  const prewarmed = usual && (await prewarmer.take(usual, allowed.work));
  const marker = prewarmed?.marker ?? deps.random.hex(MARKER_BYTES);
  const row = rowOf(deps, { ...allowed, marker });
  let place: Pick<LedgerRow, "pid" | "startTicks"> = { pid: 0, startTicks: "" };
  // With an open input the run is meant for the background.
  const isPromised = request.input === "open";
  const assertWanted = () => {
    if (request.signal.aborted) throw abortError(request.signal);
  };
  const write = (isBackground: boolean) => ledger.write({ ...row, ...place, isBackground });

  const started = await startRun(deps, {
    ...allowed,
    ...{ marker, row, prewarmed },
    onOutput() {
      lastOutputAtMs = clock.now();
      changes.change();
    },
    async onStarted(found) {
      place = found;
      const written = write(isPromised);
      // A prewarmed sandbox ends with this process, so the row is not urgent.
      if (prewarmed === undefined) await written;
      else void ledger.note(written, row.sessionId);
      assertWanted();
    },
    assertWanted,
  }).catch(async (error: unknown) => {
    table.giveBack(row.sessionId);
    await ledger.end(row.sessionId);
    throw error;
  });
  const { sessionId, agentId, sessionKey, startedAtMs } = row;
  const session = createSession({
    facts: {
      sessionId,
      command: request.command,
      name: nameCommand(request.command),
      cwd,
      startedAtMs,
      containment: chosen.containment.kind,
      host: chosen.host,
      hasNetwork: !chosen.containment.isSandbox || deps.settings.allowsNetwork,
      hosts: chosen.containment.hosts,
      agentId,
      sessionKey,
      duplicateOf: findDuplicate(table, { ...allowed, agentId }),
      warnings: allowed.warnings,
    },
    started,
    changes,
    clock,
    timeoutMs: timeoutOf(request, deps.settings),
    lastOutputAtMs: () => lastOutputAtMs,
    onBackground(changed) {
      table.noteBackground(changed);
      // A failure is reported; the run goes on.
      if (changed.end === undefined && !isPromised) void ledger.note(write(true), sessionId);
    },
    onEnd(changed, end) {
      void ledger.end(sessionId);
      table.noteEnd(changed, end);
      if (usual !== undefined) prewarmer.prewarm(usual);
    },
    onAcknowledge: table.noteAcknowledged,
  });
  table.add(session);
  return session;
}

/** Starts a program directly where bash would do only that. */
function shortenWork(deps: StartDeps, { work, request, chosen }: AllowedStart): LaunchWork {
  // On the host the plan decides.
  const isPlain = work.kind === "script" && chosen.containment.isSandbox && !request.terminal;
  return (isPlain && directWork(work.text, deps.searchPath)) || work;
}

type Row = Omit<LedgerRow, "owner" | "pid" | "startTicks" | "isBackground">;

/** Only for runs without input or terminal. */
function usualPlace(deps: StartDeps, allowed: AllowedStart): PrewarmPlace | undefined {
  const { request, chosen, cwd } = allowed;
  if (request.input === "open" || request.terminal !== undefined) return undefined;
  return {
    containment: chosen.containment,
    shells: deps.shells,
    cwd,
    allowsNetwork: deps.settings.allowsNetwork,
    placeFor: (marker) => ({
      env: environmentOf(deps, { ...allowed, marker }),
      mark: markOf(marker),
    }),
  };
}

function markOf(marker: string): string {
  return `${MARKER_NAME}=${marker}`;
}

type Marked = AllowedStart & { readonly marker: string };

function rowOf(deps: StartDeps, { request, chosen, cwd, marker }: Marked): Row {
  const { clock, random, table, logFolder } = deps;
  const sessionId = table.claimName(random);
  return {
    sessionId,
    mark: markOf(marker),
    containment: chosen.containment.kind,
    command: cutChars(request.command, MAX_ROW_COMMAND_CHARS),
    cwd,
    agentId: request.agentId,
    sessionKey: request.sessionKey,
    startedAtMs: clock.now(),
    logPath: logFolder && join(logFolder, `${sessionId}-${marker}.log`),
  };
}

interface RunStart extends Marked, Pick<RunPlace, "onOutput" | "onStarted" | "assertWanted"> {
  readonly row: Row;
  readonly prewarmed: PrewarmedSandbox | undefined;
}

async function startRun(deps: StartDeps, start: RunStart): Promise<StartedRun> {
  const { settings, shells, pipes, random } = deps;
  const { request, chosen, cwd, work, row, onOutput, onStarted, assertWanted } = start;
  const { containment } = chosen;
  const shared = {
    work,
    containment,
    shells,
    cwd,
    env: start.prewarmed?.env ?? environmentOf(deps, start),
    mark: row.mark,
    allowsNetwork: settings.allowsNetwork,
    logPath: row.logPath,
    onOutput,
    onStarted,
    assertWanted,
  };
  if (request.terminal === undefined) {
    return startPiped({
      ...shared,
      pipes,
      input: request.input ?? "closed",
      prewarmed: start.prewarmed,
    });
  }
  // Loaded at the first terminal.
  const { startInTerminal } = await import("../terminal/start-in-terminal.js");
  return startInTerminal({ ...shared, ...request.terminal, token: random.hex(MARKER_BYTES) });
}

function environmentOf(deps: StartDeps, { request, chosen, marker }: Marked) {
  const { containment } = chosen;
  return childEnvironment({
    inherited: deps.inherited,
    searchPath: deps.searchPath,
    home: containment.home ?? deps.home,
    isSandbox: containment.isSandbox,
    variables: containment.variables ?? {},
    isTerminal: request.terminal !== undefined,
    call: request.env ?? {},
    marker,
  });
}

function timeoutOf({ timeoutMs }: StartRequest, settings: ProcessSettings): number {
  const chosen = timeoutMs ?? settings.timeoutMs;
  return chosen === 0 ? MAX_TIMEOUT_MS : Math.min(chosen, MAX_TIMEOUT_MS);
}

function findDuplicate(table: SessionTable, asked: AllowedStart & { agentId: string | undefined }) {
  const { agentId, cwd, request } = asked;
  return table.findRunning(
    (run) =>
      run.command === request.command &&
      run.cwd === cwd &&
      run.isBackground &&
      (agentId === undefined || agentId === run.agentId),
  )?.sessionId;
}
