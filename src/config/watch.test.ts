// A config that is watched: a change is told once, also one that came between reading and watching.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { watchConfig } from "./watch.js";

const AFTER_ALL_MS = 60_000;

function watch(readAtMs: number) {
  const folder = mkdtempSync(join(tmpdir(), "watch-config-"));
  const file = join(folder, "clawtools.json");
  writeFileSync(file, "{}");
  let changes = 0;
  let end: (() => void) | undefined;
  const first = new Promise<void>((resolve) => {
    end = watchConfig({
      files: [file, join(folder, "none.json")],
      readAtMs,
      async onChange() {
        changes += 1;
        resolve();
      },
    });
  });
  onTestFinished(() => {
    end?.();
    rmSync(folder, { recursive: true });
  });
  return { file, first, changes: () => changes };
}

it("tells at the first look of a file that was changed since it was read", async () => {
  const { first, changes } = watch(Date.now() - AFTER_ALL_MS);
  await first;
  expect(changes()).toBe(1);
});

it("tells of nothing that was there when it was read, and then of each change", async () => {
  const { file, first, changes } = watch(Date.now() + AFTER_ALL_MS);
  await expect.poll(() => process.getActiveResourcesInfo().includes("FSReqPromise")).toBe(false);
  expect(changes()).toBe(0);
  writeFileSync(file, "{ tools: {} }");
  await first;
  expect(changes()).toBe(1);
});
