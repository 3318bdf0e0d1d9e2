// docs/exec.md and docs/process.md say what the tools do: parameters, actions, numbers, notices.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MAX_HEAD_BYTES, MAX_TAIL_CHARS } from "../../src/drivers/process/output/kept-text.js";
import {
  MAX_LOG_HEAD_BYTES,
  MAX_LOG_TAIL_BYTES,
} from "../../src/drivers/process/output/run-log.js";
import { explainFailure } from "../../src/tools/exec/explain-failure.js";
import { exec } from "../../src/tools/exec/index.js";
import { DEFAULT_YIELD_MS, MAX_YIELD_MS, MIN_YIELD_MS } from "../../src/tools/exec/limits.js";
import { process as processTool } from "../../src/tools/process/index.js";
import { listKeyNames } from "../../src/tools/process/keys/key-table.js";
import { DEFAULT_LOG_LINES, MAX_POLL_MS, PROCESS_ACTIONS } from "../../src/tools/process/limits.js";

const docs = join(import.meta.dirname, "../../docs");
const execPage = readFileSync(join(docs, "exec.md"), "utf8");
const processPage = readFileSync(join(docs, "process.md"), "utf8");

const propertiesOf = (schema: Record<string, unknown>) =>
  // The schemas of these tools are plain objects with properties.
  Object.keys(schema.properties as object);

describe("docs/exec.md", () => {
  it("has a row for every parameter", () => {
    for (const name of propertiesOf(exec.parameters)) expect(execPage).toContain(`| \`${name}\` |`);
  });

  it("has every other spelling", () => {
    for (const alias of [...Object.keys(exec.aliases), ...exec.alsoKnownAs]) {
      expect(execPage).toContain(`\`${alias}\``);
    }
  });

  it("has the numbers", () => {
    expect(execPage).toContain(
      `${MIN_YIELD_MS} to ${MAX_YIELD_MS}, default ${DEFAULT_YIELD_MS} (\`tools.exec.backgroundMs\`)`,
    );
  });

  it("says how much of an output is kept", () => {
    const tailChars = MAX_TAIL_CHARS.toLocaleString("en-US");
    expect(execPage).toContain(
      `the first ${MAX_HEAD_BYTES / 1024} KiB and the last ${tailChars} characters`,
    );
    expect(MAX_LOG_TAIL_BYTES).toBe(MAX_LOG_HEAD_BYTES);
    expect(execPage).toContain(`the first and the last ${MAX_LOG_HEAD_BYTES / 1024 ** 2} MiB`);
  });

  it("has every kind of failure", () => {
    const reasons = ["not_found", "not_executable", "timeout", "signal", "killed", "interrupted"];
    for (const reason of reasons as Parameters<typeof explainFailure>[0]["reason"][]) {
      const end = { exitCode: undefined, exitSignal: undefined, reason, endedAtMs: 0 };
      const kind = explainFailure(end, { startedAtMs: 0 })?.kind;
      expect(execPage).toContain(`\`${kind}\``);
    }
  });
});

describe("docs/process.md", () => {
  it("has a row for every parameter and every action", () => {
    for (const name of [...propertiesOf(processTool.parameters), ...PROCESS_ACTIONS]) {
      expect(processPage).toContain(`| \`${name}\` |`);
    }
  });

  it("has the numbers", () => {
    expect(processPage).toContain(`at most ${MAX_POLL_MS}`);
    expect(processPage).toContain(`default ${DEFAULT_LOG_LINES}`);
  });

  it("names every key, rows of keys by their ends", () => {
    const named = processPage.toLowerCase().replaceAll("bspace", "backspace");
    const single = listKeyNames().filter((name) => !/^(?:f|kp)\d+$/.test(name));
    for (const name of [...single, "f1", "f12", "kp0", "kp9"]) {
      expect(named).toContain(`\`${name}\``);
    }
  });
});
