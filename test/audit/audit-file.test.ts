// The audit file as it is written: what a row holds, what hashes give away, rotation, and disks and
// processes that fail.

import { appendFileSync, chmodSync, mkdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { listRows, verifyAudit } from "../../src/audit/index.js";
import { startRole, useProgram } from "../contract/store/processes.js";
import { createAuditSetting } from "./audit-setting.js";
import { auditRow, callContent } from "./sample-rows.js";

const WRITER = fileURLToPath(new URL("./audit-writer.ts", import.meta.url));
const NO_HASH = "0".repeat(64);

describe("a row", () => {
  it("says who called what by which way, what decided, and how it ended", async () => {
    const setting = createAuditSetting();
    const audit = setting.open();
    const row = auditRow({
      toolName: "exec",
      sessionKey: "agent:main:main",
      sender: "id:42",
      entryPoint: "mcp-stdio",
      stage: "authorize",
      outcome: "stopped",
      code: "denied",
      reason: "tool_denied",
      rule: 'tools.deny[0] "exec"',
      approvedBy: "approval: by ann",
      taintedBy: ["web"],
    });
    audit.append(row, callContent({ command: "true" }));
    await audit.close();
    const [begin, call] = setting.rows();
    expect(begin).toMatchObject({ sequence: 1, kind: "begin", file: 1, previous: NO_HASH });
    expect(call).toMatchObject({
      sequence: 2,
      kind: "call",
      at: "2026-01-02T03:04:05.000Z",
      durationMs: 7,
      toolCallId: "call_1",
      toolName: "exec",
      agentId: "main",
      sessionKey: "agent:main:main",
      sender: "id:42",
      owner: true,
      entryPoint: "mcp-stdio",
      stage: "authorize",
      outcome: "stopped",
      code: "denied",
      reason: "tool_denied",
      rule: 'tools.deny[0] "exec"',
      approvedBy: "approval: by ann",
      taintedBy: ["web"],
      previous: begin?.hash,
    });
    expect(await setting.findings()).toEqual([]);
  });

  it("lies in files for this user alone, also when the file was open to others", async () => {
    const setting = createAuditSetting();
    await setting.write(1);
    const file = join(setting.folder, "audit.jsonl");
    chmodSync(file, 0o644);
    await setting.write(1);
    for (const name of ["audit.jsonl", "audit.key", "audit.head.json"]) {
      expect(statSync(join(setting.folder, name)).mode & 0o777).toBe(0o600);
    }
  });

  it("is bounded, whatever a call was named", async () => {
    const setting = createAuditSetting();
    const audit = setting.open();
    const long = "\u0000".repeat(100_000);
    audit.append(auditRow({ toolCallId: long, reason: long, taintedBy: Array(500).fill(long) }));
    await audit.close();
    expect(Buffer.byteLength(setting.lines()[1] ?? "")).toBeLessThan(64 * 1024);
    const found = await listRows(setting.folder, { toolCallId: long, limit: 5 });
    expect(found).toHaveLength(1);
  });
});

describe("the hash of arguments", () => {
  async function hashesOf(...given: unknown[]): Promise<unknown[]> {
    const setting = createAuditSetting();
    const audit = setting.open();
    for (const value of given) audit.append(auditRow(), callContent(value));
    await audit.close();
    return setting
      .rows()
      .flatMap(({ kind, argumentsHash }) => (kind === "call" ? argumentsHash : []));
  }

  it("is the same for the same arguments, in any order and as JSON text", async () => {
    const [one, other, text, changed] = await hashesOf(
      { path: "a", lines: [1, { x: 1, y: 2 }] },
      { lines: [1, { y: 2, x: 1 }], path: "a" },
      '{"path": "a", "lines": [1, {"x": 1, "y": 2}]}',
      { path: "b", lines: [1, { x: 1, y: 2 }] },
    );
    expect(other).toBe(one);
    expect(text).toBe(one);
    expect(changed).not.toBe(one);
  });

  it("does not depend on what is named like a secret", async () => {
    const [one, other, none] = await hashesOf(
      { url: "u", env: { API_KEY: "1234" }, password: "a" },
      { url: "u", env: { API_KEY: "9999" }, password: "b" },
      { url: "u", env: {}, password: "b" },
    );
    expect(other).toBe(one);
    expect(none).not.toBe(one);
  });

  it("differs between two state folders, so that it cannot be guessed from outside", async () => {
    const [here] = await hashesOf({ command: "login 1234" });
    const [there] = await hashesOf({ command: "login 1234" });
    expect(there).not.toBe(here);
  });

  it("counts every character of a long text, and is alike for what cannot be read", async () => {
    const long = "x".repeat(1_000_000);
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no");
        },
      },
    );
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const hashes = await hashesOf({ long }, { long: `${long.slice(1)}y` }, hostile, circle, 5n);
    expect(hashes[3]).toBe(hashes[2]);
    expect(new Set(hashes).size).toBe(4);
  });
});

