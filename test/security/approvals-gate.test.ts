// The gate in front of commands: what the list says for whom, who is asked, what an answer does, and
// what happens when nobody answers.

import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import {
  type ApprovalAnswer,
  type ApprovalRequest,
  type CommandQuestion,
  type GateRequest,
  ToolError,
} from "../../src/core/index.js";
import { readLedger, registerApprover } from "../../src/drivers/approvals/index.js";
import { createSystemRandom } from "../../src/drivers/clock.js";
import { createProcessMarks } from "../../src/drivers/store/index.js";
import { createTempFolder } from "../plugins/temp-folder.js";
import {
  createSetting,
  planOf,
  ROOT,
  requestOf,
  type SettingOptions,
  waitForRequest,
} from "./approvals-setting.js";

const TOUCH = { plan: planOf(["mkdir", "made"]) };
const UNREADABLE = {
  command: "echo $HOME",
  refusal: { reason: "expansion", message: "`$HOME` is replaced by the shell." },
};
const LISTED = {
  version: 1,
  agents: { main: { allowlist: [{ id: "e1", pattern: "/usr/bin/mkdir", argPattern: "^made$" }] } },
};

const answering = (answer: ApprovalAnswer): SettingOptions => ({ approver: async () => answer });

/** What the gate answers, as one word. */
async function outcomeOf(work: Promise<{ readonly by: string }>): Promise<string> {
  return work.then(
    ({ by }) => by,
    (error: { readonly reason?: string }) => error.reason ?? String(error),
  );
}

describe("the rules of the list", () => {
  it.each([
    ["nothing said: the caller's", {}, "allowlist", "on-miss", "no_approver"],
    ["deny for all", { defaults: { security: "deny" } }, "full", "off", "security_deny"],
    [
      "a star over defaults",
      { defaults: { security: "deny" }, agents: { "*": { security: "full" } } },
      "full",
      "off",
      "full",
    ],
    [
      "the agent over the star",
      { agents: { "*": { security: "full" }, main: { security: "deny" } } },
      "full",
      "off",
      "security_deny",
    ],
    [
      "the agent in capitals",
      { agents: { Main: { security: "deny" } } },
      "full",
      "off",
      "security_deny",
    ],
    ["another agent's deny", { agents: { other: { security: "deny" } } }, "full", "off", "full"],
    [
      "the file cannot loosen",
      { defaults: { security: "full", ask: "off" } },
      "allowlist",
      "off",
      "allowlist_miss",
    ],
    ["the call's deny", { defaults: { security: "full" } }, "deny", "off", "security_deny"],
    ["the file asks more", { defaults: { ask: "always" } }, "full", "off", "no_approver"],
    [
      "the old name of the main agent",
      { agents: { default: { security: "deny" } } },
      "full",
      "off",
      "security_deny",
    ],
  ] as const)("hold: %s", async (_, document, security, ask, expected) => {
    const { gate } = await createSetting({ document: { version: 1, ...document } });
    expect(await outcomeOf(gate.authorise(requestOf(TOUCH, { security, ask })))).toBe(expected);
  });

  it("let a listed command pass, and leave out an entry that has expired", async () => {
    const { gate } = await createSetting({ document: LISTED });
    expect(await outcomeOf(gate.authorise(requestOf(TOUCH)))).toBe("allowlist");
    const entry = { ...LISTED.agents.main.allowlist[0], expiresAt: 1 };
    const late = await createSetting({
      document: { version: 1, agents: { "*": { allowlist: [entry] } } },
    });
    expect(await outcomeOf(late.gate.authorise(requestOf(TOUCH)))).toBe("no_approver");
  });

  it("note when an entry was used, without writing on every use", async () => {
    const { grantsFile } = await createSetting({ document: LISTED });
    let changes = 0;
    const counted: typeof grantsFile = {
      ...grantsFile,
      change(edit) {
        changes++;
        return grantsFile.change(edit);
      },
    };
    const { gate } = await createSetting({ grantsFile: counted });
    for (let count = 0; count < 50; count++) await gate.authorise(requestOf(TOUCH));
    await gate.close();
    expect(changes).toBe(2);
    expect((await grantsFile.read()).agents?.main?.allowlist?.[0]).toMatchObject({
      id: "e1",
      lastUsedCommand: "mkdir made",
      lastResolvedPath: "/usr/bin/mkdir",
    });
  });

  it("that cannot be read refuse every command but one that is contained and may do all", async () => {
    const { gate } = await createSetting({ document: { version: 2 } });
    for (const changes of [
      {},
      { security: "full", ask: "off" },
      { host: "sandbox", security: "allowlist" },
      { host: "sandbox", security: "full", ask: "always" },
    ] as const) {
      const outcome = await outcomeOf(gate.authorise(requestOf(TOUCH, changes)));
      expect(outcome).toBe("approvals_broken");
    }
    const contained = requestOf(TOUCH, { host: "sandbox", security: "full", ask: "off" });
    expect(await outcomeOf(gate.authorise(contained))).toBe("full");
  });
});

