// A program that makes calls through a toolkit, one after the other, and prints what came of each: for
// tests that run it where the system refuses things.

import { execFileSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isToolError } from "../../src/core/index.js";
import { createToolkit } from "../../src/toolkit/index.js";

export type ToolStep =
  | {
      readonly call: string;
      readonly arguments: Record<string, unknown>;
      readonly id?: string;
      /** So many descriptors are left to the process during the call. */
      readonly descriptors?: number;
    }
  | { readonly undo: string }
  /** A command of the shell, in the root. */
  | { readonly shell: string }
  /** What the files of the root hold: each begins with this many characters of it. */
  | { readonly show: number };

const UNREADABLE = "unreadable";

/** "done", or the code and the reason of the error. */
export async function takeSteps([root = "", stateDir = "", list = ""]: readonly string[]) {
  const toolkit = createToolkit({ root, stateDir });
  // The test that starts this program wrote the list.
  const steps = JSON.parse(readFileSync(list, "utf8")) as readonly ToolStep[];
  const outcomes: unknown[] = [];
  for (const step of steps) outcomes.push(await take(step));
  await toolkit.close();
  process.stdout.write(JSON.stringify(outcomes));

  async function take(step: ToolStep): Promise<unknown> {
    if ("shell" in step) {
      execFileSync("sh", ["-c", step.shell], { cwd: root });
      return "done";
    }
    if ("show" in step) return show(root, step.show);
    if ("undo" in step) {
      return toolkit.undo(step.undo).then(
        () => "done",
        (error: unknown) => (isToolError(error) ? `${error.code}/${error.reason}` : String(error)),
      );
    }
    const free = step.descriptors === undefined ? () => undefined : exhaust(step.descriptors);
    const request = { id: step.id ?? "call", name: step.call, arguments: step.arguments };
    const { isError, details } = await toolkit.invoke(request).finally(free);
    if (!isError) return "done";
    // Every failed call has them.
    const { code, reason } = details as { code?: string; reason?: string };
    return `${code}/${reason}`;
  }
}

function show(root: string, chars: number): Record<string, string> {
  const names = readdirSync(root, { recursive: true, withFileTypes: true, encoding: "utf8" });
  const files = names.filter((entry) => entry.isFile() && entry.name !== "ballast");
  const shown = files.map(({ parentPath, name }) => {
    const file = join(parentPath, name);
    return [file.slice(root.length + 1), readHead(file, chars)] as const;
  });
  return Object.fromEntries(shown.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function readHead(file: string, chars: number): string {
  try {
    return readFileSync(file, "utf8").slice(0, chars);
  } catch {
    return UNREADABLE;
  }
}

/** Takes all descriptors but so many; what it gives back frees them. */
function exhaust(left: number): () => void {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync("/dev/null", "r"));
  } catch {
    for (const descriptor of taken.splice(0, left)) closeSync(descriptor);
  }
  return () => {
    for (const descriptor of taken) closeSync(descriptor);
  };
}
