// `doctor`: what works of the browser here, and what to do about the rest.

import { type ToolResult, textResult } from "../../../core/index.js";
import type { ActionCall } from "../action-call.js";

export async function doctor({ browsers, scope }: ActionCall): Promise<ToolResult> {
  const findings = await browsers.doctor(scope);
  const lines = findings.map(
    ({ name, isGood, text }) => `${isGood ? "ok" : "to do"} ${name}: ${text}`,
  );
  const ok = findings.every(({ isGood }) => isGood);
  return textResult(lines.join("\n"), { ok, findings });
}
