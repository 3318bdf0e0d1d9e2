// Puts the drivers of commands together: planner, approvals, containment and supervisor. Loaded at
// the first command, because none of them is small.

import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { toSearchPath } from "../../core/command/index.js";
import {
  type Approver,
  isToolError,
  type Processes,
  type ProcessFacts,
  type RunPorts,
  type ToolkitEvents,
} from "../../core/index.js";
import {
  type AnswerPlace,
  APPROVALS_FILE_NAME,
  createApprovalsParser,
  createCommandGate,
  createGrantsFile,
  createMemoryGrants,
  type GrantsFile,
  readEffective,
} from "../../drivers/approvals/index.js";
import { createQuietClock } from "../../drivers/clock.js";
import { homeDirectory, readEnvironment, runtimePath } from "../../drivers/environment.js";
import { readProtection } from "../../drivers/fs/index.js";
import { createCommandPlanner, readGitAuthor } from "../../drivers/plan/index.js";
import {
  createProcesses,
  findToolFolders,
  type ProcessNotice,
} from "../../drivers/process/index.js";
import { findContainments } from "../../drivers/sandbox/index.js";
import { createProcessMarks } from "../../drivers/store/index.js";
import { toProtection } from "../options/protection.js";
import { readUsualStateDir } from "../options/state-dir.js";
import type { StateStore } from "../state-store.js";
import { readCommandSettings, type SettingsSource } from "./process-settings.js";
import { createSandboxNetwork } from "./sandbox-network.js";

const LOG_FOLDER = "runs";
/** The author of commits when git has no user name configured. */
const DEFAULT_AUTHOR = { name: "clawtools", email: "clawtools@localhost" };

export interface ProcessesSource extends SettingsSource {
  readonly stateDir: string | undefined;
  readonly system: RunPorts;
  /** Closed by its creator, after the commands. */
  readonly state: StateStore;
  readonly approver: Approver | undefined;
  /** Names and places that no call may change; relative to `root`. */
  readonly protect: readonly string[] | undefined;
  /** The shape of `exec-approvals.json`; the file of the state folder when absent. */
  readonly approvals: Readonly<Record<string, unknown>> | undefined;
  readonly notify: (notice: ToolkitEvents["notice"]) => void;
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

export async function openProcesses(source: ProcessesSource): Promise<Processes> {
  const { stateDir, notify, report } = source;
  const settings = readCommandSettings(source);
  const { clock, random } = source.system;
  const owners = createProcessMarks();
  const home = homeDirectory();
  const root = realRoot(settings.process.root);
  const protection = await readProtection(settings.process.root, toProtection(source));
  const ports = { store: source.state.open, clock, random, report };
  const searchPath = [
    ...toSearchPath({
      prepend: settings.pathPrepend,
      root,
      runtimeFolder: dirname(runtimePath()),
    }),
    ...findToolFolders(home),
  ];
  const grantsFile = openGrants(source, { owners });
  const gate = createCommandGate({
    ...ports,
    root,
    home,
    safeBins: settings.safeBins,
    trustedDirs: settings.trustedDirs,
    timeoutMs: settings.approvalTimeoutMs,
    approver: source.approver,
    owners,
    grantsFile,
    place: toAnswerPlace(source),
  });
  const network = createSandboxNetwork(source.config, settings.allowedHosts ?? []);
  const processes = createProcesses({
    ...ports,
    // What runs keeps the process alive; keeping what has run does not.
    clock: createQuietClock(),
    settings: { ...settings.process, root },
    planner: createCommandPlanner({ root, searchPath, protection }),
    gate,
    containments: async () => {
      const author = { ...DEFAULT_AUTHOR, ...(await readGitAuthor(home)) };
      const openHosts = settings.allowedHosts && network.open;
      return findContainments({ root, ...settings, ...protection, author, openHosts });
    },
    searchPath,
    home,
    ownEnvironment: readEnvironment(),
    logFolder: stateDir === undefined ? undefined : join(stateDir, LOG_FOLDER),
    owner: owners,
    notify: (notice) => notify(toNotice(notice)),
  });
  return {
    ...processes,
    yieldMs: settings.yieldMs,
    facts: async () => tightenFacts(await processes.facts(), { grantsFile, source }),
    async close() {
      await processes.close();
      await network.close();
      await gate.close();
    },
  };
}

function toNotice(notice: ProcessNotice): ToolkitEvents["notice"] {
  const { text, sessionId, command, exitCode, sessionKey } = notice;
  return {
    message: text,
    sessionId,
    command,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(sessionKey === undefined ? {} : { sessionKey }),
  };
}

/** The list can be stricter than the config, and a list that cannot be read stops commands. */
async function tightenFacts(
  facts: ProcessFacts,
  { grantsFile, source }: { readonly grantsFile: GrantsFile; readonly source: ProcessesSource },
): Promise<ProcessFacts> {
  try {
    const { agentId, system } = source;
    const asked = { agentId, security: facts.security, ask: facts.ask, nowMs: system.clock.now() };
    const { security, ask } = readEffective(await grantsFile.read(), asked);
    return { ...facts, security, ask };
  } catch (error) {
    if (!isToolError(error)) throw error;
    return { ...facts, warnings: [...facts.warnings, error.message] };
  }
}

function openGrants(
  { approvals, stateDir, system }: ProcessesSource,
  { owners }: { readonly owners: ReturnType<typeof createProcessMarks> },
) {
  const parse = createApprovalsParser();
  // Without a state folder no grants exist, and none can be saved.
  if (approvals !== undefined || stateDir === undefined) {
    return createMemoryGrants({ given: approvals ?? { version: 1, agents: {} }, parse });
  }
  const { clock, random } = system;
  return createGrantsFile({
    path: join(stateDir, APPROVALS_FILE_NAME),
    parse,
    clock,
    random,
    owners,
  });
}

/** A person's shell may set other variables, so only the folder in the home counts as the default. */
function toAnswerPlace({ approvals, stateDir }: ProcessesSource): AnswerPlace {
  const isUsual = stateDir === readUsualStateDir();
  return {
    list: approvals === undefined && stateDir !== undefined ? "file" : "program",
    isShared: stateDir !== undefined,
    ...(isUsual ? {} : { stateDir }),
  };
}

/** Commands see the folder by its real path; a missing folder is reported when a command starts. */
function realRoot(root: string): string {
  try {
    return realpathSync.native(root);
  } catch {
    return root;
  }
}
