// Connects the drivers of commands: planner, approvals, containment and supervisor.
import { chownSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ClawtoolsConfig } from "../../config/index.js";
import { toSearchPath } from "../../core/command/index.js";
import {
  type Approver,
  type HostAccess,
  isToolError,
  type Processes,
  type ProcessFacts,
  type RunPorts,
  type ToolkitEvents,
} from "../../core/index.js";
import {
  type AnswerPlace,
  APPROVALS_FILE_NAME,
  createCommandGate,
  createGrantsFile,
  createMemoryGrants,
  type GrantsFile,
  readEffective,
} from "../../drivers/approvals/index.js";
import { createQuietClock } from "../../drivers/clock.js";
import { homeDirectory, readEnvironment, runtimePath } from "../../drivers/environment.js";
import { readProtection } from "../../drivers/fs/index.js";
import { createFilterProxy } from "../../drivers/net/index.js";
import { createCommandPlanner, readGitAuthor } from "../../drivers/plan/index.js";
import {
  createProcesses,
  findToolFolders,
  makePrivateFolder,
  type ProcessNotice,
  removePrivateFolder,
  SOCKET_NAME,
} from "../../drivers/process/index.js";
import { findContainments, type SandboxIdentity } from "../../drivers/sandbox/index.js";
import { createProcessMarks } from "../../drivers/store/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { toProtection } from "../options/check-options.js";
import { readUsualStateDir } from "../options/settings.js";
import { filterSettings } from "./net.js";
import type { StateStore } from "./ports.js";
import { readCommandSettings, type SettingsSource } from "./process-settings.js";

const LOG_FOLDER = "runs";
const DEFAULT_AUTHOR = { name: "clawtools", email: "clawtools@localhost" };

export interface ProcessesSource extends SettingsSource {
  readonly stateDir: string | undefined;
  readonly system: RunPorts;
  /** Closed by its creator, after the commands. */
  readonly state: StateStore;
  readonly approver: Approver | undefined;
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
  const { text: message, sessionId, command, exitCode, sessionKey } = notice;
  return { message, sessionId, command, ...withoutUndefined({ exitCode, sessionKey }) };
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
  // Without a state folder no grants exist, and none can be saved.
  if (approvals !== undefined || stateDir === undefined) {
    return createMemoryGrants(approvals ?? { version: 1, agents: {} });
  }
  const { clock, random } = system;
  return createGrantsFile({
    path: join(stateDir, APPROVALS_FILE_NAME),
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

const KEY = "tools.exec.network.allow";

const PRESETS: Readonly<Record<string, readonly string[]>> = {
  registries: [
    // npm, Yarn, JSR; headers for native modules
    ...["registry.npmjs.org", "registry.yarnpkg.com", "npm.jsr.io", "jsr.io", "nodejs.org"],
    // PyPI, Conda
    ...["pypi.org", "files.pythonhosted.org", "conda.anaconda.org", "repo.anaconda.com"],
    // crates, rustup
    ...["crates.io", "index.crates.io", "static.crates.io", "static.rust-lang.org"],
    // Go
    ...["proxy.golang.org", "sum.golang.org"],
    // RubyGems
    ...["rubygems.org", "index.rubygems.org"],
    // Maven, Gradle
    ...["repo.maven.apache.org", "repo1.maven.org", "plugins.gradle.org", "services.gradle.org"],
    // NuGet, Packagist, Hex
    ...["api.nuget.org", "packagist.org", "repo.packagist.org", "hex.pm", "repo.hex.pm"],
    // Debian, Ubuntu, Alpine
    ...["deb.debian.org", "security.debian.org", "archive.ubuntu.com", "security.ubuntu.com"],
    ...["ports.ubuntu.com", "dl-cdn.alpinelinux.org"],
  ],
};

function createSandboxNetwork(config: ClawtoolsConfig, allowed: readonly string[]) {
  const closers: (() => Promise<void> | void)[] = [];
  return {
    /** Throws `invalid_input` for an entry that is not a host. */
    async open({ isOther, userId, groupId }: SandboxIdentity): Promise<HostAccess> {
      const folder = makePrivateFolder();
      closers.push(() => removePrivateFolder(folder));
      const socketPath = join(folder, SOCKET_NAME);
      const filter = await createFilterProxy({
        ...filterSettings(config),
        policy: config.tools?.net?.ssrfPolicy,
        allowedOrigins: allowed.flatMap((entry) => PRESETS[entry] ?? [entry]),
        allowedKey: KEY,
        socketPath,
      });
      closers.unshift(() => filter.close());
      // Root starts the sandbox as this user, who must be able to mount the socket.
      if (isOther) for (const path of [socketPath, folder]) chownSync(path, userId, groupId);
      return {
        allowed,
        socketPath,
        problems: (sinceMs) =>
          filter
            .problems()
            .filter(({ atMs }) => atMs >= sinceMs)
            .map(({ error }) => error.message),
      };
    },
    async close(): Promise<void> {
      for (const close of closers.splice(0)) await close();
    },
  };
}
