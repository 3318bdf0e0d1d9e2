// A supervisor with real processes and nothing else: every command is allowed and run as it is
// written, in the containment that a test asks for.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandPlanner } from "../../src/core/command/index.js";
import type {
  Clock,
  CommandGate,
  Containment,
  Containments,
  StartRequest,
} from "../../src/core/index.js";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import {
  createProcesses,
  defaultSettings,
  type ProcessesDeps,
  type ProcessNotice,
  type ProcessSettings,
} from "../../src/drivers/process/index.js";
import { createGroupContainment } from "../../src/drivers/sandbox/find-containments.js";
import { findContainments } from "../../src/drivers/sandbox/index.js";

export type ContainmentName = "bwrap" | "namespace" | "group";
export const CONTAINMENT_NAMES: readonly ContainmentName[] = ["bwrap", "namespace", "group"];

export const openGate: CommandGate = {
  authorise: async () => ({
    by: "full",
    rule: "the test allows it",
    consume: async () => undefined,
  }),
};

const noPlanner: CommandPlanner = {
  plan: async () => ({ ok: false, refusal: { reason: "no_planner", message: "No plan is made." } }),
};

export interface ProcessSetting extends Partial<ProcessesDeps> {
  readonly containment?: ContainmentName;
  readonly options?: Partial<ProcessSettings>;
  readonly clock?: Clock;
}

export function createProcessSetting(setting: ProcessSetting = {}) {
  const root = mkdtempSync(join(tmpdir(), "process-"));
  const notices: ProcessNotice[] = [];
  const problems: unknown[] = [];
  const { containment = "bwrap", options, ...deps } = setting;
  const processes = createProcesses({
    settings: { ...defaultSettings(root), ...options },
    planner: noPlanner,
    gate: openGate,
    containments: () => containmentsNamed(containment, options?.root ?? root),
    searchPath: ["/usr/bin", "/bin"],
    home: "/nonexistent",
    ownEnvironment: { PATH: process.env.PATH, LANG: "C.UTF-8", SECRET_TOKEN: "planted" },
    logFolder: join(root, ".runs"),
    store: async () => undefined,
    owner: { own: "test", isDead: () => false },
    clock: createSystemClock(),
    random: createSystemRandom(),
    notify: (notice) => notices.push(notice),
    report: (problem) => problems.push(problem),
    ...deps,
  });
  return {
    root,
    processes,
    notices,
    problems,
    async remove() {
      await processes.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Throws when this machine has not got it: a test that needs it must not pass without. */
async function containmentsNamed(name: ContainmentName, root: string): Promise<Containments> {
  const found = await findContainments({ root, sandbox: name === "bwrap" ? "bwrap" : "none" });
  if (name === "bwrap") {
    if (found.sandbox === undefined) throw new Error(`no sandbox here: ${found.sandboxProblem}`);
    return found;
  }
  const host: Containment = name === "group" ? createGroupContainment("asked for") : found.host;
  if (host.kind !== name) throw new Error(`no ${name} here, but ${host.kind}`);
  return { host, sandboxProblem: "The test asked for none." };
}

export function startOf(command: string, more: Partial<StartRequest> = {}): StartRequest {
  return {
    command,
    agentId: undefined,
    sessionKey: undefined,
    toolCallId: "call",
    signal: new AbortController().signal,
    ...more,
  };
}
