// The supervisor: decides where a command runs, asks the gate, starts it contained and follows it.

import { rm } from "node:fs/promises";
import type { CommandPlanner } from "../../core/command/index.js";
import {
  abortError,
  type Clock,
  type CommandGate,
  type Containments,
  type Processes,
  type ProcessFacts,
  type RandomSource,
  type StartRequest,
  type Store,
  ToolError,
} from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { makeFolder } from "../../lib/make-folder.js";
import { toPrintable } from "../../lib/printable.js";
import { inheritedEnvironment, steers } from "./environment.js";
import { findShells, type Shells } from "./launch/inner-script.js";
import { createPrewarmer } from "./launch/prewarmed-sandbox.js";
import { createRunPipes } from "./launch/run-pipes.js";
import {
  createInterruptedRun,
  createRunLedger,
  endLeftovers,
  type LedgerOwner,
} from "./run-ledger.js";
import { createSessionTable, type ProcessNotice } from "./session/session-table.js";
import { MAX_RUNNING, type ProcessSettings } from "./settings.js";
import {
  authoriseCommand,
  chooseHost,
  containmentOf,
  resolveWorkdir,
  usualHost,
  usualRules,
} from "./start/authorise-command.js";
import { type AllowedStart, startSession } from "./start/start-session.js";

const NAME_FORM = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_NAMES = 100;
const MAX_VALUE_CHARS = 32_768;
const MAX_SHOWN_NAME_CHARS = 64;
const MAX_CLOSE_MS = 5_000;
const FOLDER_MODE = 0o700;

