// Commands that people run every day, through a toolkit and for real: all of them in the sandbox, on
// the machine itself those that a usual list covers, each with the exit code that bash gives.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { createToolkit, type ToolkitOptions } from "clawtools";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { toSearchPath } from "../../src/core/command/plan.js";
import ordinary from "../data/ordinary-commands.json" with { type: "json" };
import { campaignSize } from "../fakes/campaign.js";
import { createWorkspace, REALISTIC_ENTRIES, type Workspace } from "./exec-workspace.js";

const TIMEOUT_MS = 240_000;
/** There the set-up brings bubblewrap, so its absence is a failure. */
const isLinux = process.platform === "linux";
/** What they answer depends on a network that a sandbox has not. */
const WANTS_NETWORK = /curl|npm (?:install|publish|run deploy)/;
/** Enough to have begun: what asks for a network that is not there goes on asking. */
const BEGUN_SECONDS = 1;
const WHOLE_SECONDS = 30;

/** The slice takes every sixth row: neighbours in the list are of one kind. */
const STEP = campaignSize({ slice: 12, campaign: 1 });
/** As in the sandbox, where commits have one. */
const AUTHOR = {
  ...{ GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.com" },
  ...{ GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.com" },
};

const isChosen = (_row: unknown, index: number) => index % STEP === 0;

let workspace: Workspace;
let plain: Workspace;

beforeEach(() => {
  workspace = createWorkspace();
  plain = createWorkspace();
  for (const { git } of [workspace, plain]) git("init", "-q");
});

afterEach(() => {
  for (const { remove } of [workspace, plain]) remove();
});

interface Outcome {
  readonly status: unknown;
  readonly host: unknown;
  readonly exitCode: unknown;
  readonly text: string;
}

function openToolkit(options: Partial<ToolkitOptions>): (command: string) => Promise<Outcome> {
  const { root, place } = workspace;
  const toolkit = createToolkit({ root, stateDir: join(place, "state"), ...options });
  onTestFinished(() => toolkit.close());
  let calls = 0;
  return async (command) => {
    const id = `call_${++calls}`;
    const { details, content } = await toolkit.invoke({
      id,
      name: "exec",
      arguments: { command, timeout: WANTS_NETWORK.test(command) ? BEGUN_SECONDS : WHOLE_SECONDS },
    });
    const { status, host, exitCode } = { ...(details as Partial<Outcome>) };
    return { status, host, exitCode, text: JSON.stringify(content).slice(0, 300) };
  };
}

async function runPlainly(command: string): Promise<number | null> {
  const { root, place } = plain;
  const PATH = toSearchPath({ root, runtimeFolder: dirname(process.execPath) }).join(":");
  const child = spawn("/bin/bash", ["--noprofile", "--norc", "-p", "-c", command], {
    cwd: root,
    env: { PATH, HOME: place, LC_ALL: "C", GIT_CONFIG_NOSYSTEM: "1", ...AUTHOR },
    stdio: "ignore",
  });
  await once(child, "close");
  return child.exitCode;
}

async function findDifferences(
  run: (command: string) => Promise<Outcome>,
  { rows, host }: { readonly rows: typeof ordinary; readonly host: string },
): Promise<string[]> {
  const wrong: string[] = [];
  const judge = (
    { id, command }: (typeof ordinary)[number],
    { ours, expected }: { readonly ours: Outcome; readonly expected: unknown },
  ) => {
    if (ours.host === host && ours.exitCode === expected) return;
    wrong.push(`${id} ${command}: ${ours.exitCode}, bash ${expected}: ${ours.text}`);
  };
  for (const row of rows.filter(({ command }) => !WANTS_NETWORK.test(command))) {
    const [ours, expected] = await Promise.all([run(row.command), runPlainly(row.command)]);
    judge(row, { ours, expected });
  }
  const asking = rows.filter(({ command }) => WANTS_NETWORK.test(command));
  await Promise.all(
    asking.map(async (row) => {
      const ours = await run(row.command);
      // Without a network it has run all the same: it says what it lacks, or tries until its time is over.
      const isOpen = ours.status !== undefined;
      judge(row, { ours, expected: isOpen ? ours.exitCode : await runPlainly(row.command) });
    }),
  );
  return wrong;
}

describe("ordinary commands", () => {
  it.runIf(isLinux)(
    "all run in the sandbox, and end as they do by bash",
    async () => {
      const run = openToolkit({ config: {}, approvals: { version: 1, agents: {} } });
      expect(
        await findDifferences(run, {
          rows: ordinary.filter(isChosen),
          host: "sandbox",
        }),
      ).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "those that the list covers run on the machine, and end as they do by bash",
    async () => {
      const run = openToolkit({
        config: { tools: { exec: { sandbox: "none" } } },
        approvals: { version: 1, agents: { "*": { allowlist: [...REALISTIC_ENTRIES] } } },
      });
      const rows = ordinary.filter(({ hostAuto }) => hostAuto);
      expect(rows.length).toBeGreaterThanOrEqual(150);
      expect(await findDifferences(run, { rows: rows.filter(isChosen), host: "gateway" })).toEqual(
        [],
      );
    },
    TIMEOUT_MS,
  );

  it("those that it does not cover do not run when nobody can be asked", async () => {
    const run = openToolkit({
      config: { tools: { exec: { sandbox: "none" } } },
      approvals: { version: 1, agents: { "*": { allowlist: [...REALISTIC_ENTRIES] } } },
    });
    const rows = ordinary.filter(({ hostAuto }) => !hostAuto);
    expect(rows.length).toBeGreaterThanOrEqual(10);
    for (const { command } of rows) {
      const { text, exitCode } = await run(command);
      expect({ command, exitCode, text }).toEqual({
        ...{ command, exitCode: undefined },
        text: expect.stringContaining("needs an approval"),
      });
    }
  });
});
