// A gate with a list, a store and a clock of its own, and plans to give it, for the approvals tests.

import { createHash } from "node:crypto";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { CommandPlan, CommandRefusal, PlanStep } from "../../src/core/command/index.js";
import type { Approver, Clock, GateRequest, Store } from "../../src/core/index.js";
import {
  type ClosableGate,
  createCommandGate,
  createMemoryGrants,
  createRequestTable,
  createStoredRows,
  type GrantsFile,
  type ProcessOwners,
  type RequestTable,
} from "../../src/drivers/approvals/index.js";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createProcessMarks, createSqliteStore } from "../../src/drivers/store/index.js";
import { createTempFolder } from "../plugins/temp-folder.js";

export const ROOT = "/work-tree";

/** A plan as the planner would make it, with a hash over all of it. */
export function planOf(argv: readonly string[], changes: Partial<PlanStep> = {}): CommandPlan {
  const path = `/usr/bin/${argv[0]}`;
  const step = {
    argv,
    program: {
      path,
      device: 1,
      inode: 2,
      sizeBytes: 3,
      modifiedMs: 4,
      ownerId: 0,
      mode: 0o755,
    },
    cwd: ROOT,
    redirects: [],
    scripts: [],
    ...changes,
  };
  return withHash({ command: argv.join(" "), cwd: step.cwd, root: ROOT, steps: [withFacts(step)] });
}

function withFacts(step: Omit<PlanStep, "facts">): PlanStep {
  const { argv, program, cwd, redirects, scripts } = step;
  const exactHash = hashOf([program.path, argv, cwd, redirects, scripts]);
  const facts = { file: program.path, lookup: "search", paths: [], added: [], exactHash } as const;
  return { ...step, facts };
}

export function withHash(plan: Omit<CommandPlan, "hash">): CommandPlan {
  return { ...plan, hash: hashOf([plan.cwd, plan.steps]) };
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

export type Asked =
  | { readonly plan: CommandPlan }
  | { readonly command: string; readonly refusal: CommandRefusal };

export function requestOf(asked: Asked, changes: Partial<GateRequest> = {}): GateRequest {
  return {
    command: "plan" in asked ? asked.plan.command : asked.command,
    ...("plan" in asked ? { plan: asked.plan } : { refusal: asked.refusal }),
    cwd: ROOT,
    host: "gateway",
    security: "allowlist",
    ask: "on-miss",
    env: {},
    agentId: undefined,
    sessionKey: "agent:main:main",
    toolCallId: "call_1",
    signal: new AbortController().signal,
    ...changes,
  };
}

export interface Setting {
  readonly gate: ClosableGate;
  readonly grantsFile: GrantsFile;
  readonly store: Store;
  readonly table: RequestTable;
  readonly clock: Clock;
  readonly problems: string[];
}

export interface SettingOptions {
  /** As in exec-approvals.json; default: an empty list. */
  readonly document?: unknown;
  readonly grantsFile?: GrantsFile;
  readonly approver?: Approver;
  readonly timeoutMs?: number;
  readonly clock?: Clock;
  readonly folder?: string;
  readonly owners?: ProcessOwners;
  /** Default: the store of the setting. */
  readonly openStore?: () => Promise<Store | undefined>;
}

/** The store is a real one in a folder of its own; removed when the test ends. */
export async function createSetting(options: SettingOptions = {}): Promise<Setting> {
  const { document = { version: 1, agents: {} }, approver, timeoutMs } = options;
  const folder = options.folder ?? join(await createTempFolder(), "state");
  const clock = options.clock ?? createSystemClock();
  const random = createSystemRandom();
  const owners = options.owners ?? createProcessMarks();
  const store = createSqliteStore({ folder, clock, random });
  const grantsFile = options.grantsFile ?? createMemoryGrants(document);
  const problems: string[] = [];
  const gate = createCommandGate({
    ...{ grantsFile, clock, random, owners, approver, timeoutMs },
    store: options.openStore ?? (async () => store),
    report: ({ message }) => problems.push(message),
  });
  onTestFinished(async () => {
    await gate.close();
    await store.close();
  });
  const table = createRequestTable({ rows: createStoredRows(store), clock, owners });
  return { gate, grantsFile, store, table, clock, problems };
}

/** Fulfilled when a request waits. */
export async function waitForRequest(table: RequestTable) {
  for (;;) {
    const [first] = await table.list();
    if (first) return first.question;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