export interface ProcessesDeps {
  readonly settings: ProcessSettings;
  readonly planner: CommandPlanner;
  readonly gate: CommandGate;
  readonly containments: () => Promise<Containments>;
  readonly searchPath: readonly string[];
  readonly home: string | undefined;
  readonly ownEnvironment: Readonly<Record<string, string | undefined>>;
  readonly logFolder: string | undefined;
  readonly store: () => Promise<Store | undefined>;
  readonly owner: LedgerOwner;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly notify: (notice: ProcessNotice) => void;
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

export interface SupervisedProcesses extends Processes {
  /** Ends what is left of runs whose process died, and notifies about those in the background. */
  recover(): Promise<void>;
}

export function createProcesses(deps: ProcessesDeps): SupervisedProcesses {
  const { settings, clock } = deps;
  const pipes = createRunPipes();
  const prewarmer = createPrewarmer({ pipes, random: deps.random });
  const table = createSessionTable(deps);
  const ledger = createRunLedger(deps);
  const containments = lazy(deps.containments);
  const shells = lazy(findShells);
  const folder = lazy(() => makeLogFolder(deps));
  const recovered = lazy(recover);
  // Node reads live variables one by one, so they are copied once.
  const inherited = lazy(() => inheritedEnvironment(deps.ownEnvironment, settings.declaredNames));
  let starting = 0;
  const launching = new Set<Promise<unknown>>();
  let isClosed = false;

  const onExit = () => {
    for (const session of table.running()) session.stopNow();
  };
  /** Only a process group outlives this process; a namespace ends with it. */
  const watchExit = lazy(() => process.once("exit", onExit));

  async function recover(): Promise<void> {
    try {
      for (const row of await ledger.takeInterrupted()) {
        endLeftovers(row);
        if (row.logPath !== undefined) await rm(row.logPath, { force: true });
        if (!row.isBackground || isClosed) continue;
        const run = createInterruptedRun(row, clock);
        if (table.has(run.sessionId)) continue;
        table.add(run);
        table.noteBackground(run);
      }
    } catch (cause) {
      deps.report({ message: "Interrupted commands could not be looked for.", cause });
    }
  }

  async function start(request: StartRequest) {
    assertOpen();
    if (table.runningCount() + starting >= MAX_RUNNING) throw tooMany();
    starting++;
    try {
      void recovered();
      const found = shells();
      if (found === undefined) throw noShell();
      const env = request.env ?? {};
      assertCallEnvironment({ env, declaredNames: settings.declaredNames });
      const chosen = chooseHost({ settings, containments: await containments(), request });
      const { root } = settings;
      const { isSandbox } = chosen.containment;
      const cwd = resolveWorkdir({ root, workdir: request.workdir, isSandbox });
      const input = request.terminal ? "terminal" : request.input;
      const asked = { ...request, ...chosen, cwd, env, input } as const;
      const { work, note } = await authoriseCommand(deps, asked);
      if (request.signal.aborted) throw abortError(request.signal);
      assertOpen();
      if (!chosen.containment.endsChildren) watchExit();
      const warnings = note === undefined ? [] : [note];
      const launched = launch(found, { request, chosen, cwd, work, warnings });
      launching.add(launched);
      return await launched.finally(() => launching.delete(launched));
    } finally {
      starting--;
    }
  }

  async function launch(found: Shells, allowed: AllowedStart) {
    const own = { table, ledger, pipes, prewarmer, shells: found, inherited: inherited() };
    return startSession({ ...deps, ...own, logFolder: await folder() }, allowed);
  }

  function assertOpen(): void {
    if (!isClosed) return;
    throw new ToolError("unavailable", "The toolkit is closed; no commands can be started.", {
      reason: "processes_closed",
    });
  }

  return {
    start,
    list: table.list,
    find: table.find,
    forget: table.forget,
    recover: recovered,
    async facts(): Promise<ProcessFacts> {
      const found = await containments();
      const host = usualHost(settings, found);
      const containment = containmentOf(host, found);
      const why = found.sandboxProblem === undefined ? [] : [found.sandboxProblem];
      return {
        host,
        containment: containment?.kind ?? "none",
        isSandboxed: containment?.isSandbox ?? false,
        hasNetwork: containment?.isSandbox === false || settings.allowsNetwork,
        ...(containment?.hosts && { allowedHosts: containment.hosts.allowed }),
        ...usualRules(settings, host),
        limits: containment?.limits ?? [],
        warnings: [...why, ...(containment?.warnings ?? [])],
      };
    },
    async close() {
      isClosed = true;
      process.off("exit", onExit);
      await Promise.all([endRuns(), prewarmer.close()]);
      pipes.close();
    },
  };

  async function endRuns(): Promise<void> {
    let cancel: (() => void) | undefined;
    const limit = new Promise<void>((done) => {
      cancel = clock.after(MAX_CLOSE_MS, done);
    });
    const end = () => Promise.all(table.running().map((session) => session.kill()));
    await Promise.race([Promise.all([end(), Promise.allSettled(launching).then(end)]), limit]);
    cancel?.();
    for (const session of table.running()) session.stopNow();
    await table.clear();
    await ledger.settled();
  }
}

async function makeLogFolder({ logFolder, report }: ProcessesDeps): Promise<string | undefined> {
  if (logFolder === undefined) return undefined;
  try {
    await makeFolder(logFolder, FOLDER_MODE);
    return logFolder;
  } catch (cause) {
    report({ message: `Logs of commands cannot be kept in "${logFolder}".`, cause });
    return undefined;
  }
}

function tooMany(): ToolError {
  return new ToolError(
    "limit",
    `${MAX_RUNNING} commands run already; end some with process kill, then try again.`,
    { reason: "too_many_runs" },
  );
}

function noShell(): ToolError {
  return new ToolError("unavailable", "bash is not installed. Install it to run commands.", {
    reason: "shell_missing",
  });
}

interface CallEnvironmentRequest {
  readonly env: Readonly<Record<string, string>>;
  readonly declaredNames: readonly string[];
}

export function assertCallEnvironment({ env, declaredNames }: CallEnvironmentRequest): void {
  const entries = Object.entries(env);
  if (entries.length > MAX_NAMES) {
    throw invalid(`env has ${entries.length} names; send at most ${MAX_NAMES}.`);
  }
  for (const [name, value] of entries) {
    const shown = toPrintable(name.slice(0, MAX_SHOWN_NAME_CHARS));
    if (!NAME_FORM.test(name)) {
      throw invalid(`"${shown}" is not a name of a variable; use letters, digits and "_".`);
    }
    if (value.includes("\0") || value.length > MAX_VALUE_CHARS) {
      throw invalid(
        `The value of "${shown}" has a NUL or more than ${MAX_VALUE_CHARS} characters.`,
      );
    }
    if (steers(name) && !declaredNames.includes(name)) throw refused(shown);
  }
}

function invalid(message: string): ToolError {
  return new ToolError("invalid_input", message, { reason: "env_invalid" });
}

function refused(name: string): ToolError {
  return new ToolError(
    "denied",
    `env.${name} can make programs load or run something else, so calls cannot set it; leave it out.`,
    { reason: "env_refused", details: { name } },
  );
}
