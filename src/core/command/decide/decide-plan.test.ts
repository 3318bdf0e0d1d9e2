// Security by asking: what comes out for a command that is covered, one that is not, and one that could
// not be read.

import { describe, expect, it } from "vitest";
import type { PlannedCommand, PlanStep, StepFacts } from "../plan.js";
import { decidePlan } from "./decide-plan.js";

const IDENTITY = { device: 1, inode: 1, sizeBytes: 1, modifiedMs: 1, ownerId: 0, mode: 0o755 };

function step(path: string, args: readonly string[] = [], more: Partial<PlanStep> = {}): PlanStep {
  const facts: StepFacts = { file: path, lookup: "search", paths: [], added: [], exactHash: "1" };
  return {
    argv: [path.slice(path.lastIndexOf("/") + 1), ...args],
    program: { path, ...IDENTITY },
    cwd: "/ws",
    redirects: [],
    scripts: [],
    facts,
    ...more,
  };
}

function planOf(...steps: PlanStep[]): PlannedCommand {
  return { ok: true, plan: { command: "", cwd: "/ws", root: "/ws", steps, hash: "" } };
}

const COVERED = planOf(step("/usr/bin/echo", ["a"]));
const MISSED = planOf(step("/usr/bin/other"));
const UNREADABLE: PlannedCommand = { ok: false, refusal: { reason: "expansion", message: "No." } };
const TOO_LONG: PlannedCommand = {
  ok: false,
  refusal: { reason: "command_too_long", message: "Long." },
};
const ENTRIES = [{ id: "e1", pattern: "echo" }];

describe("security and asking", () => {
  it.each([
    ["deny", "off", ["deny", "deny", "deny", "deny"]],
    ["deny", "always", ["deny", "deny", "deny", "deny"]],
    ["allowlist", "off", ["allow", "deny", "deny", "deny"]],
    ["allowlist", "on-miss", ["allow", "ask", "ask", "deny"]],
    ["allowlist", "always", ["ask", "ask", "ask", "deny"]],
    ["full", "off", ["allow", "allow", "allow", "allow"]],
    ["full", "on-miss", ["allow", "allow", "allow", "allow"]],
    ["full", "always", ["ask", "ask", "ask", "deny"]],
  ] as const)("%s and %s: covered, missed, unreadable, too long", (security, ask, expected) => {
    const outcomes = [COVERED, MISSED, UNREADABLE, TOO_LONG].map(
      (planned) => decidePlan({ planned, security, ask, entries: ENTRIES }).outcome,
    );
    expect(outcomes).toEqual(expected);
  });

  it("an empty list covers nothing but safe programs on their input", () => {
    const decide = (planned: PlannedCommand) =>
      decidePlan({ planned, security: "allowlist", ask: "off", entries: [] });
    expect(decide(COVERED)).toMatchObject({ outcome: "deny", reason: "allowlist_miss" });
    expect(decide(planOf(step("/usr/bin/wc", ["-l"])))).toMatchObject({ outcome: "allow" });
    expect(decide(planOf(step("/usr/bin/wc", ["-l", "a.txt"])))).toMatchObject({ outcome: "deny" });
    expect(decide(planOf(step("/opt/bin/wc", ["-l"])))).toMatchObject({ outcome: "deny" });
    expect(decide(planOf(step("/usr/bin/tail", ["-f"])))).toMatchObject({ outcome: "deny" });
    const changeable = { path: "/usr/bin/wc", ...IDENTITY, contentHash: "a".repeat(64) };
    expect(decide(planOf(step("/usr/bin/wc", ["-l"], { program: changeable })))).toMatchObject({
      outcome: "deny",
    });
  });

  it("further safe programs and folders count when they are named, and have a profile", () => {
    const request = { security: "allowlist", ask: "off", entries: [] } as const;
    const trusted = { ...request, safeBins: ["wc", "sort", "mytool"], trustedDirs: ["/opt/bin"] };
    expect(decidePlan({ ...trusted, planned: planOf(step("/opt/bin/wc")) })).toMatchObject({
      outcome: "allow",
    });
    expect(
      decidePlan({ ...trusted, planned: planOf(step("/usr/bin/sort", ["-r"])) }),
    ).toMatchObject({ outcome: "allow" });
    expect(decidePlan({ ...trusted, planned: planOf(step("/usr/bin/mytool")) })).toMatchObject({
      outcome: "deny",
    });
  });
});

