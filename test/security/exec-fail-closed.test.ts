// A machine on which no namespace can be made, by a program inside one that forbids further ones: who
// asked for a sandbox runs nothing, and who did not is told what holds.

import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assertBuilt, PROJECT_DIR } from "../fakes/run-node.js";
import { createTempFolder } from "../plugins/temp-folder.js";

/** The set-up brings it, so its absence is a failure. */
const BWRAP = "/usr/bin/bwrap";
const TIMEOUT_MS = 240_000;
const NO_NAMESPACES = [
  ...["--dev-bind", "/", "/", "--unshare-user", "--disable-userns", "--cap-drop", "ALL", "--"],
];
const PROGRAM = `
  import { createClawtools, createToolkit } from "clawtools";
  const { root, stateDir, options } = JSON.parse(process.argv[1]);
  const answers = [];
  for (const [index, one] of options.entries()) {
    const command = "touch made-" + index;
    const toolkit = createToolkit({ root, stateDir, ...one });
    const call = { id: "call", name: "exec", arguments: { command, timeout: 10 } };
    const { details, isError } = await toolkit.invoke(call);
    answers.push({ isError, details, facts: toolkit.explain("exec").facts });
    await toolkit.close();
  }
  const ctx = { workspaceDir: root, sandboxed: true };
  const { isError, details } = await createClawtools().tools
    .resolve("exec", ctx)
    .execute("call", { command: "touch made" });
  answers.push({ isError, details, facts: [] });
  console.log(JSON.stringify(answers));
`;

interface Outcome {
  readonly isError: boolean;
  readonly details: Readonly<Record<string, unknown>>;
  readonly facts: readonly string[];
}

async function runWithoutNamespaces(order: object): Promise<Outcome[]> {
  await assertBuilt();
  const words = [process.execPath, "--input-type=module", "--eval", PROGRAM, JSON.stringify(order)];
  return new Promise((resolve, reject) => {
    const options = { cwd: PROJECT_DIR, timeout: TIMEOUT_MS };
    execFile(BWRAP, [...NO_NAMESPACES, ...words], options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stderr}`));
      // The program of the line above printed it.
      else resolve(JSON.parse(stdout) as Outcome[]);
    });
  });
}

const OPEN = { security: "full", ask: "off" } as const;

describe.runIf(process.platform === "linux")("where no namespace can be made", () => {
  it(
    "nothing runs for whoever asked for a sandbox, and the rest is told what does not hold",
    async () => {
      const folder = await createTempFolder();
      chmodSync(folder, 0o755);
      const root = join(folder, "root");
      mkdirSync(root);
      const asked = [
        { config: { tools: { exec: { ...OPEN, sandbox: "bwrap" } } } },
        { config: { tools: { exec: { ...OPEN, host: "sandbox" } } } },
        { sandboxed: true, config: { tools: { exec: OPEN } } },
        { sandboxed: true, config: { tools: { exec: { ...OPEN, host: "gateway" } } } },
      ];
      const unasked = [
        { config: {} },
        { config: { tools: { exec: { ...OPEN, host: "gateway" } } } },
      ];
      const outcomes = await runWithoutNamespaces({
        ...{ root, stateDir: join(folder, "state") },
        options: [...asked, ...unasked],
      });
      const bare = outcomes.at(-1);
      for (const { isError, details, facts } of outcomes.slice(0, asked.length)) {
        expect(isError).toBe(true);
        expect(details).toMatchObject({ code: "unavailable", reason: "sandbox_unavailable" });
        expect(facts[0]).toBe("No command can run here.");
        expect(facts[1]).toMatch(/^The sandbox was tried and does not hold: /);
      }
      expect(bare).toMatchObject({ isError: true, details: { reason: "sandbox_unavailable" } });
      const [usual, open] = outcomes.slice(asked.length);
      expect(usual).toMatchObject({ isError: true, details: { reason: "no_approver" } });
      expect(open).toMatchObject({ isError: false, details: { containment: "group" } });
      expect(open?.facts.join("\n")).toContain("process group");
      expect(open?.facts.join("\n")).toContain("can outlive it here");
      expect(readdirSync(root)).toEqual([`made-${asked.length + 1}`]);
    },
    TIMEOUT_MS,
  );
});
