// docs/browser.md walks through a site: its commands print what the page shows, and its calls of the tool
// do the same.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type Keeping, keepOpen, TEST_MS } from "../../cli/browser/setting.js";
import { type Sandbox, sandboxIn } from "../../cli/run-cli.js";
import { PROJECT_DIR } from "../../fakes/run-node.js";

const PAGE = readFileSync(join(PROJECT_DIR, "docs", "browser.md"), "utf8");
const ADDRESS = "http://127.0.0.1:3100/";
const HOME = "/home/ada";
const EXAMPLE = join(PROJECT_DIR, "examples", "browser", "site.mjs");

let address = "";
let stopSite: () => void;

beforeAll(async () => {
  const site = spawn(process.execPath, [EXAMPLE, "0"]);
  stopSite = () => void site.kill();
  address = await new Promise((said) => {
    site.stdout.setEncoding("utf8").once("data", (line: string) => said(line.trim()));
  });
});
afterAll(() => stopSite());

function blocksOf(language: string): string[] {
  return [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    ([, text = ""]) => text,
  );
}

/** Each command of the page with the lines under it. */
function listCommands(): { words: string[]; output: string }[] {
  const parts = blocksOf("console").flatMap((block) => block.split(/^\$ clawtools /m).slice(1));
  return parts.map((part) => {
    const [line = "", ...rest] = part.split("\n");
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, quoted, plain]) => quoted ?? plain,
    );
    return { words: words.map((word) => word ?? ""), output: rest.join("\n") };
  });
}

/** Where a person would stand: files that are named lie there. */
async function createPlace(): Promise<{ sandbox: Sandbox; keeping: Keeping }> {
  const folder = mkdtempSync(join(tmpdir(), "clawtools-tour-"));
  mkdirSync(join(folder, "root"));
  writeFileSync(join(folder, "root", "notes.txt"), "hi\n");
  const sandbox = sandboxIn(folder);
  const before = process.cwd();
  process.chdir(sandbox.root);
  const keeping = await keepOpen(sandbox, address);
  onTestFinished(async () => {
    process.chdir(before);
    await keeping.end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  expect(inPage(keeping.said, sandbox)).toBe(listCommands()[0]?.output);
  return { sandbox, keeping };
}

function inPage(text: string, { root }: Sandbox): string {
  return text.replaceAll(root, HOME).replaceAll(address, ADDRESS);
}

it(
  "docs/browser.md shows what its commands print",
  async () => {
    const { sandbox, keeping } = await createPlace();
    const [, ...commands] = listCommands();
    expect(commands.length).toBeGreaterThan(12);
    for (const { words, output } of commands) {
      const { stdout, stderr } = await sandbox.runHere(...words);
      expect(inPage(`${stdout}${stderr}`, sandbox), words.join(" ")).toBe(output);
    }
    // The last one was `stop`.
    expect(await keeping.ended).toBe(0);
  },
  TEST_MS,
);

it(
  "docs/browser.md has calls of the tool that do the same",
  async () => {
    const { sandbox } = await createPlace();
    const calls = blocksOf("json").flatMap((block) => block.trim().split("\n"));
    const [first = "", ...rest] = calls;
    expect(JSON.parse(first)).toEqual({ action: "open", targetUrl: ADDRESS });
    for (const call of rest) {
      const { exitCode, stderr } = await sandbox.runHere("browser", "call", call);
      expect({ call, exitCode, stderr }).toEqual({ call, exitCode: 0, stderr: "" });
    }
  },
  TEST_MS,
);