describe("without anybody to ask", () => {
  it("says so within a second, and how the command would be allowed", async () => {
    const { gate } = await createSetting();
    const began = performance.now();
    const error = await gate.authorise(requestOf(TOUCH)).catch((thrown: unknown) => thrown);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(error).toMatchObject({ code: "approval_required", reason: "no_approver" });
    expect(String(error)).toContain("`clawtools approvals grants add mkdir --args='^made$'`");
    expect(String(error)).toContain("clawtools approvals watch");
  });

  it("says so within a second also when the state hangs, is broken, or is not there", async () => {
    const stores: readonly SettingOptions["openStore"][] = [
      () => new Promise(() => undefined),
      () => Promise.reject(new ToolError("unavailable", "locked", { reason: "store_busy" })),
      async () => undefined,
    ];
    for (const openStore of stores) {
      const { gate } = await createSetting({ openStore: openStore ?? (async () => undefined) });
      const began = performance.now();
      expect(await outcomeOf(gate.authorise(requestOf(TOUCH)))).toBe("no_approver");
      expect(performance.now() - began).toBeLessThan(10_000);
    }
  });

  it("asks the program's own approver though the state cannot be used", async () => {
    const openStore = () => Promise.reject(new ToolError("unavailable", "no SQLite"));
    const { gate, problems } = await createSetting({
      ...answering({ decision: "allow-once" }),
      openStore,
    });
    const pass = await gate.authorise(requestOf(TOUCH));
    expect(problems).toEqual(["Other processes cannot be asked: no SQLite"]);
    await pass.consume(TOUCH.plan);
    await expect(pass.consume(TOUCH.plan)).rejects.toMatchObject({ reason: "approval_mismatch" });
  });

  it.each([
    ["deny", TOUCH, "no_approver"],
    ["full", TOUCH, "full"],
    ["full", UNREADABLE, "full"],
    ["allowlist", TOUCH, "no_approver"],
    ["allowlist", UNREADABLE, "no_approver"],
  ] as const)("falls back to %s", async (askFallback, asked, expected) => {
    const { gate } = await createSetting({ document: { version: 1, defaults: { askFallback } } });
    expect(await outcomeOf(gate.authorise(requestOf(asked)))).toBe(expected);
  });

  it("falls back to the list for what is on it", async () => {
    const document = { ...LISTED, defaults: { ask: "always", askFallback: "allowlist" } };
    const { gate } = await createSetting({ document });
    expect(await outcomeOf(gate.authorise(requestOf(TOUCH)))).toBe("allowlist");
  });
});

