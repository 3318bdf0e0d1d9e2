// `doctor`: what works of the browser here, and what to do about the rest.

import type { BrowserFinding } from "../../../core/browser.js";
import { type ToolResult, textResult } from "../../../core/index.js";
import type { ActionCall } from "../action-call.js";

/** Good to know, but nothing is in the way of a start. */
const NOTES: readonly string[] = ["sandbox", "network policy"];

export async function doctor({ browsers, scope }: ActionCall): Promise<ToolResult> {
  const found = await browsers.doctor(scope);
  const findings = found.map((one) => ({ ...one, level: levelOf(one) }));
  const lines = findings.map(({ name, level, text }) => `${level} ${name}: ${text}`);
  const ok = findings.every(({ level }) => level !== "warning");
  return textResult(lines.join("\n"), { ok, findings });
}

function levelOf({ name, isGood }: BrowserFinding): "ok" | "note" | "warning" {
  if (isGood) return "ok";
  return NOTES.includes(name) ? "note" : "warning";
}
