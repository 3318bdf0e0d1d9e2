// Checks everything that a start needs, and starts nothing.

import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";
import type { BrowserFinding, BrowserStatus } from "../../../core/browser.js";
import { isToolError } from "../../../core/index.js";
import { findScreenFault } from "../launch/choose-sandbox.js";
import { findShareFault } from "../launch/end-browser.js";
import { readHolder, readNote } from "../launch/holder.js";
import { isRefusedArgument } from "../launch/launch-arguments.js";
import type { Profile } from "../profiles/list-profiles.js";
import { loadPlaywright } from "./connection.js";
import { readStatus, type StatusSource } from "./read-status.js";

const OPEN_PORT: BrowserFinding = {
  name: "port",
  isGood: false,
  text: "browser.port opens a DevTools port, by which every user and command of this machine can drive the browser; set it to false.",
};

export interface ExamineSource extends StatusSource {
  /** undefined: a browser answers at the address of the profile. */
  readonly findAddressFault: () => Promise<string | undefined>;
}

export async function examine(source: ExamineSource): Promise<readonly BrowserFinding[]> {
  const { profile, settings } = source;
  const [program, driver] = await Promise.all([examineProgram(source), examineDriver()]);
  const refused = settings.extraArgs.filter(isRefusedArgument);
  return [
    driver,
    ...program,
    ...(profile.kind === "managed"
      ? [await examineFolder(profile), await examineHolder(source)]
      : []),
    ...(settings.opensPort ? [OPEN_PORT] : []),
    ...refused.map((argument) => ({
      name: "arguments",
      isGood: false,
      text: `browser.extraArgs: "${argument.slice(0, 80)}" is left out, because it would undo what keeps the browser safe; remove it.`,
    })),
  ];
}

async function examineDriver(): Promise<BrowserFinding> {
  try {
    await loadPlaywright();
    return { name: "driver", isGood: true, text: "playwright-core is installed." };
  } catch (error) {
    if (!isToolError(error)) throw error;
    return { name: "driver", isGood: false, text: error.message };
  }
}

async function examineProgram(source: ExamineSource): Promise<BrowserFinding[]> {
  const status = await readStatus(source);
  const { kind, cdpUrl, policy, running, version, executablePath, detectError } = status;
  if (cdpUrl !== undefined) {
    const attaches = `The profile attaches to ${cdpUrl}.`;
    const fault = running ? undefined : await source.findAddressFault();
    const state = running
      ? `It is attached (${version ?? "unknown version"}).`
      : "It is not attached yet; a browser answers there.";
    const text = fault ?? `${attaches} ${state}`;
    return [{ name: "address", isGood: fault === undefined, text }, toPolicyFinding(policy)];
  }
  if (detectError !== undefined) return [{ name: "browser", isGood: false, text: detectError }];
  return [
    {
      name: "browser",
      isGood: true,
      text: `${executablePath ?? "The browser"} is version ${version ?? "unknown"}; it ${running ? `runs (${kind})` : "is not running now"}.`,
    },
    toSandboxFinding(status.noSandboxReason),
    toWindowFinding(status),
    toPolicyFinding(policy),
  ];
}

function toWindowFinding({ headless, running }: BrowserStatus): BrowserFinding {
  const fault = running ? undefined : findScreenFault(headless);
  const text = fault ?? (headless ? "It runs without a window." : "It has a window.");
  return { name: "window", isGood: fault === undefined, text };
}

function toPolicyFinding(policy: "enforced" | "advisory"): BrowserFinding {
  return {
    name: "network policy",
    isGood: policy === "enforced",
    text:
      policy === "enforced"
        ? "Pages reach the network only through the filter."
        : "The network policy is advice only in this browser; use a managed profile where it must hold.",
  };
}

function toSandboxFinding(reason: string | undefined): BrowserFinding {
  if (reason === undefined) {
    return { name: "sandbox", isGood: true, text: "Chromium's own sandbox is on." };
  }
  const advice: Readonly<Record<string, string>> = {
    root: "run as an ordinary user to have it",
    config: "set browser.noSandbox to false to have it",
    "no user namespaces": "allow user namespaces on this machine to have it",
  };
  return {
    name: "sandbox",
    isGood: false,
    text: `Chromium's own sandbox is off (${reason}); ${advice[reason] ?? "see status"}.`,
  };
}

async function examineFolder({ userDataDir, folder }: Profile): Promise<BrowserFinding> {
  for (let path = userDataDir; ; path = dirname(path)) {
    try {
      await access(path, constants.W_OK);
      return { name: "profile", isGood: true, text: `Its data is in "${userDataDir}".` };
    } catch (error) {
      const isMissing = Reflect.get(Object(error), "code") === "ENOENT" && dirname(path) !== path;
      if (isMissing) continue;
      return {
        name: "profile",
        isGood: false,
        text: `"${path}" cannot be written, so the profile has no place; make "${folder}" writable.`,
      };
    }
  }
}

async function examineHolder({
  profile,
  session,
  settings,
}: StatusSource): Promise<BrowserFinding> {
  const name = "holder";
  const sharedBy = session?.connection.sharedBy;
  if (session !== undefined) {
    const text =
      sharedBy === undefined
        ? "This process drives it."
        : `Process ${sharedBy} started it, and it ends with that process; this one is attached to it.`;
    return { name, isGood: true, text };
  }
  const [note, holder] = await Promise.all([
    readNote(profile.folder),
    readHolder(profile.userDataDir),
  ]);
  if (!holder?.isAlive) return { name, isGood: true, text: "The profile is not in use." };
  const { pid, host } = holder;
  if (note?.browser.pid === pid) {
    const fault = findShareFault(note, settings.policyKey);
    const how =
      fault === undefined
        ? "and shares it"
        : `and it ${fault}; end that process, or use another profile`;
    return {
      name,
      isGood: fault === undefined,
      text: `Process ${note.owner.pid} started it, ${how}.`,
    };
  }
  return {
    name,
    isGood: false,
    text: `Process ${pid} of "${host}" holds the profile; end it, or use another profile.`,
  };
}
