// The log on a real disk: for its user alone, without secrets, rotated, and read from a cursor on.

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createSystemClock } from "../../drivers/clock.js";
import { createLog, tailLog } from "./log-file.js";

function open(maxFileBytes?: number) {
  const folder = mkdtempSync(join(tmpdir(), "log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "logs", "gateway.jsonl");
  const log = createLog({ path, clock: createSystemClock(), maxFileBytes });
  onTestFinished(() => log.close());
  return { log, path };
}

const tail = (path: string, cursor?: number) =>
  tailLog(path, { limit: 100, maxBytes: 100_000, ...(cursor === undefined ? {} : { cursor }) });

it("is readable by its user alone and holds no secret", async () => {
  const { log, path } = open();
  log.hide("a-long-secret");
  log.write("info", "connected with a-long-secret", { token: "x1", url: "ws://h?token=x2" });
  log.write("warn", "Authorization: Bearer x3");
  await log.flush();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const text = readFileSync(path, "utf8");
  expect(text).not.toMatch(/a-long-secret|x1|x2|x3/);
  expect(
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line).level),
  ).toEqual(["info", "warn"]);
});

it("begins a new file when it is full, and a reader goes on in it", async () => {
  const { log, path } = open(300);
  log.write("info", "before");
  await log.flush();
  const { cursor } = await tail(path);
  log.write("info", "x".repeat(300));
  await log.flush();
  expect(existsSync(path)).toBe(false);
  expect(readFileSync(`${path}.1`, "utf8")).toContain("before");
  log.write("info", "after");
  await log.flush();
  const next = await tail(path, cursor + 1_000);
  expect(next).toMatchObject({ reset: true, lines: [expect.stringContaining("after")] });
  expect((await tail(path, next.cursor)).lines).toEqual([]);
});
