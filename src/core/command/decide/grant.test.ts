// What "allow always" saves for a step, and what it cannot save.

import { expect, it } from "vitest";
import type { CommandPlan } from "../plan.js";
import { grantFor } from "./grant.js";

function planOf(
  path: string,
  args: readonly string[],
  scripts: readonly string[] = [],
): CommandPlan {
  const program = {
    path,
    device: 1,
    inode: 1,
    sizeBytes: 1,
    modifiedMs: 1,
    ownerId: 0,
    mode: 0o755,
  };
  const step = {
    argv: [path.slice(path.lastIndexOf("/") + 1), ...args],
    program,
    cwd: "/ws",
    redirects: [],
    scripts: scripts.map((script) => ({ path: script, contentHash: "0" })),
    facts: { file: path, lookup: "search" as const, paths: [], added: [], exactHash: "5678" },
  };
  return { command: "", cwd: "/ws", root: "/ws", steps: [step], hash: "" };
}

it("the entry names the real program and exactly these arguments, and says so", () => {
  expect(grantFor(planOf("/usr/bin/ls", ["-la", "a b"]))).toEqual([
    {
      ok: true,
      entry: { pattern: "/usr/bin/ls", argPattern: "sha256:argv:5678", source: "allow-always" },
      shown: '/usr/bin/ls -la "a b" in /ws',
    },
  ]);
});

it("an interpreter with a script can be saved: its content is bound", () => {
  expect(grantFor(planOf("/usr/bin/node", ["run.js"], ["/ws/run.js"]))).toMatchObject([
    { ok: true },
  ]);
});

it.each([
  ["/usr/bin/timeout", ["5", "ls"], "starts another program"],
  ["/usr/bin/env", ["X=1", "ls"], "starts another program"],
  ["/usr/bin/xargs", ["ls"], "starts another program"],
  ["/usr/bin/bash", ["-lc", "ls"], "code in its arguments"],
  ["/usr/bin/bash", ["-o", "errexit", "-c", "ls"], "code in its arguments"],
  ["/usr/bin/node", ["--eval=1"], "code in its arguments"],
  ["/usr/bin/node", ["-e", "1"], "code in its arguments"],
  ["/usr/bin/python3.11", ["-c", "1"], "code in its arguments"],
  ["/usr/bin/python3", ["-m", "http.server"], "code in its arguments"],
  ["/usr/bin/perl", ["-ne", "1"], "code in its arguments"],
  ["/usr/bin/node", [], "no script"],
  ["/usr/bin/npx", ["tool"], "fetches the program"],
  ["/usr/bin/npm", ["exec", "tool"], "fetches the program"],
])("c4 · %s %j cannot be saved, and it is told why", (path, args, why) => {
  const [grant] = grantFor(planOf(path, args));
  expect(grant).toMatchObject({ ok: false, why: expect.stringContaining(why) });
});
