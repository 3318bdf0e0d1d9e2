// docs/exec.md and docs/process.md say what the tools do: parameters, actions, numbers, notices.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { MAX_HEAD_BYTES, MAX_TAIL_CHARS } from "../../src/drivers/process/output/kept-output.js";
import {
  MAX_LOG_HEAD_BYTES,
  MAX_LOG_TAIL_BYTES,
} from "../../src/drivers/process/output/output-log.js";
import { exec } from "../../src/tools/exec/index.js";
import { DEFAULT_YIELD_MS, MAX_YIELD_MS, MIN_YIELD_MS } from "../../src/tools/exec/limits.js";
import { explainFailure } from "../../src/tools/exec/show-end.js";
import { listKeyNames } from "../../src/tools/process/encode-keys.js";
import { process as processTool } from "../../src/tools/process/index.js";
import {
  DEFAULT_LOG_LINES,
  MAX_GATHER_MS,
  MAX_POLL_MS,
  PAUSE_MS,
  PROCESS_ACTIONS,
} from "../../src/tools/process/session.js";
import { runNode } from "../fakes/run-node.js";
import { startExec } from "./exec-setting.js";

const docs = join(import.meta.dirname, "../../docs");
const execPage = readFileSync(join(docs, "exec.md"), "utf8");
const processPage = readFileSync(join(docs, "process.md"), "utf8");

/** The first program of a page, and what it says that this prints. */
function sampleOf(page: string): { code: string; output: string } {
  const [, code = "", output = ""] =
    /```js\n([\s\S]*?)```[\s\S]*?```\n([\s\S]*?)```/.exec(page) ?? [];
  return { code, output };
}

/** Where the sandbox works, which on Linux the set-up sees to. */
async function printedBy(program: string): Promise<string> {
  const stateDir = mkdtempSync(join(tmpdir(), "clawtools-page-"));
  onTestFinished(() => rmSync(stateDir, { recursive: true, force: true }));
  const args = ["--input-type=module", "--eval", program];
  const { stdout, exitCode } = await runNode(args, { CLAWTOOLS_STATE_DIR: stateDir });
  expect(exitCode).toBe(0);
  return stdout;
}

const propertiesOf = (schema: Record<string, unknown>) =>
  // The schemas of these tools are plain objects with properties.
  Object.keys(schema.properties as object);

describe.runIf(process.platform === "linux")("the program", () => {
  it.each([
    ["docs/exec.md", execPage],
    ["docs/process.md", processPage],
  ])("of %s prints what the page says", async (_name, page) => {
    const { code, output } = sampleOf(page);
    expect(output).not.toBe("");
    expect(await printedBy(code)).toBe(output);
  });
});

it("the program of docs/approvals.md is asked, and its no is what the call answers", async () => {
  const page = readFileSync(join(docs, "approvals.md"), "utf8");
  const code = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  const printed = await printedBy(code);
  expect(JSON.parse(printed)).toMatchObject({ tool: "exec", status: "error" });
  expect(printed).toContain("not today");
});

describe("docs/exec.md", () => {
  it("has an entry that lets npm test run on this machine, and nothing else of npm", async () => {
    const [, program, args] = /grants add (\S+) --args '(.*)'/.exec(execPage) ?? [];
    const entry = `{ pattern: "${program}", argPattern: "${args}" }`;
    expect(execPage).toContain(entry);
    const allowlist = [{ pattern: program, argPattern: args }];
    const setting = startExec({
      config: { tools: { exec: { sandbox: "none" } } },
      approvals: { version: 1, agents: { "*": { allowlist } } },
    });
    const scripts = { test: "echo tested", deploy: "echo deployed" };
    writeFileSync(join(setting.root, "package.json"), JSON.stringify({ scripts }));
    expect((await setting.exec({ command: "npm test" })).text).toContain("\ntested");
    expect((await setting.exec({ command: "npm run deploy" })).details).toMatchObject({
      reason: "no_approver",
    });
  });

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
      `${MIN_YIELD_MS} to ${MAX_YIELD_MS}, default ${DEFAULT_YIELD_MS} (\`tools.exec.backgroundMs\`). Less counts as ${MIN_YIELD_MS}.`,
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
    expect(processPage).toContain(
      `pauses for ${PAUSE_MS} ms, for ${MAX_GATHER_MS / 1_000} seconds at most`,
    );
  });

  it("names every key, rows of keys by their ends", () => {
    const named = processPage.toLowerCase().replaceAll("bspace", "backspace");
    const single = listKeyNames().filter((name) => !/^(?:f|kp)\d+$/.test(name));
    for (const name of [...single, "f1", "f12", "kp0", "kp9"]) {
      expect(named).toContain(`\`${name}\``);
    }
  });
});
