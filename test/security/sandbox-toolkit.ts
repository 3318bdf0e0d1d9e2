// A toolkit whose commands run in the sandbox, and folders to work in. All of it goes with the test.

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolkit, type Toolkit, type ToolkitOptions } from "clawtools";
import { afterEach } from "vitest";
import { readText } from "../../src/lib/read-field.js";

export interface SandboxToolkits {
  makeFolder(): string;
  /** With a state folder of its own, unless the options say another. */
  open(options: ToolkitOptions): Toolkit;
}

/** To be called once in a test file. */
export function createSandboxToolkits(): SandboxToolkits {
  const folders: string[] = [];
  const toolkits: Toolkit[] = [];
  afterEach(async () => {
    await Promise.all(toolkits.splice(0).map((toolkit) => toolkit.close()));
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  function makeFolder(): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "sandbox-toolkit-")));
    folders.push(folder);
    return folder;
  }

  return {
    makeFolder,
    open(options) {
      const config = { tools: { exec: { sandbox: "bwrap" } } } as const;
      const toolkit = createToolkit({ config, stateDir: makeFolder(), ...options });
      toolkits.push(toolkit);
      return toolkit;
    },
  };
}

export type Exec = (
  command: string,
  options?: object,
) => Promise<{ readonly text: string; readonly reason: string | undefined }>;

export function execOf(toolkit: Toolkit): Exec {
  let calls = 0;
  return async (command, options = {}) => {
    const call = { id: `call-${calls++}`, name: "exec", arguments: { command, ...options } };
    const result = await toolkit.invoke(call);
    const text = result.content.map((part) => ("text" in part ? part.text : "")).join("\n");
    return { text, reason: readText(result.details, "reason") };
  };
}

/** Each that gets somewhere says so. */
export function triesOf(commands: readonly string[]): string {
  const lines = commands.map((one) => `( ${one} ) >/dev/null 2>&1 && echo 'done: ${one}'`);
  return [...lines, "echo tried"].join("; ");
}
