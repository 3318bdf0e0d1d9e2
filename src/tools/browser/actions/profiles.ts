// `status`, `start`, `stop` and the actions about profiles.

import type { BrowserProfile, BrowserStatus, BrowserTab } from "../../../core/browser.js";
import { type ToolResult, textResult } from "../../../core/index.js";
import type { ActionCall, ActionWork } from "../action-call.js";
import { invalid } from "../request/read-value.js";

export async function profiles({ browsers, scope }: ActionCall): Promise<ToolResult> {
  const found = await browsers.profiles(scope);
  return textResult(found.map(describeProfile).join("\n"), { profiles: found });
}

export async function createProfile(asked: ActionCall): Promise<ToolResult> {
  const { call, browsers, scope } = asked;
  const { cdpUrl } = call.params;
  const profile = readName(asked, "create-profile");
  const made = await browsers.createProfile({ ...scope, profile, cdpUrl });
  return textResult(`Made: ${describeProfile(made)}`, { ok: true, profile: made });
}

export async function deleteProfile(asked: ActionCall): Promise<ToolResult> {
  const profile = readName(asked, "delete-profile");
  const before = await asked.browsers.profiles(asked.scope);
  await asked.browsers.deleteProfile({ ...asked.scope, profile });
  const isAttached = before.find(({ name }) => name === profile)?.kind === "attached";
  const text = isAttached
    ? `Profile ${profile} is removed; the browser it attached to keeps its data.`
    : `Profile ${profile} and its data are removed.`;
  return textResult(text, { ok: true, profile });
}

export async function resetProfile({ browsers, scope }: ActionCall): Promise<ToolResult> {
  await browsers.resetProfile(scope);
  const which = scope.profile === undefined ? "the default profile" : `profile ${scope.profile}`;
  return textResult(`The browser of ${which} is ended; its data and logins stay.`, { ok: true });
}

function readName({ scope }: ActionCall, action: string): string {
  if (scope.profile !== undefined) return scope.profile;
  throw invalid(`${action} needs profile, the name.`, { missing: "profile" });
}

function describeProfile(profile: BrowserProfile): string {
  const { name, kind, cdpPort, cdpUrl, running, tabCount, isDefault, isRemote } = profile;
  const isApart = kind === "attached" && !running;
  const idle = isApart ? "not attached" : "not running";
  const facts = [
    ...(isDefault ? ["default"] : []),
    ...(isApart ? [] : [kind]),
    ...(isRemote ? ["elsewhere"] : []),
    ...(cdpPort === undefined ? [] : [`port ${cdpPort}`]),
    ...(cdpUrl === undefined || cdpPort !== undefined ? [] : [cdpUrl]),
    running ? ["running", ...describeTabs(tabCount)].join(", ") : idle,
  ];
  return `${name} (${facts.join(", ")})`;
}

function describeTabs(tabCount: number | undefined): string[] {
  return tabCount === undefined ? [] : [`${tabCount} ${tabCount === 1 ? "tab" : "tabs"}`];
}

export function statusOf(ask: "status" | "start" | "stop"): ActionWork {
  return async ({ browsers, scope }) => toResult(await browsers[ask](scope));
}

function toResult(found: BrowserStatus): ToolResult {
  const { running, executablePath, version, noSandboxReason } = found;
  return textResult(describeStatus(found), {
    ...found,
    cdpReady: running,
    cdpHttp: running && found.cdpPort !== undefined,
    ...(executablePath === undefined ? {} : { detectedExecutablePath: executablePath }),
    ...(version === undefined ? {} : { detectedBrowser: version }),
    noSandbox: noSandboxReason !== undefined,
  });
}

function describeStatus(found: BrowserStatus): string {
  const { profile, running, kind, pid, cdpPort, cdpUrl, headless, tabCount } = found;
  const facts = [
    ...(kind === "attached" && !running ? [] : [kind]),
    ...(pid === undefined ? [] : [`pid ${pid}`]),
    ...(cdpPort === undefined ? [] : [`port ${cdpPort}`]),
    ...(cdpUrl === undefined || kind === "managed" ? [] : [`at ${cdpUrl}`]),
    ...(headless ? ["headless"] : []),
    ...(running ? describeTabs(tabCount) : []),
  ];
  const lines = [
    `Profile ${profile}: ${describeState(found)} (${facts.join(", ")}).`,
    ...(found.remark === undefined ? [] : [found.remark]),
    ...(found.waiting ?? []).map((tab) => `Tab ${tab.targetId} ${describeWaiting(tab)}.`),
    ...(found.version === undefined ? [] : [`Browser: ${found.version}.`]),
    ...(found.detectError === undefined ? [] : [found.detectError]),
    ...(found.noSandboxReason === undefined
      ? []
      : [`Chromium's own sandbox is off (${found.noSandboxReason}).`]),
    found.policy === "enforced"
      ? "Network policy: enforced by a filtering proxy."
      : "Network policy: advisory only, because this browser was not started here.",
  ];
  return lines.join("\n");
}

export function describeWaiting({ dialog }: Pick<BrowserTab, "dialog">): string {
  if (dialog === undefined) return "";
  return `waits for an answer to the ${dialog.type} ${dialog.dialogId}: action dialog gives it`;
}

function describeState({ running, cdpUrl }: BrowserStatus): string {
  if (running) return "running";
  return cdpUrl === undefined ? "not running" : "not attached";
}
