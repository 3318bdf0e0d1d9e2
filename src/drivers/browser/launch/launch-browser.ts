// Starts the browser of a managed profile. A pipe drives it, so it ends with this process.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { isToolError, ToolError } from "../../../core/index.js";
import { makeFolder } from "../../../lib/make-folder.js";
import { toPrintable } from "../../../lib/printable.js";
import { isExecutable } from "../../../lib/system/find-system-program.js";
import { shellQuote } from "../../../lib/system/shell-words.js";
import { listNetFlags } from "../policy/net-filter.js";
import type { ConnectSource } from "../session/connect-profile.js";
import type { Connection } from "../session/connection.js";
import { firstLine } from "../session/playwright-errors.js";
import { atMost, within } from "../session/within.js";
import { chooseHeadless, chooseNoSandbox, findScreenFault } from "./choose-sandbox.js";
import { endBrowser } from "./end-browser.js";
import { findBrowser } from "./find-browser.js";
import { SANDBOX_ON, writeNote } from "./holder.js";
import { toBrowserEnvironment, toLaunchArguments } from "./launch-arguments.js";
import {
  endOwnProcesses,
  makeScratch,
  markOwnProcess,
  markProcess,
  removeFolder,
  type Scratch,
} from "./processes.js";
import { serveJoins } from "./serve-joins.js";

const SETPRIV_PLACES = ["/usr/bin/setpriv", "/bin/setpriv"];
export const MAX_START_MS = 20_000;
const FILE_NAME = "start";
const FILE_MODE = 0o700;
const FOLDER_MODE = 0o700;
const MAX_QUESTION_MS = 5_000;
/** `<launched> pid=1`, `[pid=1][err] text`. */
const PROGRAM_LINE = /\[pid=\d+\]\[err\] (.*)$/;
const TELLING = /error|missing|cannot|unable|denied|no such|not found/i;
const MAX_SAID_CHARS = 300;
const VIEWPORT = { width: 1280, height: 720 };

interface LaunchRequest extends ConnectSource {
  readonly port: number | undefined;
}

/** Rejects with `browser_missing`, `browser_start_failed`, a timeout or the abort. */
export async function launchBrowser(request: LaunchRequest): Promise<Connection> {
  const { profile } = request;
  const { noSandbox, root } = request.settings;
  const path = await findBrowser(profile.executablePath, { root });
  const noSandboxReason = await chooseNoSandbox({ path, noSandbox });
  const headless = chooseHeadless(profile.headless);
  const fault = findScreenFault(headless);
  if (fault !== undefined) throw startFailed(path, fault);
  await makeFolder(profile.userDataDir, FOLDER_MODE);
  const scratch = await makeScratch();
  try {
    const start = { path, headless, scratch, noSandboxReason };
    const context = await startContext(request, start);
    return {
      kind: "managed",
      policy: "enforced",
      context,
      isOurs: true,
      headless,
      executablePath: path,
      ...{ temporary: scratch.folder, noSandboxReason },
      ...(await settle(context, { request, ...start })),
    };
  } catch (error) {
    await endOwnProcesses(scratch.temporary);
    await removeFolder(scratch.folder);
    throw error;
  }
}

interface StartChoices {
  readonly path: string;
  readonly headless: boolean;
  readonly scratch: Scratch;
  readonly noSandboxReason: string | undefined;
}

async function startContext(
  request: LaunchRequest,
  { path, headless, scratch, noSandboxReason }: StartChoices,
): Promise<BrowserContext> {
  const { profile, playwright, filter, settings, port, signal } = request;
  const { extraArgs } = settings;
  const netFlags = listNetFlags(filter.address);
  const { platform } = process;
  const args = toLaunchArguments({ port, netFlags, extraArgs, headless, platform });
  const limit = { timeoutMs: MAX_START_MS, signal, what: "the browser to start" };
  const executablePath = await tieToProcess(path, scratch.folder);
  let launching: Promise<BrowserContext> | undefined;
  try {
    return await within(limit, () => {
      launching = playwright.chromium.launchPersistentContext(profile.userDataDir, {
        ...{ executablePath, headless, args, timeout: MAX_START_MS },
        // Without this protection, a page that writes its history in a loop blocks every tab.
        ignoreDefaultArgs: ["--disable-ipc-flooding-protection"],
        chromiumSandbox: noSandboxReason === undefined,
        artifactsDir: scratch.artifacts,
        env: toBrowserEnvironment(process.env, scratch.temporary),
        viewport: headless ? VIEWPORT : null,
        acceptDownloads: true,
        // The surrounding program handles signals; the pipe ends the browser.
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
      });
      return launching;
    });
  } catch (error) {
    await endOwnProcesses(scratch.temporary);
    await endLate(launching);
    throw toStartError(error, path);
  }
}

