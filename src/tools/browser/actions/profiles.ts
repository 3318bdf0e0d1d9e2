// `profiles` and what makes, removes and empties one.

import type { BrowserProfile } from "../../../core/browser.js";
import { ToolInputError, type ToolResult, textResult } from "../../../core/index.js";
import type { ActionCall } from "../action-call.js";

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
  throw new ToolInputError(`${action} needs profile, the name.`, {
    reason: "arguments_invalid",
    details: { missing: "profile" },
  });
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