describe("a question", () => {
  it("shows all that the answer holds for", async () => {
    const seen: ApprovalRequest[] = [];
    const { gate } = await createSetting({
      approver: async (request) => {
        seen.push(request);
        return { decision: "deny" };
      },
    });
    const env = { COLOUR: "blue" };
    await outcomeOf(gate.authorise(requestOf(TOUCH, { env, agentId: "coder" })));
    expect(seen[0]).toMatchObject({ toolCallId: "call_1", toolName: "exec" });
    expect(seen[0]?.command).toMatchObject({
      command: "mkdir made",
      planHash: TOUCH.plan.hash,
      cwd: ROOT,
      host: "gateway",
      env,
      agentId: "coder",
      decisions: ["allow-once", "allow-always", "deny"],
      grants: [
        {
          pattern: "/usr/bin/mkdir",
          shown: `/usr/bin/mkdir made in ${ROOT} with the variables COLOUR`,
        },
      ],
    });
    expect(seen[0]?.command?.shown.join("\n")).toContain("/usr/bin/mkdir made");
    expect(seen[0]?.command?.shown).toContain("Environment: COLOUR=blue");
    expect(seen[0]?.title).toContain("with COLOUR");
  });

  it("says why a command cannot be allowed for good, and an answer that wants it holds once", async () => {
    const seen: (CommandQuestion | undefined)[] = [];
    const { gate, grantsFile } = await createSetting({
      approver: async ({ command }) => {
        seen.push(command);
        return { decision: "allow-always" };
      },
    });
    const asked = [
      requestOf(UNREADABLE),
      requestOf({ plan: planOf(["bash", "-c", "ls"]) }),
      requestOf({ plan: planOf(["timeout", "5", "ls"]) }),
      requestOf({ plan: planOf(["env", "X=1", "ls"]) }),
      requestOf({ plan: planOf(["npx", "tool"]) }),
      requestOf(TOUCH, { ask: "always" }),
    ];
    for (const request of asked) {
      const pass = await gate.authorise(request);
      expect([pass.rule, pass.note]).toEqual([
        expect.stringContaining("only once"),
        expect.stringContaining('"allow-always" let it run only once: '),
      ]);
      expect(seen.at(-1)?.decisions).toEqual(["allow-once", "deny"]);
      expect(seen.at(-1)?.onceBecause).toBeTruthy();
    }
    expect((await grantsFile.read()).agents).toEqual({});
  });

  it.each([
    ["nothing", undefined],
    ["a word", "yes"],
    ["true", { decision: true }],
    ["another word", { decision: "allow" }],
  ])("answered with %s is not answered, and that is no one's no", async (_, answer) => {
    // A caller without types.
    const approver = (async () => answer) as unknown as NonNullable<SettingOptions["approver"]>;
    const { gate } = await createSetting({ approver });
    const error = await gate.authorise(requestOf(TOUCH)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "denied", reason: "approval_failed" });
    expect(error).toMatchObject({ details: { failure: expect.stringContaining("{ decision }") } });
    expect(String(error)).toContain("approve gave no answer");
    expect(String(error)).not.toContain("person");
  });

  it("whose approver throws is a no", async () => {
    const { gate, table } = await createSetting({
      approver: async () => {
        throw new Error("the window is gone");
      },
    });
    expect(await outcomeOf(gate.authorise(requestOf(TOUCH)))).toBe("approval_failed");
    expect(await table.list()).toEqual([]);
  });

  it("ends with the call that asked", async () => {
    const abort = new AbortController();
    let told: AbortSignal | undefined;
    const { gate, table } = await createSetting({
      approver: (_, { signal }) => {
        told = signal;
        abort.abort();
        return new Promise(() => undefined);
      },
    });
    const asked = gate.authorise(requestOf(TOUCH, { signal: abort.signal }));
    await expect(asked).rejects.toMatchObject({ code: "aborted" });
    expect(told?.aborted).toBe(true);
    expect(await table.list()).toEqual([]);
  });

  it("that nobody answers in time is a no, or what the list falls back to", async () => {
    const silent: SettingOptions = { timeoutMs: 150, approver: () => new Promise(() => undefined) };
    const expected = { deny: "approval_timeout", allowlist: "approval_timeout", full: "full" };
    for (const [askFallback, outcome] of Object.entries(expected)) {
      const document = { version: 1, defaults: { askFallback } };
      const { gate, table } = await createSetting({ ...silent, document });
      expect(await outcomeOf(gate.authorise(requestOf(TOUCH)))).toBe(outcome);
      expect(await table.list()).toEqual([]);
    }
  });
});