async function endLate(launching: Promise<BrowserContext> | undefined): Promise<void> {
  if (launching === undefined) return;
  await atMost(MAX_QUESTION_MS, async () => (await launching).close());
}

async function settle(
  context: BrowserContext,
  started: StartChoices & { readonly request: LaunchRequest },
): Promise<Pick<Connection, "pid" | "cdpPort" | "version" | "end">> {
  const { request, scratch, noSandboxReason, headless } = started;
  const { profile, settings, port, random, signal } = request;
  const { policyKey } = settings;
  const pid = await readPid(context, signal);
  const mark = pid === undefined ? undefined : markProcess(pid);
  const { folder } = profile;
  await makeFolder(folder, FOLDER_MODE);
  // Without a socket only this process can use the browser.
  const joins = await serveJoins(context.browser(), folder).catch(() => undefined);
  const end = async () => {
    await joins?.close();
    await endBrowser({ context, mark, scratch, folder });
  };
  try {
    if (mark !== undefined) {
      const owner = markOwnProcess();
      const sandbox = noSandboxReason ?? SANDBOX_ON;
      const { socketPath } = joins ?? {};
      const note = { browser: mark, owner, port, socketPath, policyKey, headless, sandbox };
      await writeNote(folder, { note, random });
    }
    return { pid, cdpPort: port, version: context.browser()?.version(), end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function readPid(context: BrowserContext, signal: AbortSignal): Promise<number | undefined> {
  const browser = context.browser();
  if (browser === null) return undefined;
  const limit = { timeoutMs: MAX_QUESTION_MS, signal, what: "the browser to name its process" };
  return within(limit, async () => {
    const session = await browser.newBrowserCDPSession();
    try {
      const { processInfo } = await session.send("SystemInfo.getProcessInfo");
      return processInfo.find(({ type }) => type === "browser")?.id;
    } finally {
      await session.detach();
    }
  });
}

function toStartError(error: unknown, path: string): ToolError {
  if (isToolError(error)) return error;
  return startFailed(path, `${findCause(error)} See \`doctor\` for what it needs.`, error);
}

function startFailed(path: string, why: string, cause?: unknown): ToolError {
  return new ToolError("unavailable", `The browser "${path}" did not start: ${why}`, {
    ...{ reason: "browser_start_failed", cause },
    details: { executablePath: path },
  });
}

/** The message of the program is below Playwright's first line. */
function findCause(error: unknown): string {
  const first = firstLine(error);
  const said = String(error instanceof Error ? error.message : error)
    .split("\n")
    .flatMap((line) => PROGRAM_LINE.exec(line)?.[1] ?? [])
    .filter((line) => line.trim() !== "");
  const telling = said.find((line) => TELLING.test(line)) ?? said[0];
  return telling === undefined
    ? first
    : `${first} It said: ${toPrintable(telling, MAX_SAID_CHARS)}`;
}

/** A start script that ends the browser with us; `path` itself if that is not possible. */
async function tieToProcess(path: string, folder: string): Promise<string> {
  const setpriv = SETPRIV_PLACES.find(isExecutable);
  if (process.platform !== "linux" || setpriv === undefined) return path;
  const file = join(folder, FILE_NAME);
  const words = [setpriv, "--pdeathsig", "KILL", "--", path].map(shellQuote).join(" ");
  await writeFile(file, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: FILE_MODE, flag: "wx" });
  // Not on a file system mounted noexec.
  return isExecutable(file) ? file : path;
}
