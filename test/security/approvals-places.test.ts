// Through a toolkit: lists and state folders that are no ordinary ones, and approvers that answer no
// word. Each is told at once and as what it is.

import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createToolkit, type ToolkitOptions } from "clawtools";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTempFolder } from "../plugins/temp-folder.js";

const AT_ONCE_MS = 30_000;

/** What one command is answered with. */
async function execWith(options: Partial<ToolkitOptions>, command = "mkdir made") {
  const root = await createTempFolder();
  const toolkit = createToolkit({
    root,
    config: { tools: { exec: { sandbox: "none" } } },
    ...options,
  });
  onTestFinished(() => toolkit.close());
  const began = performance.now();
  const result = await toolkit.invoke({ id: "call_1", name: "exec", arguments: { command } });
  expect(performance.now() - began).toBeLessThan(AT_ONCE_MS);
  const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join();
  return { ...result, text };
}

describe("a list that is no file is refused at once", () => {
  it.each<[string, (path: string) => void]>([
    ["a pipe", (path) => execFileSync("mkfifo", ["-m", "600", path])],
    ["a link to a device", (path) => symlinkSync("/dev/zero", path)],
    ["a terminal", (path) => symlinkSync("/dev/tty", path)],
    ["a folder", (path) => mkdirSync(path)],
  ])("%s", async (_, make) => {
    const stateDir = await createTempFolder();
    make(join(stateDir, "exec-approvals.json"));
    const { details, text } = await execWith({ stateDir });
    expect(details).toMatchObject({ code: "denied", reason: "approvals_broken" });
    expect(text).toMatch(/it is not a regular file|it is a symbolic link/);
  });
});

describe("a list in which a key stands twice is refused", () => {
  it.each([
    '{"version":1,"defaults":{"security":"deny"},"defaults":{"security":"full"}}',
    '{"version":1,"agents":{"*":{"ask":"always","\\u0061sk":"off"}}}',
    '{"version":1,"agents":{"a":{"allowlist":[{"pattern":"ls","x":[{}],"pattern":"rm"}]}}}',
  ])("%s", async (list) => {
    const stateDir = await createTempFolder();
    writeFileSync(join(stateDir, "exec-approvals.json"), list, { mode: 0o600 });
    const { details, text } = await execWith({ stateDir });
    expect(details).toMatchObject({ code: "denied", reason: "approvals_broken" });
    expect(text).toMatch(/has the key \S+ twice on line 1/);
  });

  it("but not one in which it stands once in each of two, or as a value", async () => {
    const stateDir = await createTempFolder();
    const list = '{"version":1,"agents":{"a":{"ask":"off"},"b":{"ask":"off","x":["ask","ask"]}}}';
    writeFileSync(join(stateDir, "exec-approvals.json"), list, { mode: 0o600 });
    const { details } = await execWith({ stateDir });
    expect(details).toMatchObject({ reason: "no_approver" });
  });
});

describe.runIf(process.platform === "linux")("a state folder where nothing can be made", () => {
  it.each(["/proc/none", "/proc/none/deep", "/dev/null/none", "/sys/none/deep"])(
    "is told at once: %s",
    async (stateDir) => {
      const { details, isError } = await execWith({ stateDir });
      expect(isError).toBe(true);
      expect(details).toMatchObject({
        code: expect.stringMatching(/unavailable|approval_required|denied/),
      });
      const approve = async () => ({ decision: "allow-always" }) as const;
      const saved = await execWith({ stateDir, approve });
      expect(saved.isError).toBe(true);
    },
  );
});

describe("an approver that answers no word", () => {
  it.each([undefined, null, "allow-once", true, {}, { decision: "yes" }, { decision: ["deny"] }])(
    "is told as a failure, not as somebody's no: %j",
    async (answer) => {
      // A caller without types may answer anything.
      const approve = (async () => answer) as unknown as NonNullable<ToolkitOptions["approve"]>;
      const { details, text } = await execWith({ approve, stateDir: await createTempFolder() });
      expect(details).toMatchObject({ code: "denied", reason: "approval_failed" });
      expect(text).not.toContain("person");
    },
  );
});