describe("an answer", () => {
  it("of allow-once lets exactly one run start", async () => {
    let questions = 0;
    const { gate, store } = await createSetting({
      approver: async () => {
        questions++;
        return { decision: "allow-once" };
      },
    });
    const pass = await gate.authorise(requestOf(TOUCH));
    expect(pass).toMatchObject({ by: "approval", approvalId: expect.any(String) });
    await pass.consume(TOUCH.plan);
    await expect(pass.consume(TOUCH.plan)).rejects.toMatchObject({ reason: "approval_mismatch" });
    await gate.authorise(requestOf(TOUCH));
    expect(questions).toBe(2);
    expect(await readLedger(store, 10)).toMatchObject([
      { action: "allow-once", command: "mkdir made" },
      { action: "allow-once" },
    ]);
  });

  it("of allow-always is in the list before the command may start, and is not asked again", async () => {
    let questions = 0;
    const { gate, grantsFile } = await createSetting({
      approver: async () => {
        questions++;
        return { decision: "allow-always" };
      },
    });
    const pass = await gate.authorise(requestOf(TOUCH));
    const saved = (await grantsFile.read()).agents?.main?.allowlist;
    expect(saved).toMatchObject([
      { pattern: "/usr/bin/mkdir", source: "allow-always", addedBy: "the program's approver" },
    ]);
    await pass.consume(TOUCH.plan);
    expect(await outcomeOf(gate.authorise(requestOf(TOUCH)))).toBe("allowlist");
    expect(questions).toBe(1);
    for (const plan of [
      planOf(["mkdir", "other"]),
      planOf(["mkdir", "made"], { cwd: "/work-tree/in" }),
    ]) {
      await gate.authorise(requestOf({ plan }));
    }
    expect(questions).toBe(3);
  });

  it("of allow-always that cannot be saved starts nothing", async () => {
    const setting = await createSetting(answering({ decision: "allow-always" }));
    const grantsFile = {
      ...setting.grantsFile,
      change: async () => {
        throw new Error("no space");
      },
    };
    const { gate } = await createSetting({
      ...answering({ decision: "allow-always" }),
      grantsFile,
    });
    expect(await outcomeOf(gate.authorise(requestOf(TOUCH)))).toBe("grant_not_saved");
  });

  it("of deny tells the agent the reason", async () => {
    const { gate } = await createSetting(answering({ decision: "deny", reason: "not on Fridays" }));
    await expect(gate.authorise(requestOf(TOUCH))).rejects.toThrow("not on Fridays");
  });
});

