// What `verify` finds: every change of a byte, every row that is removed, moved, put in or cut off, and
// nothing else.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listRows, verifyAudit } from "../../src/audit/index.js";
import { type AuditSetting, createAuditSetting } from "./audit-setting.js";

async function written(count = 6): Promise<AuditSetting> {
  const setting = createAuditSetting();
  await setting.write(count);
  expect(await setting.findings()).toEqual([]);
  return setting;
}

describe("verify", () => {
  it("has nothing to say of a folder without an audit", async () => {
    const setting = createAuditSetting();
    expect(await verifyAudit(join(setting.folder, "none"))).toMatchObject({
      isWhole: true,
      files: 0,
      rows: 0,
    });
  });

  it("names the row of any byte that is changed", async () => {
    const setting = await written(2);
    const file = join(setting.folder, "audit.jsonl");
    const sound = readFileSync(file);
    const unseen: string[] = [];
    let line = 1;
    for (let index = 0; index < sound.length; index++) {
      const changed = Buffer.from(sound);
      changed[index] = (sound[index] ?? 0) ^ 1;
      writeFileSync(file, changed);
      const { problems } = await verifyAudit(setting.folder);
      // A line feed that is changed joins two lines, and the last one leaves the end open.
      const isNamed = problems.some((one) => one.line === line || one.sequence === line);
      if (!isNamed) unseen.push(`byte ${index} of line ${line}: ${JSON.stringify(problems)}`);
      if (sound[index] === 10) line += 1;
    }
    expect(unseen).toEqual([]);
    expect(line).toBe(4);
  });

  it("tells one change once", async () => {
    const setting = await written();
    const lines = setting.lines();
    setting.replace(lines.with(3, (lines[3] ?? "").replace('"read"', '"real"')));
    expect(await setting.findings()).toEqual([
      "audit.jsonl:4 row 4: The row was changed: its hash does not fit what it says.",
    ]);
    setting.replace(lines.with(3, "no row at all"));
    expect(await setting.findings()).toEqual([
      "audit.jsonl:4 row 4: The line is not a row: it was changed.",
    ]);
    const hash = /"hash":"(.)/;
    const other = (lines[3] ?? "").replace(hash, (_all, sign) => `"hash":"${sign === "0" ? 1 : 0}`);
    setting.replace(lines.with(3, other));
    expect(await setting.findings()).toEqual([
      "audit.jsonl:4 row 4: The row was changed: its hash does not fit what it says.",
    ]);
  });

  it("misses a row that is removed, also the first", async () => {
    const setting = await written();
    const lines = setting.lines();
    setting.replace(lines.toSpliced(3, 1));
    expect(await setting.findings()).toEqual(["audit.jsonl:4 row 5: Row 4 is missing before it."]);
    setting.replace(lines.toSpliced(2, 3));
    expect(await setting.findings()).toEqual([
      "audit.jsonl:3 row 6: Rows 3 to 5 are missing before it.",
    ]);
    setting.replace(lines.slice(1));
    expect((await setting.findings()).join("\n")).toContain("Row 1 is missing before it.");
  });

  it("sees rows that are swapped or put in", async () => {
    const setting = await written();
    const lines = setting.lines();
    const [, , third = "", fourth = ""] = lines;
    setting.replace(lines.with(2, fourth).with(3, third));
    expect(await setting.findings()).toEqual([
      "audit.jsonl:3 row 4: Row 3 is missing before it.",
      "audit.jsonl:4 row 3: The row comes after row 4: it was moved or put in.",
    ]);
    setting.replace(lines.toSpliced(5, 0, third));
    expect(await setting.findings()).toEqual([
      "audit.jsonl:6 row 3: The row comes after row 5: it was moved or put in.",
    ]);
  });

  it("sees a row that was written anew with a right hash", async () => {
    const setting = await written();
    const forged = createAuditSetting();
    await forged.write(3);
    const lines = setting.lines();
    setting.replace(lines.with(3, forged.lines()[3] ?? ""));
    expect((await setting.findings()).join("\n")).toContain("row 4: The row does not follow");
  });

  it("misses rows that are cut off at the end, by the head", async () => {
    const setting = await written();
    const lines = setting.lines();
    setting.replace(lines.slice(0, -1));
    expect(await setting.findings()).toEqual([
      "audit.jsonl:- row 7: Row 7 is missing at the end: the head names row 7 as written.",
    ]);
    setting.replace(lines.slice(0, 2));
    expect((await setting.findings()).join()).toContain("Rows 3 to 7 are missing at the end");
  });

  it("misses the line feed behind the last row, by the head", async () => {
    const setting = await written();
    const file = join(setting.folder, "audit.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").trimEnd());
    expect(await setting.findings()).toEqual([
      "audit.jsonl:7 row 7: The line feed behind the last row is missing.",
    ]);
  });

  it("says so when the head is changed, gone, or of another chain", async () => {
    const setting = await written();
    const head = join(setting.folder, "audit.head.json");
    const sound = readFileSync(head, "utf8");
    writeFileSync(
      head,
      sound.replace(/"hash":"(..)/, (_, two) => `"hash":"${two === "ff" ? "00" : "ff"}`),
    );
    expect((await setting.findings()).join()).toContain("names another row 7");
    writeFileSync(head, "{}");
    expect((await setting.findings()).join()).toContain("The head was changed");
    rmSync(head);
    expect((await setting.findings()).join()).toContain("The head is missing");
  });

  it("bounds what it tells of a file that is wholly broken", async () => {
    const setting = await written(300);
    setting.replace(setting.lines().map((line) => line.replace('"read"', '"read "')));
    const { problems, problemCount } = await verifyAudit(setting.folder);
    expect(problems).toHaveLength(100);
    expect(problemCount).toBe(300);
  });
});

describe("list", () => {
  it("gives the newest rows, oldest first, by tool, call and time", async () => {
    const setting = createAuditSetting();
    for (let round = 0; round < 4; round++) {
      await setting.write(5, { limits: { maxBytes: 3_000 } });
    }
    expect(setting.names().filter((name) => /\d/.test(name)).length).toBeGreaterThan(1);
    const ids = async (filter: object) =>
      (await listRows(setting.folder, { limit: 50, ...filter })).map((row) => row.toolCallId);
    expect(await ids({})).toHaveLength(20);
    expect(await ids({ limit: 3 })).toEqual(["call_2", "call_3", "call_4"]);
    expect(await ids({ toolCallId: "call_1" })).toHaveLength(4);
    expect(await ids({ toolName: "exec" })).toEqual([]);
    expect(await ids({ sinceMs: Date.UTC(2026, 0, 3) })).toEqual([]);
  });

  it("reads a file of many blocks from its end", async () => {
    const setting = createAuditSetting();
    await setting.write(700);
    const rows = await listRows(setting.folder, { limit: 1_000 });
    expect(rows.map(({ toolCallId }) => toolCallId)).toEqual(
      Array.from({ length: 700 }, (_, index) => `call_${index}`),
    );
  });
});
