// Hashes: of files, of one step, and of a whole plan. Values are made into JSON in the order in which
// the planner builds them, so equal plans have equal text.

import { createHash, hash as hashOnce } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { CommandPlan } from "../../core/command/index.js";

export function hashPlan(plan: Pick<CommandPlan, "cwd" | "root" | "steps">): string {
  return hashValue(plan);
}

export function hashValue(value: unknown): string {
  return hashOnce("sha256", JSON.stringify(value));
}

export async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest("hex");
}
