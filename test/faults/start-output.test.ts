// `npm start` into an output that fails: a full disk is told, a reader that has gone is not.
import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { assertBuilt, PROJECT_DIR } from "../fakes/run-node.js";

const FULL_DEVICE = "/dev/full";

async function start(output: number | "gone") {
  await assertBuilt();
  const home = mkdtempSync(join(tmpdir(), "clawtools-start-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    cwd: PROJECT_DIR,
    env: { ...process.env, HOME: home, CLAWTOOLS_STATE_DIR: "" },
    stdio: ["ignore", output === "gone" ? "pipe" : output, "pipe"],
  });
  // Long before the program says its first word.
  child.stdout?.destroy();
  let complaints = "";
  child.stderr?.on("data", (chunk) => {
    complaints += String(chunk);
  });
  const exitCode = await new Promise((resolve) => child.once("close", resolve));
  return { exitCode, complaints };
}

describe("scripts/start.mjs", () => {
  it.runIf(existsSync(FULL_DEVICE))("fails in one sentence when its output is full", async () => {
    const output = openSync(FULL_DEVICE, "w");
    try {
      expect(await start(output)).toEqual({
        exitCode: 1,
        complaints: "The output could not be written (ENOSPC).\n",
      });
    } finally {
      closeSync(output);
    }
  });

  it("ends well and in silence when nobody reads any more", async () => {
    expect(await start("gone")).toEqual({ exitCode: 0, complaints: "" });
  });
});