describe("a full file", () => {
  it("is put aside, the chain goes on in the next, and the oldest goes", async () => {
    const setting = createAuditSetting();
    const limits = { maxBytes: 4_000, keepFiles: 2 };
    for (let round = 0; round < 6; round++) await setting.write(5, { limits });
    const archives = setting.names().filter((name) => /^audit\.\d+\.jsonl$/.test(name));
    expect(archives).toHaveLength(2);
    const [newest = ""] = archives.slice(-1);
    const [begin] = setting.rows();
    const last = setting.rows(newest).at(-1);
    expect(begin).toMatchObject({ kind: "begin", previous: last?.hash });
    expect(statSync(join(setting.folder, newest)).size).toBeLessThanOrEqual(4_000);
    const { isWhole, rows, last: end } = await verifyAudit(setting.folder);
    expect(isWhole).toBe(true);
    expect(rows).toBeLessThan(30);
    expect(end?.sequence).toBeGreaterThan(30);
  });

  it("is not kept at all with keepFiles 0, and that is no fault", async () => {
    const setting = createAuditSetting();
    const limits = { maxBytes: 4_000, keepFiles: 0 };
    for (let round = 0; round < 4; round++) await setting.write(5, { limits });
    expect(setting.names().filter((name) => /\d/.test(name))).toEqual([]);
    expect(await verifyAudit(setting.folder)).toMatchObject({ isWhole: true, files: 1 });
  });

  it("is found missing when it is removed", async () => {
    const setting = createAuditSetting();
    for (let round = 0; round < 6; round++) await setting.write(5, { limits: { maxBytes: 4_000 } });
    const archives = setting.names().filter((name) => /^audit\.\d+\.jsonl$/.test(name));
    expect(archives.length).toBeGreaterThanOrEqual(3);
    const [first = "", second = ""] = archives;
    rmSync(join(setting.folder, second));
    expect(await setting.findings()).toContainEqual(`${second}:- row -: The file is missing.`);
    rmSync(join(setting.folder, first));
    const both = await setting.findings();
    expect(both).toContainEqual(`${first}:- row -: The file is missing.`);
    expect(both).toContainEqual(`${second}:- row -: The file is missing.`);
  });
});

describe("a line that was torn", () => {
  it("is kept and marked by the next writer, and is no fault", async () => {
    const setting = createAuditSetting();
    await setting.write(3);
    const torn = '{"sequence":5,"kind":"call","at":"20';
    appendFileSync(join(setting.folder, "audit.jsonl"), torn);
    const before = await verifyAudit(setting.folder);
    expect(before).toMatchObject({ isWhole: true, notes: [{ line: 5 }] });
    await setting.write(1);
    expect(setting.lines()[4]).toBe(torn);
    expect(JSON.parse(setting.lines()[5] ?? "")).toMatchObject({
      kind: "torn",
      sequence: 5,
      bytes: torn.length,
    });
    expect(await verifyAudit(setting.folder)).toMatchObject({ isWhole: true, rows: 6 });
    const changed = setting.lines();
    setting.replace(changed.with(4, torn.replace("call", "cell")));
    expect(await setting.findings()).not.toEqual([]);
  });

  it("that lacks only its end is a whole row", async () => {
    const setting = createAuditSetting();
    await setting.write(2);
    const file = join(setting.folder, "audit.jsonl");
    truncateSync(file, statSync(file).size - 1);
    await setting.write(1);
    expect(setting.rows().map(({ kind }) => kind)).toEqual(["begin", "call", "call", "call"]);
    expect(await setting.findings()).toEqual([]);
  });

  it("of a file that was just begun is marked too", async () => {
    const setting = createAuditSetting();
    await setting.write(0);
    appendFileSync(join(setting.folder, "audit.jsonl"), '{"sequence":1,"ki');
    await setting.write(1);
    expect(setting.lines()).toHaveLength(4);
    expect(await verifyAudit(setting.folder)).toMatchObject({ isWhole: true, rows: 3 });
  });
});

