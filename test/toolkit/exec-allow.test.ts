// A command that is refused says how it could be allowed, in words that hold for the list in use.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { createToolkit } from "clawtools";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTempFolder } from "../plugins/temp-folder.js";
import { startExec } from "./exec-setting.js";

const MISS = { host: "gateway", security: "allowlist", ask: "on-miss" } as const;
const EMPTY = { version: 1, agents: {} };

/** With the list in a state folder that is not the usual one, and nobody to ask. */
async function refuse(command: string, exec: object = MISS) {
  const stateDir = await createTempFolder();
  const root = await createTempFolder();
  const toolkit = createToolkit({ root, stateDir, config: { tools: { exec } } });
  onTestFinished(() => toolkit.close());
  const call = { id: "call_1", name: "exec", arguments: { command } };
  const { content, details } = await toolkit.invoke(call);
  const [block] = content;
  return { text: messageOf(block?.type === "text" ? block.text : ""), details, stateDir };
}

/** What the model reads, without the signs that JSON puts before quotes. */
function messageOf(text: string): string {
  return text.replaceAll('\\"', '"');
}

describe("a refused command", () => {
  it.each([
    ["ls", "grants add ls"],
    ["ls -la .", "grants add ls"],
    ["node -e 1", "grants add node --args='^-e 1$'"],
    ["env X=1 true", "grants add env --args='^X=1 true$'"],
  ])("%j names the entry that a person can read: %s", async (command, hint) => {
    const { text, details, stateDir } = await refuse(command);
    expect(details).toMatchObject({ code: "approval_required", reason: "no_approver" });
    expect(text).toContain(`\`clawtools approvals ${hint} --state-dir ${stateDir}\``);
    expect(text).toContain(`\`clawtools approvals watch --state-dir ${stateDir}\``);
  });

  it("names the entry also where nobody is ever asked", async () => {
    const { text, details, stateDir } = await refuse("ls", { ...MISS, ask: "off" });
    expect(details).toMatchObject({ code: "denied", reason: "allowlist_miss" });
    expect(text).toContain(`\`clawtools approvals grants add ls --state-dir ${stateDir}\``);
  });

  it("names createToolkit where the list is the program's own", async () => {
    const { exec } = startExec({ config: { tools: { exec: MISS } }, approvals: EMPTY });
    const { text } = await exec({ command: "ls" });
    expect(messageOf(text)).toContain(
      '{"pattern":"ls"} in an allowlist of createToolkit({ approvals })',
    );
    expect(text).not.toContain("grants add");
  });

  it("says that every command is asked about, and offers no entry that would not help", async () => {
    const { text } = await refuse("ls", { ...MISS, ask: "always" });
    expect(text).toContain('Every command is asked about, because ask is "always".');
    expect(text).not.toContain("grants add");
  });

  it("says what to write instead of what the shell replaces", async () => {
    const { text } = await refuse("echo $HOME");
    expect(text).toContain('before "$HOME". Write out what it means');
  });

  it.each(["nosuchprog x", "./nosuchprog"])(
    "%j is not found, whoever is asked",
    async (command) => {
      const asked: unknown[] = [];
      const { exec } = startExec({
        config: { tools: { exec: MISS } },
        approvals: EMPTY,
        approve: async (request) => {
          asked.push(request);
          return { decision: "allow-once" };
        },
      });
      const { text, details } = await exec({ command });
      expect(details).toMatchObject({ code: "not_found", reason: "program_missing" });
      expect(text).toContain("was not found");
      expect(asked).toEqual([]);
    },
  );

  it("is asked about when an earlier step may make its program", async () => {
    const { exec, root } = startExec({
      config: { tools: { exec: MISS } },
      approvals: EMPTY,
      approve: async () => ({ decision: "allow-once" }),
    });
    await exec({ command: "touch made; ./made-later" });
    expect(existsSync(join(root, "made"))).toBe(true);
  });
});

describe("an answer to a question", () => {
  it("that could not be saved for good is told with the result", async () => {
    const { exec } = startExec({
      config: { tools: { exec: MISS } },
      approvals: EMPTY,
      approve: async () => ({ decision: "allow-always" }),
    });
    const { text, isError } = await exec({ command: "env true" });
    expect(isError).toBe(false);
    expect(text).toContain(
      'Warning: "allow-always" let it run only once: "env" starts another program',
    );
  });

  it("that could not be had says why in the text", async () => {
    const { exec } = startExec({
      config: { tools: { exec: MISS } },
      approvals: EMPTY,
      approve: () => Promise.reject(new Error("the window is gone")),
    });
    const { text } = await exec({ command: "ls" });
    expect(text).toContain("asking for it failed: the window is gone.");
  });
});
