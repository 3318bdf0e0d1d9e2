// docs/audit.md: its commands as they are, its numbers as the code has them, every field of a row.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEFAULT_AUDIT_LIMITS } from "../../src/audit/index.js";
import { ENTRY_POINTS } from "../../src/core/ports/records.js";
import { createSandbox, linesTooLong } from "../cli/run-cli.js";
import { PROJECT_DIR } from "../fakes/run-node.js";
import { createAuditSetting } from "./audit-setting.js";
import { auditRow, callContent } from "./sample-rows.js";

const PAGE = readFileSync(join(PROJECT_DIR, "docs", "audit.md"), "utf8");
const [, SHOWN = "", VERIFIED = ""] =
  /```console\n\$ clawtools audit show --tool write\n([\s\S]*?)\$ clawtools audit verify\n([\s\S]*?)```/.exec(
    PAGE,
  ) ?? [];

/** What differs from run to run, and where lines break by it. */
const flatten = (text: string) =>
  text
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, "TIME")
    .replace(/\d+ ms/, "SPAN")
    .replace(/cli_[0-9a-f]+/, "CALL")
    .replace(/[0-9a-f]{64}/, "HASH")
    .replace(/\s+/g, " ");

describe("docs/audit.md", () => {
  it("shows what the commands print, within 80 columns", async () => {
    const config = { tools: { deny: ["tts", "write"] } };
    const { run, folder } = await createSandbox({ config });
    await run("tools", "call", "write", "--json", '{"path":"a","content":"b"}');
    const shown = await run("audit", "show", "--tool", "write");
    const verified = await run("audit", "verify");
    expect(verified.exitCode).toBe(0);
    expect(flatten(shown.stdout)).toBe(flatten(SHOWN));
    expect(flatten(verified.stdout.replace(folder, "/home/ada"))).toBe(flatten(VERIFIED));
    expect(linesTooLong(shown.stdout)).toEqual([]);
  });

  it("has every field of a row, every kind and every way", async () => {
    const setting = createAuditSetting();
    const audit = setting.open();
    const text = "x";
    const fields = { sessionKey: text, sender: text, code: text, reason: text, rule: text };
    audit.append(
      auditRow({ ...fields, approvedBy: text, taintedBy: [text] }),
      callContent({ path: "a" }),
    );
    await audit.close();
    const [, row = {}] = setting.rows();
    expect(Object.keys(row).filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
    for (const word of [...ENTRY_POINTS, "begin", "torn", "missing", "late"]) {
      expect(PAGE).toContain(`\`${word}\``);
    }
  });

  it("has the numbers of the code", () => {
    const { maxBytes, keepFiles } = DEFAULT_AUDIT_LIMITS;
    expect(PAGE).toContain(`| \`audit.maxBytes\` | \`${maxBytes}\` |`);
    expect(PAGE).toContain(`| \`audit.keepFiles\` | \`${keepFiles}\` |`);
  });
});
