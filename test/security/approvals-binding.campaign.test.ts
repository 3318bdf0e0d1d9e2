// An approval holds for exactly what was approved: anything else about the command, however small,
// and any second use, is refused. A gate that remembers the text of a command lets them through.

import { describe, expect, it } from "vitest";
import type { CommandPlan, PlanStep } from "../../src/core/command/index.js";
import type { GateRequest } from "../../src/core/index.js";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../fakes/campaign.js";
import { createManualClock } from "../fakes/manual-clock.js";
import { createSetting, planOf, requestOf, withHash } from "./approvals-setting.js";

const RUNS = campaignSize({ slice: 200, campaign: 10_000 });
const TITLE = "no command that was changed after its approval starts";
const HASH = "a".repeat(64);

interface Run {
  readonly plan: CommandPlan;
  readonly surroundings: Pick<GateRequest, "command" | "cwd" | "host" | "env">;
}

type Random = () => number;
type Mutation = (run: Run, random: Random) => Run;

const STEP: Partial<PlanStep> = {
  redirects: [{ kind: "write", fd: 1, path: "/work-tree/out.txt" }],
  scripts: [{ path: "/work-tree/run.js", contentHash: HASH }],
};

function withStep(change: (step: PlanStep, random: Random) => Partial<PlanStep>): Mutation {
  return ({ plan, surroundings }, random) => {
    const at = Math.floor(random() * plan.steps.length);
    const steps = plan.steps.map((step, index) =>
      index === at ? { ...step, ...change(step, random) } : step,
    );
    return { surroundings, plan: withHash({ ...plan, steps }) };
  };
}

const around =
  (change: (run: Run["surroundings"]) => Partial<Run["surroundings"]>): Mutation =>
  ({ plan, surroundings }) => ({
    plan,
    surroundings: { ...surroundings, ...change(surroundings) },
  });

function flipCharacter(text: string, random: Random): string {
  const at = Math.floor(random() * text.length);
  const code = text.charCodeAt(at) ^ (1 << Math.floor(random() * 5));
  return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
}

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  "one bit of an argument": withStep(({ argv }, random) => {
    const at = Math.floor(random() * argv.length);
    return { argv: argv.map((word, index) => (index === at ? flipCharacter(word, random) : word)) };
  }),
  "an argument more": withStep(({ argv }) => ({ argv: [...argv, "--force"] })),
  "an argument less": withStep(({ argv }) => ({ argv: argv.slice(0, -1) })),
  "an empty argument": withStep(({ argv }) => ({ argv: [...argv, ""] })),
  "two arguments joined": withStep(({ argv }) => ({
    argv: [argv[0] ?? "", argv.slice(1).join(" ")],
  })),
  "the folder of a step": withStep(() => ({ cwd: "/work-tree/elsewhere" })),
  "another program found first": withStep(({ program }) => ({
    program: { ...program, path: `/usr/local${program.path}` },
  })),
  "a program replaced": withStep(({ program }, random) => ({
    program: { ...program, inode: program.inode + 1 + Math.floor(random() * 1_000) },
  })),
  "a program written to": withStep(({ program }) => ({
    program: { ...program, modifiedMs: program.modifiedMs + 1 },
  })),
  "a program of another mode": withStep(({ program }) => ({
    program: { ...program, mode: 0o777 },
  })),
  "a script changed": withStep(({ scripts }, random) => ({
    scripts: scripts.map((script) => ({
      ...script,
      contentHash: flipCharacter(script.contentHash, random),
    })),
  })),
  "another file written to": withStep(() => ({
    redirects: [{ kind: "write", fd: 1, path: "/work-tree/.git/config" }],
  })),
  "append instead of write": withStep(({ redirects }) => ({
    redirects: redirects.map((one) => (one.kind === "write" ? { ...one, kind: "append" } : one)),
  })),
  "a step more": ({ plan, surroundings }) => ({
    surroundings,
    plan: withHash({ ...plan, steps: [...plan.steps, ...planOf(["rm", "-r", "x"]).steps] }),
  }),
  "the working folder": ({ plan, surroundings }) => ({
    surroundings,
    plan: withHash({ ...plan, cwd: "/tmp" }),
  }),
  "a variable more": around(({ env }) => ({ env: { ...env, LESS: "x" } })),
  "another value of a variable": around(({ env }) => ({ env: { ...env, COLOUR: "red" } })),
  "a variable less": around(() => ({ env: {} })),
  "another host": around(() => ({ host: "sandbox" })),
  "another folder of the call": around(() => ({ cwd: "/" })),
};

