// A toolkit on a folder of its own, for the tests that hand its tools to other agent loops.

import { randomInt } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AuditRow, createToolkit, type Toolkit, type ToolkitOptions } from "clawtools";
import { onTestFinished } from "vitest";
import { createToken, findSurvivors } from "../faults/process-survivors.js";

/** A red picture of one pixel. */
export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

export interface AdapterSetting {
  readonly toolkit: Toolkit;
  readonly root: string;
  readonly rows: AuditRow[];
}

export function createAdapterSetting(options: Partial<ToolkitOptions> = {}): AdapterSetting {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "clawtools-adapter-")));
  const root = join(place, "root");
  mkdirSync(root);
  writeFileSync(join(root, "notes.txt"), "buy milk\n");
  writeFileSync(join(root, "pixel.png"), Buffer.from(PIXEL, "base64"));
  const toolkit = createToolkit({ root, stateDir: join(place, "state"), ...options });
  const rows: AuditRow[] = [];
  toolkit.on("call", (row) => rows.push(row));
  onTestFinished(async () => {
    await toolkit.close();
    rmSync(place, { recursive: true, force: true });
  });
  return { toolkit, root, rows };
}

/** Commands run without being asked about, and without a sandbox that a machine may lack. */
export const FREE_EXEC = {
  tools: { exec: { host: "gateway", security: "full", ask: "off" } },
} as const;

/** A command that runs for long, and whether it runs now, in whichever name space. */
export function createLongCommand(): { readonly command: string; isRunning(): boolean } {
  const token = createToken(randomInt(1_000_000));
  return {
    command: `sleep ${token}`,
    isRunning: () => findSurvivors(token).length > 0,
  };
}

/** Fulfilled when the condition holds; rejects after ten seconds. */
export async function until(holds: () => boolean): Promise<void> {
  const endMs = Date.now() + 10_000;
  while (!holds()) {
    if (Date.now() > endMs) throw new Error("It did not come to that within ten seconds.");
    await new Promise((done) => setTimeout(done, 10));
  }
}
