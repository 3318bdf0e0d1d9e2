// What stands in the place of the audit's files and is none of them: nobody waits for it, nobody follows
// it, and it is told.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listRows, verifyAudit } from "../../src/audit/index.js";
import { createAuditSetting } from "./audit-setting.js";

const PUT = {
  pipe: (path: string) => void execFileSync("mkfifo", [path]),
  folder: (path: string) => mkdirSync(path),
  link: (path: string) => {
    renameSync(path, `${path}.elsewhere`);
    symlinkSync(`${path}.elsewhere`, path);
  },
};
const KINDS = ["pipe", "folder", "link"] as const;

function put(kind: (typeof KINDS)[number], path: string): void {
  if (kind !== "link") rmSync(path);
  PUT[kind](path);
}

describe("an audit.jsonl that is no file", () => {
  it.each(KINDS)("is a problem of verify when it is a %s", async (kind) => {
    const setting = createAuditSetting();
    await setting.write(2);
    put(kind, join(setting.folder, "audit.jsonl"));
    const { isWhole, problems } = await verifyAudit(setting.folder);
    expect(isWhole).toBe(false);
    expect(problems[0]).toEqual({
      file: "audit.jsonl",
      message: "It is a link, a folder or a pipe, and no file.",
    });
    expect(await listRows(setting.folder, { limit: 5 })).toEqual([]);
  });

  it.each(KINDS)("is reported by the next writer when it is a %s", async (kind) => {
    const setting = createAuditSetting();
    await setting.write(2);
    put(kind, join(setting.folder, "audit.jsonl"));
    await setting.write(1);
    expect(setting.reports).toHaveLength(1);
    expect(setting.reports[0]).toMatch(/cannot be written .*is not a file/);
  });
});

describe("a head that is no head", () => {
  it.each(KINDS)("holds nobody up when it is a %s", async (kind) => {
    const setting = createAuditSetting();
    await setting.write(2);
    put(kind, join(setting.folder, "audit.head.json"));
    expect((await setting.findings()).join()).toContain("The head was changed");
    await setting.write(1);
    expect(setting.rows().length + setting.reports.length).toBeGreaterThan(3);
  });

  it("does not use up the numbers, whatever number it has", async () => {
    const setting = createAuditSetting();
    await setting.write(2);
    const head = join(setting.folder, "audit.head.json");
    const sound: Record<string, unknown> = JSON.parse(readFileSync(head, "utf8"));
    writeFileSync(head, JSON.stringify({ ...sound, sequence: Number.MAX_SAFE_INTEGER }));
    await setting.write(1);
    expect(setting.rows().map(({ sequence, kind }) => [sequence, kind])).toEqual([
      [1, "begin"],
      [2, "call"],
      [3, "call"],
      [4, "missing"],
      [5, "call"],
    ]);
    await setting.write(1);
    expect(setting.rows().at(-1)).toMatchObject({ sequence: 6, kind: "call" });
  });
});

describe("a lock that is a file", () => {
  it("is reported, and no row is taken for written", async () => {
    const setting = createAuditSetting();
    await setting.write(1);
    rmSync(join(setting.folder, "audit.lock"), { recursive: true });
    writeFileSync(join(setting.folder, "audit.lock"), "x");
    await setting.write(1);
    expect(setting.rows()).toHaveLength(2);
    expect(setting.reports).toHaveLength(1);
    expect(setting.reports[0]).toContain("are lost when this process ends before");
  });
});

describe("a listed row", () => {
  it("has every field that it has in the file", async () => {
    const setting = createAuditSetting();
    await setting.write(1);
    expect(await listRows(setting.folder, { limit: 1 })).toEqual(setting.rows().slice(-1));
  });
});