describe("rows that are gone when a writer starts", () => {
  it("are told for good, and their numbers are not given again", async () => {
    const setting = createAuditSetting();
    await setting.write(5);
    setting.replace(setting.lines().slice(0, 3));
    await setting.write(1);
    expect(setting.rows().map(({ sequence }) => sequence)).toEqual([1, 2, 3, 7, 8]);
    const findings = await setting.findings();
    expect(findings.join("\n")).toContain("Rows 4 to 6 are missing");
    expect(findings.join("\n")).toContain("the head named row 6");
  });

  it("are told of when the head is gone with them", async () => {
    const setting = createAuditSetting();
    await setting.write(5);
    setting.replace(setting.lines().slice(0, 3));
    rmSync(join(setting.folder, "audit.head.json"));
    await setting.write(1);
    expect(await setting.findings()).toEqual([
      "audit.jsonl:4 row 4: The row says that the head was gone when it was written.",
    ]);
  });

  it("are missed when the whole file is gone", async () => {
    const setting = createAuditSetting();
    await setting.write(5);
    rmSync(join(setting.folder, "audit.jsonl"));
    expect((await setting.findings()).join()).toContain("Rows 1 to 6 are missing at the end");
    await setting.write(1);
    expect((await setting.findings()).join()).toContain("Rows 1 to 6 are missing");
  });
});

describe("an audit that cannot be written", () => {
  it("is reported once, and its rows come late and counted", async () => {
    const setting = createAuditSetting();
    mkdirSync(join(setting.folder, "audit.jsonl"));
    const audit = setting.open();
    for (const id of ["one", "two"]) {
      audit.append(auditRow({ toolCallId: id }), callContent({}));
      await audit.flush();
    }
    expect(setting.reports).toHaveLength(1);
    expect(setting.reports[0]).toContain("cannot be written");
    rmSync(join(setting.folder, "audit.jsonl"), { recursive: true });
    audit.append(auditRow({ toolCallId: "three" }), callContent({}));
    await audit.close();
    const rows = setting.rows();
    expect(rows.map(({ kind, toolCallId }) => toolCallId ?? kind)).toEqual([
      "begin",
      "one",
      "two",
      "three",
      "late",
    ]);
    expect(rows.at(-1)).toMatchObject({ late: 3, missed: 0 });
    expect(await setting.findings()).toEqual([]);
  });

  it("keeps 1,000 rows and counts the others", async () => {
    const setting = createAuditSetting();
    await setting.write(1);
    rmSync(join(setting.folder, "audit.jsonl"));
    mkdirSync(join(setting.folder, "audit.jsonl"));
    const audit = setting.open();
    audit.append(auditRow(), callContent({}));
    await audit.flush();
    for (let index = 0; index < 1_500; index++) audit.append(auditRow(), callContent({}));
    await audit.flush();
    rmSync(join(setting.folder, "audit.jsonl"), { recursive: true });
    await audit.close();
    const rows = setting.rows();
    expect(rows.at(-1)).toMatchObject({ kind: "late", late: 1_000, missed: 501 });
  });
});

describe("several writers", () => {
  const program = useProgram(`
    import { writeRows } from ${JSON.stringify(WRITER)};
    await writeRows(process.argv.slice(2));`);

  it("of one process make one chain", async () => {
    const setting = createAuditSetting();
    const audits = [setting.open(), setting.open(), setting.open()];
    for (let index = 0; index < 300; index++) {
      audits[index % 3]?.append(auditRow({ toolCallId: `${index}` }), callContent({ index }));
      if (index % 50 === 0) await audits[0]?.flush();
    }
    for (const audit of audits) await audit.close();
    expect(await verifyAudit(setting.folder)).toMatchObject({ isWhole: true, rows: 301 });
  });

  it("of several processes make one unbroken chain, also when one is killed", async () => {
    const setting = createAuditSetting();
    const start = (count: number) => startRole([program(), setting.folder, `${count}`]);
    const whole = [start(150), start(150)];
    const killed = start(1_000_000);
    await killed.said(1);
    killed.child.kill("SIGKILL");
    for (const { end } of [...whole, killed]) {
      expect((await end).filter((line) => line.startsWith("problem"))).toEqual([]);
    }
    await setting.write(1);
    const found = await verifyAudit(setting.folder);
    expect(found.problems).toEqual([]);
    const calls = setting.rows().filter(({ toolCallId }) => String(toolCallId).startsWith("150"));
    expect(calls).toHaveLength(300);
  });
});