describe("another process", () => {
  it("is waited for only while one listens", async () => {
    const { gate, store, clock, table } = await createSetting();
    expect(await outcomeOf(gate.authorise(requestOf(TOUCH)))).toBe("no_approver");
    const listener = await registerApprover("a test", {
      store,
      clock,
      random: createSystemRandom(),
    });
    const asked = gate.authorise(requestOf(TOUCH));
    const { slug } = await waitForRequest(table);
    await table.answer({ name: slug, decision: "allow-once", by: "somebody" });
    expect(await asked).toMatchObject({ by: "approval", rule: "allow-once by somebody" });
    await listener.close();
    expect(await outcomeOf(gate.authorise(requestOf(TOUCH)))).toBe("no_approver");
  });

  it("that stops listening leaves nobody waiting for it", async () => {
    const { gate, store, clock, table } = await createSetting();
    const random = createSystemRandom();
    const listener = await registerApprover("a test", { store, clock, random });
    const began = performance.now();
    const asked = outcomeOf(gate.authorise(requestOf(TOUCH)));
    await waitForRequest(table);
    await listener.close();
    expect(await asked).toBe("no_approver");
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(await table.list()).toEqual([]);
  });

  it("that answers first ends the question of the program, whose late answer changes nothing", async () => {
    let answer: ((given: ApprovalAnswer) => void) | undefined;
    let ended: AbortSignal | undefined;
    const { gate, table } = await createSetting({
      approver: (_, { signal }) => {
        ended = signal;
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    const asked = outcomeOf(gate.authorise(requestOf(TOUCH)));
    const { id } = await waitForRequest(table);
    await table.answer({ name: id, decision: "deny", by: "somebody" });
    expect(await asked).toBe("user_denied");
    expect(ended?.aborted).toBe(true);
    answer?.({ decision: "allow-once" });
    await expect(
      table.answer({ name: id, decision: "allow-once", by: "another" }),
    ).rejects.toMatchObject({ code: "conflict", reason: "already_resolved" });
  });

  it("that ended while it waited leaves a request that nobody can answer, until it is asked again", async () => {
    const folder = await createTempFolder();
    const marks = createProcessMarks();
    const gone = { own: marks.own.replace(/^\d+/, "999999999"), isDead: marks.isDead };
    const before = await createSetting({
      folder,
      owners: gone,
      approver: () => new Promise(() => undefined),
    });
    const abort = new AbortController();
    const first = outcomeOf(before.gate.authorise(requestOf(TOUCH, { signal: abort.signal })));
    const question = await waitForRequest(before.table);

    const { gate, table } = await createSetting({
      folder,
      approver: () => new Promise(() => undefined),
    });
    expect(await table.list()).toMatchObject([
      { isAbandoned: true, question: { id: question.id } },
    ]);
    await expect(
      table.answer({ name: question.slug, decision: "allow-once", by: "somebody" }),
    ).rejects.toMatchObject({ reason: "approval_abandoned" });
    const again = outcomeOf(gate.authorise(requestOf(TOUCH)));
    await expect.poll(async () => (await table.list())[0]?.isAbandoned).toBe(false);
    expect(await table.list()).toHaveLength(1);
    await table.answer({ name: question.slug, decision: "allow-once", by: "somebody" });
    expect(await again).toBe("approval");
    abort.abort();
    await first;
  });

  it.each<[string, Partial<GateRequest>]>([
    ["session", { sessionKey: "agent:main:other" }],
    ["agent", { agentId: "other" }],
    ["folder", { cwd: "/elsewhere" }],
    ["host", { host: "sandbox" }],
    ["environment", { env: { LANG: "C" } }],
  ])("that ended leaves its request to none of another %s", async (_, changes) => {
    const { gate, table } = await createSetting({ approver: () => new Promise(() => undefined) });
    const asked = [requestOf(TOUCH), requestOf(TOUCH, changes), requestOf(TOUCH)];
    const aborts = asked.map(() => new AbortController());
    const waiting: Promise<unknown>[] = [];
    const ids = new Set<string>();
    for (const [index, request] of asked.entries()) {
      const { signal } = aborts[index] ?? new AbortController();
      const open = new Promise<string>((resolve) => {
        const onWaiting = ({ id }: { readonly id: string }) => resolve(id);
        waiting.push(outcomeOf(gate.authorise({ ...request, signal, onWaiting })));
      });
      const id = await open;
      ids.add(id);
      await table.release(id);
    }
    // The third is the same as the first, and takes its request over.
    expect(ids.size).toBe(2);
    for (const abort of aborts) abort.abort();
    await Promise.all(waiting);
  });

  it("names a request by its beginning when only one begins so", async () => {
    const { table } = await createSetting();
    await expect(table.answer({ name: "abc", decision: "deny", by: "x" })).rejects.toMatchObject({
      code: "not_found",
      reason: "approval_unknown",
    });
  });
});
