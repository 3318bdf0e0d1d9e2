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

const OPEN_PORT = bad(
  "port",
  "browser.port opens a DevTools port, by which every user and command of this machine can drive the browser; set it to false.",
);

const SANDBOX_ADVICE: Readonly<Record<string, string>> = {
  root: "run as an ordinary user to have it",
  config: "set browser.noSandbox to false to have it",
  "no user namespaces": "allow user namespaces on this machine to have it",
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
    ...refused.map((argument) =>
      bad(
        "arguments",
        `browser.extraArgs: "${argument.slice(0, 80)}" is left out, because it would undo what keeps the browser safe; remove it.`,
      ),
    ),
  ];
}

function good(name: string, text: string): BrowserFinding {
  return { name, isGood: true, text };
}

function bad(name: string, text: string): BrowserFinding {
  return { name, isGood: false, text };
}

async function examineDriver(): Promise<BrowserFinding> {
  try {
    await loadPlaywright();
    return good("driver", "playwright-core is installed.");
  } catch (error) {
    if (!isToolError(error)) throw error;
    return bad("driver", error.message);
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
    const address =
      fault === undefined ? good("address", `${attaches} ${state}`) : bad("address", fault);
    return [address, toPolicyFinding(policy)];
  }
  if (detectError !== undefined) return [bad("browser", detectError)];
  const state = running ? `runs (${kind})` : "is not running now";
  return [
    good(
      "browser",
      `${executablePath ?? "The browser"} is version ${version ?? "unknown"}; it ${state}.`,
    ),
    toSandboxFinding(status.noSandboxReason),
    toWindowFinding(status),
    toPolicyFinding(policy),
  ];
}

function toWindowFinding({ headless, running }: BrowserStatus): BrowserFinding {
  const fault = running ? undefined : findScreenFault(headless);
  if (fault !== undefined) return bad("window", fault);
  return good("window", headless ? "It runs without a window." : "It has a window.");
}

function toPolicyFinding(policy: BrowserStatus["policy"]): BrowserFinding {
  const name = "network policy";
  if (policy === "enforced") return good(name, "Pages reach the network only through the filter.");
  return bad(
    name,
    "The network policy is advice only in this browser; use a managed profile where it must hold.",
  );
}

function toSandboxFinding(reason: string | undefined): BrowserFinding {
  if (reason === undefined) return good("sandbox", "Chromium's own sandbox is on.");
  const advice = SANDBOX_ADVICE[reason] ?? "see status";
  return bad("sandbox", `Chromium's own sandbox is off (${reason}); ${advice}.`);
}

async function examineFolder({ userDataDir, folder }: Profile): Promise<BrowserFinding> {
  for (let path = userDataDir; ; path = dirname(path)) {
    try {
      await access(path, constants.W_OK);
      return good("profile", `Its data is in "${userDataDir}".`);
    } catch (error) {
      const isMissing = Reflect.get(Object(error), "code") === "ENOENT" && dirname(path) !== path;
      if (isMissing) continue;
      return bad(
        "profile",
        `"${path}" cannot be written, so the profile has no place; make "${folder}" writable.`,
      );
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
    if (sharedBy === undefined) return good(name, "This process drives it.");
    return good(
      name,
      `Process ${sharedBy} started it, and it ends with that process; this one is attached to it.`,
    );
  }
  const [note, holder] = await Promise.all([
    readNote(profile.folder),
    readHolder(profile.userDataDir),
  ]);
  if (!holder?.isAlive) return good(name, "The profile is not in use.");
  const { pid, host } = holder;
  if (note?.browser.pid !== pid) {
    return bad(
      name,
      `Process ${pid} of "${host}" holds the profile; end it, or use another profile.`,
    );
  }
  const fault = findShareFault(note, settings.policyKey);
  const started = `Process ${note.owner.pid} started it`;
  return fault === undefined
    ? good(name, `${started}, and shares it.`)
    : bad(name, `${started}, and it ${fault}; end that process, or use another profile.`);
}
