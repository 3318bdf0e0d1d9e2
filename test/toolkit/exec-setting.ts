// A toolkit whose commands really run, in a folder of its own that is removed when the test ends.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolkit, type InvokeResult, type Toolkit, type ToolkitOptions } from "clawtools";
import { onTestFinished } from "vitest";

export interface ExecSetting {
  readonly toolkit: Toolkit;
  readonly root: string;
  readonly notices: string[];
  exec(params: Record<string, unknown>, more?: CallOptions): Promise<Answer>;
  process(params: Record<string, unknown>, more?: CallOptions): Promise<Answer>;
}

type CallOptions = Partial<Pick<Parameters<Toolkit["invoke"]>[0], "signal" | "onUpdate">>;

export interface Answer {
  readonly text: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "clawtools-exec-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Everything is allowed on this machine unless the options say otherwise. */
export function startExec(options: Partial<ToolkitOptions> = {}): ExecSetting {
  const root = makeFolder();
  const toolkit = createToolkit({
    root,
    stateDir: makeFolder(),
    config: { tools: { exec: { host: "gateway", security: "full", ask: "off" } } },
    approvals: { version: 1, defaults: { security: "full", ask: "off" }, agents: {} },
    ...options,
  });
  onTestFinished(() => toolkit.close());
  const notices: string[] = [];
  toolkit.on("notice", ({ message }) => notices.push(message));
  let calls = 0;
  const call = async (name: string, params: Record<string, unknown>, more: CallOptions = {}) => {
    calls++;
    return toAnswer(
      await toolkit.invoke({ id: `call_${calls}`, name, arguments: params, ...more }),
    );
  };
  return {
    toolkit,
    root,
    notices,
    exec: (params, more) => call("exec", params, more),
    process: (params, more) => call("process", params, more),
  };
}

function toAnswer(result: InvokeResult): Answer {
  const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  return { text, details: { ...(result.details as object) }, isError: result.isError === true };
}

/** Polls until the session has ended; every wait is the tool's own. */
export async function pollToEnd(setting: ExecSetting, sessionId: unknown): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let left = 50; left > 0; left--) {
    const answer = await setting.process({ action: "poll", sessionId, timeout: 10_000 });
    answers.push(answer);
    if (answer.details.status !== "running") return answers;
  }
  throw new Error("The session did not end.");
}
