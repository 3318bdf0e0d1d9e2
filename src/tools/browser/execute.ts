// Drives a browser through its port: finds out what is asked, does that one action, and says beside
// its answer what of the call was taken otherwise. What comes from pages is marked as from outside.

import { createCountdown, ToolError, ToolInputError, type ToolResult } from "../../core/index.js";
import type { ActionCall, ActionWork } from "./action-call.js";
import { act } from "./actions/act.js";
import { dialog } from "./actions/dialog.js";
import { doctor } from "./actions/doctor.js";
import { download, pdf, upload } from "./actions/files.js";
import { navigate } from "./actions/navigate.js";
import { createProfile, deleteProfile, profiles, resetProfile } from "./actions/profiles.js";
import { console, errors, requests } from "./actions/records.js";
import { screenshot } from "./actions/screenshot.js";
import { snapshot } from "./actions/snapshot.js";
import { start, status, stop } from "./actions/status.js";
import { close, focus, open, tabs } from "./actions/tabs.js";
import { text } from "./actions/text.js";
import { ACTIONS, type Action } from "./actions.js";
import type { BrowserCall } from "./index.js";
import { isRefusal, showRefusal } from "./refusal.js";
import { readTargetId } from "./request/read-target-id.js";

const WORK = {
  status,
  start,
  stop,
  profiles,
  "create-profile": createProfile,
  "delete-profile": deleteProfile,
  "reset-profile": resetProfile,
  tabs,
  open,
  focus,
  close,
  snapshot,
  screenshot,
  navigate,
  console,
  errors,
  requests,
  text,
  pdf,
  upload,
  download,
  dialog,
  act,
  doctor,
} as const satisfies Record<Action, ActionWork>;

export async function execute(given: BrowserCall): Promise<ToolResult> {
  const call = withTargetId(given);
  const { params, ctx, signal } = call;
  const { browsers } = ctx;
  if (browsers === undefined) throw noBrowsers();
  const action = readActionWord(call);
  assertTarget(call);
  const { profile, timeoutMs } = params;
  const left = createCountdown(
    {
      ...(profile === undefined ? {} : { profile }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      signal,
    },
    () => ctx.clock.now(),
  );
  const asked: ActionCall = {
    call,
    browsers,
    get scope() {
      return left();
    },
  };
  const notes = listNotes(call, action);
  const result = await answer(() => WORK[action](asked));
  const notices = [...notes, ...(result.notices ?? [])];
  return notices.length === 0 ? result : { ...result, notices };
}

function withTargetId(call: BrowserCall): BrowserCall {
  const { targetId } = call.params;
  if (targetId === undefined) return call;
  return { ...call, params: { ...call.params, targetId: readTargetId(targetId) } };
}

/** A failure that quotes the page is text from outside in parts. */
async function answer(work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error)) return showRefusal(error);
    throw error;
  }
}

/** `kind` says it too. */
function readActionWord({ params }: BrowserCall): Action {
  if (params.action !== undefined) return params.action;
  if (params.kind !== undefined || params.request !== undefined) return "act";
  throw new ToolInputError(`action is missing: ${ACTIONS.join(", ")}.`, {
    reason: "arguments_invalid",
    details: { missing: "action" },
  });
}

function listNotes({ params }: BrowserCall, action: Action): string[] {
  const { controlUrl, request } = params;
  return [
    ...(controlUrl === undefined
      ? []
      : [
          "controlUrl was not used: the browser is driven from here. For one elsewhere make a profile with cdpUrl (create-profile) and name it in profile.",
        ]),
    ...(request === undefined || action === "act"
      ? []
      : ["request was not used: it is for act alone."]),
  ];
}

/** Browsers run on this machine, contained by their own network filter. */
function assertTarget({ params, ctx }: BrowserCall): void {
  const { target, node } = params;
  if (target === "node" || (target === undefined && node !== undefined)) {
    throw new ToolError(
      "unavailable",
      "target node needs a paired node with a browser, and this version has no nodes; leave target and node out to use the browser of this machine.",
      { reason: "browser_node_unavailable" },
    );
  }
  if (target !== "sandbox") return;
  const why =
    ctx.sandboxed === true
      ? "Chromium is not run inside the sandbox of commands, which has no network for it"
      : "this session has no sandbox";
  throw new ToolError(
    "unavailable",
    `target sandbox needs a session that runs in a sandbox with a browser in it: ${why}. Leave target out to use the browser of this machine, whose pages reach the network only through its filter.`,
    { reason: "browser_sandbox_unavailable", details: { sandboxed: ctx.sandboxed === true } },
  );
}

function noBrowsers(): ToolError {
  return new ToolError(
    "unavailable",
    "browser needs browsers in the context, the port to browsers; pass one when you resolve the tool.",
    { reason: "missing_context", details: { missing: ["browsers"] } },
  );
}
