// A toolkit for one test, closed when the test ends, with the audit rows of its calls.

import {
  type AuditRow,
  createToolkit,
  type InvokeRequest,
  type InvokeResult,
  type Toolkit,
  type ToolkitOptions,
} from "clawtools";
import { onTestFinished } from "vitest";
import { createMemoryBridge } from "../fakes/memory-bridge.js";

export interface StartedToolkit {
  readonly toolkit: Toolkit;
  /** One row a call, oldest first. */
  readonly rows: AuditRow[];
  call(name: string, request?: Partial<InvokeRequest>): Promise<InvokeResult>;
}

export const ROOT = "/project";

/** The files of its root are in memory: `/project/notes.txt` is there. */
export function startToolkit(options: Partial<ToolkitOptions> = {}): StartedToolkit {
  const bridge = createMemoryBridge({ [`${ROOT}/notes.txt`]: "first line\nsecond line\n" });
  const toolkit = createToolkit({ root: ROOT, bridge, ...options });
  const rows: AuditRow[] = [];
  toolkit.on("call", (row) => rows.push(row));
  onTestFinished(() => toolkit.close());
  const call: StartedToolkit["call"] = (name, request = {}) =>
    toolkit.invoke({ id: `call_${rows.length + 1}`, name, ...request });
  return { toolkit, rows, call };
}

/** All text of a result. */
export function textOf(result: Pick<InvokeResult, "content">): string {
  return result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}
