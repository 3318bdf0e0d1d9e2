// What the browser rows stand on: the test pages on a server, our toolkit, @playwright/mcp as a child,
// and a bare Chromium for the raw limit. Each is made when it is asked for, and all end together.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { createToolkit } from "../../dist/index.js";
import { importSources } from "./bundle-source.mjs";

const SOURCES = [
  "test/browser/pages/page-server.ts",
  "test/browser/flows/hands/our-hands.ts",
  "test/browser/flows/hands/peer-hands.ts",
  "test/browser/flows/run-task.ts",
  "test/browser/flows/tasks/ten-tasks.ts",
  "src/drivers/browser/launch/find-browser.ts",
];
/** The pages are on this machine, and the same call comes many times. */
const CONFIG = {
  browser: { headless: true, ssrfPolicy: { dangerouslyAllowPrivateNetwork: true } },
  tools: { loopDetection: { enabled: false } },
};

/** Runs `work` with the setting, and ends what it used. */
export async function withBrowsers(work) {
  const root = mkdtempSync(join(tmpdir(), "clawtools-bench-"));
  const closing = [() => rmSync(root, { recursive: true, force: true })];
  try {
    return await work(await openSetting(root, closing));
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function openSetting(root, closing) {
  const [pages, our, peer, { runTask }, tasks, find] = await importSources(SOURCES);
  for (const [name, text] of Object.entries(tasks.TASK_FILES))
    writeFileSync(join(root, name), text);
  const server = await pages.createPageServer();
  closing.push(() => server.close());
  const executablePath = await find.findBrowser(undefined);
  return {
    root,
    server,
    runTask,
    tasks: tasks.TEN_TASKS,
    openOurs: async () => {
      const toolkit = createToolkit({ root, stateDir: join(root, ".state"), config: CONFIG });
      closing.push(() => toolkit.close());
      return our.createOurHands((request) => toolkit.invoke(request));
    },
    openPeer: async () => {
      const hands = await peer.createPeerHands({ root, executablePath });
      closing.push(() => hands.close());
      return hands;
    },
    openRaw: async () => {
      const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
      closing.push(() => browser.close());
      return browser.newPage();
    },
  };
}

/** Fails on an answer that is an error, so that no row measures one by mistake. */
export async function callWell(hands, args) {
  const result = await hands.call(args);
  if (result.isError) throw new Error(`${JSON.stringify(args)}: ${textOf(result)}`);
  return result;
}

export function textOf({ content }) {
  return content.map(({ text }) => text ?? "").join("\n");
}

/** The ref of the first line with this role and name. */
export function refIn(text, role, name) {
  const line = text.split("\n").find((one) => one.includes(`${role} "${name}"`));
  const ref = /\[ref=(e\d+)\]/.exec(line ?? "")?.[1];
  if (ref === undefined) throw new Error(`No ${role} "${name}" in:\n${text.slice(0, 2000)}`);
  return ref;
}