const ENV = { COLOUR: "blue" };

function createRun(random: Random): Run {
  const argv = ["mkdir", `made${Math.floor(random() * 1e6)}`, "a b"];
  const plan = planOf(argv, STEP);
  return {
    plan,
    surroundings: { command: plan.command, cwd: plan.cwd, host: "gateway", env: ENV },
  };
}

describe("an approval", () => {
  it(TITLE, { timeout: RUNS * 50 + 20_000 }, async () => {
    const random = seededRandom(campaignSeed());
    const { gate } = await createSetting({ approver: async () => ({ decision: "allow-once" }) });
    const names = Object.keys(MUTATIONS);
    const naive = new Set<string>();
    const started: string[] = [];
    let naiveStarts = 0;
    for (let count = 0; count < RUNS; count++) {
      const run = createRun(random);
      const pass = await gate.authorise(requestOf({ plan: run.plan }, run.surroundings));
      naive.add(run.plan.command);
      const name = names[count % names.length] ?? "";
      const changed = MUTATIONS[name]?.(run, random) ?? run;
      const refusal = await pass.consume(changed.plan, changed.surroundings).then(
        () => undefined,
        (error: { readonly reason?: string }) => error.reason,
      );
      if (refusal !== "approval_mismatch") started.push(name);
      if (naive.has(changed.surroundings.command)) naiveStarts++;
    }
    expect(started).toEqual([]);
    expect(naiveStarts).toBe(RUNS);
    reportCampaign({ title: TITLE, size: RUNS, detail: `${names.length} kinds of change` });
  });

  it("lets what was not changed start, once", async () => {
    const random = seededRandom(campaignSeed());
    const { gate } = await createSetting({ approver: async () => ({ decision: "allow-once" }) });
    for (let count = 0; count < 20; count++) {
      const { plan, surroundings } = createRun(random);
      const pass = await gate.authorise(requestOf({ plan }, surroundings));
      const same = withHash({ ...plan, steps: structuredClone(plan.steps) });
      await pass.consume(same, { ...surroundings, env: { ...ENV } });
      await expect(pass.consume(same, surroundings)).rejects.toMatchObject({
        code: "denied",
        reason: "approval_mismatch",
      });
    }
  });

  it.each(Object.keys(MUTATIONS))("says what has changed: %s", async (name) => {
    const random = seededRandom(campaignSeed());
    const run = createRun(random);
    const { gate } = await createSetting({ approver: async () => ({ decision: "allow-once" }) });
    const pass = await gate.authorise(requestOf({ plan: run.plan }, run.surroundings));
    const changed = MUTATIONS[name]?.(run, random) ?? run;
    await expect(pass.consume(changed.plan, changed.surroundings)).rejects.toThrow(
      /(has|have) changed|is another program now/,
    );
    // A failed try uses it up too: the right command after a wrong one is asked about again.
    await expect(pass.consume(run.plan, run.surroundings)).rejects.toThrow("was used");
  });

  it("expires soon after it was given", async () => {
    const clock = createManualClock();
    const { gate } = await createSetting({
      clock,
      approver: async () => ({ decision: "allow-once" }),
    });
    const { plan, surroundings } = createRun(seededRandom(campaignSeed()));
    const pass = await gate.authorise(requestOf({ plan }, surroundings));
    clock.advance(60_000);
    await expect(pass.consume(plan, surroundings)).rejects.toThrow("too much time has passed");
  });

  it("that another process used up in the store starts nothing", async () => {
    const { gate, table } = await createSetting({
      approver: async () => ({ decision: "allow-once" }),
    });
    const { plan, surroundings } = createRun(seededRandom(campaignSeed()));
    const pass = await gate.authorise(requestOf({ plan }, surroundings));
    expect(await table.use(pass.approvalId ?? "")).toBe(true);
    await expect(pass.consume(plan, surroundings)).rejects.toThrow("was used");
  });

  it("of a text that could not be read holds for that text, and for no plan of it", async () => {
    const { gate } = await createSetting({ approver: async () => ({ decision: "allow-once" }) });
    const refusal = { reason: "expansion", message: "`$HOME` is replaced by the shell." };
    const asked = { command: "echo $HOME", refusal };
    await (await gate.authorise(requestOf(asked))).consume(undefined);
    const pass = await gate.authorise(requestOf(asked));
    await expect(pass.consume(planOf(["echo"]))).rejects.toMatchObject({
      reason: "approval_mismatch",
    });
  });
});