describe("steps", () => {
  const decide = (
    planned: PlannedCommand,
    entries: readonly { pattern: string; argPattern?: string; source?: string }[],
  ) => decidePlan({ planned, security: "allowlist", ask: "off", entries });

  it("each needs its own cover, and the message names the first without", () => {
    const decision = decide(planOf(step("/usr/bin/echo"), step("/usr/bin/other")), ENTRIES);
    expect(decision.message).toContain('"other" is not allowed');
    expect(decision.steps.map(({ covered }) => covered)).toEqual([true, false]);
  });

  it.each(["bash", "python3.11", "env", "make", "ssh", "vim", "cp", "tee", "npm", "busybox"])(
    "a path alone does not cover %s, which starts, reads or writes anything",
    (name) => {
      const planned = planOf(step(`/usr/bin/${name}`, ["x"]));
      expect(decide(planned, [{ pattern: `/usr/bin/${name}` }])).toMatchObject({ outcome: "deny" });
      expect(decide(planned, [{ pattern: `/usr/bin/${name}`, argPattern: "^x$" }])).toMatchObject({
        outcome: "allow",
      });
    },
  );

  it("a path alone covers a program of which nothing else is known", () => {
    expect(
      decide(planOf(step("/opt/acme/deploy", ["x"])), [{ pattern: "/opt/acme/*" }]),
    ).toMatchObject({ outcome: "allow" });
  });

  it("a saved grant without arguments covers nothing", () => {
    expect(decide(COVERED, [{ pattern: "echo", source: "allow-always" }])).toMatchObject({
      outcome: "deny",
    });
  });

  it("a path in the arguments counts only when it is known to lie inside", () => {
    const cat = (path: string | undefined) => {
      const paths = path === undefined ? [] : [{ word: "f", use: "read" as const, path }];
      const facts: StepFacts = {
        file: "/usr/bin/cat",
        lookup: "search",
        paths,
        added: [],
        exactHash: "1",
      };
      return decide(planOf(step("/usr/bin/cat", ["f"], { facts })), [{ pattern: "cat" }]).outcome;
    };
    expect(["/ws/f", "/ws", "/wsx/f", "/etc/f", undefined].map(cat)).toEqual([
      "allow",
      "allow",
      "deny",
      "deny",
      "deny",
    ]);
  });

  it("code of the workspace does not run behind a step that writes there", () => {
    const write = { redirects: [{ kind: "write", fd: 1, path: "/ws/x" }] } as const;
    const node = step("/usr/bin/node", ["x.js"], {
      scripts: [{ path: "/ws/x.js", contentHash: "0" }],
    });
    const entries = [...ENTRIES, { pattern: "node", argPattern: "^x\\.js$" }];
    const echo = step("/usr/bin/echo", [], { ...write, join: ";" });
    expect(decide(planOf(echo, node), entries)).toMatchObject({ outcome: "deny" });
    expect(
      decide(planOf({ ...node, join: "&&" }, step("/usr/bin/echo", [], write)), entries),
    ).toMatchObject({ outcome: "allow" });
    expect(
      decide(planOf({ ...node, join: "|" }, step("/usr/bin/echo", [], write)), entries),
    ).toMatchObject({ outcome: "deny" });
    expect(decide(planOf({ ...node, ...write }), entries)).toMatchObject({ outcome: "allow" });
  });
});
