// A state folder for one test, audits that write into it, and its files as somebody else sees and
// changes them.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  AUDIT_FILE,
  type AuditFile,
  type AuditFileSource,
  createAuditFile,
  verifyAudit,
} from "../../src/audit/index.js";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createProcessMarks } from "../../src/drivers/store/index.js";
import { auditRow, callContent } from "./sample-rows.js";

export interface AuditSetting {
  readonly folder: string;
  readonly reports: string[];
  open(options?: Partial<AuditFileSource>): AuditFile;
  /** Opens an audit, appends so many rows, and closes it. */
  write(count: number, options?: Partial<AuditFileSource>): Promise<void>;
  /** The lines of a file, without the empty one behind the last line feed. */
  lines(name?: string): string[];
  rows(name?: string): Record<string, unknown>[];
  replace(lines: readonly string[], name?: string): void;
  names(): string[];
  /** What `verify` finds, one sentence each. */
  findings(): Promise<string[]>;
}

export function createAuditSetting(): AuditSetting {
  const folder = mkdtempSync(join(tmpdir(), "clawtools-audit-"));
  const reports: string[] = [];
  const opened: AuditFile[] = [];
  onTestFinished(async () => {
    for (const audit of opened) await audit.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const open = (options: Partial<AuditFileSource> = {}) => {
    const audit = createAuditFile({
      folder,
      clock: createSystemClock(),
      random: createSystemRandom(),
      owners: createProcessMarks(),
      report: ({ message }) => reports.push(message),
      ...options,
    });
    opened.push(audit);
    return audit;
  };
  const read = (name = AUDIT_FILE) => readFileSync(join(folder, name), "utf8").split("\n");
  const lines = (name?: string) => read(name).filter((line) => line !== "");
  return {
    folder,
    reports,
    open,
    async write(count, options) {
      const audit = open(options);
      for (let index = 0; index < count; index++) {
        audit.append(auditRow({ toolCallId: `call_${index}` }), callContent({ index }));
      }
      await audit.close();
    },
    lines,
    rows: (name) => lines(name).map((line) => JSON.parse(line)),
    replace: (kept, name = AUDIT_FILE) =>
      writeFileSync(join(folder, name), kept.map((line) => `${line}\n`).join("")),
    names: () => readdirSync(folder).sort(),
    async findings() {
      const { problems } = await verifyAudit(folder);
      return problems.map(
        ({ file, line, sequence, message }) =>
          `${file}:${line ?? "-"} row ${sequence ?? "-"}: ${message}`,
      );
    },
  };
}
