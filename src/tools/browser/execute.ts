// Runs one browser action. Page content is marked as untrusted.

import type { BrowserFinding, BrowserPage, PageAction } from "../../core/browser.js";
import { createCountdown, ToolError, type ToolResult, textResult } from "../../core/index.js";
import type { ActionCall, ActionWork } from "./action-call.js";
import {
  closeTab,
  describeAction,
  performAct,
  readPlace,
  sayOutcome,
  showValue,
  tellChange,
  toValue,
} from "./actions/act-step.js";
import { batch } from "./actions/batch.js";
import { download, pdf, upload } from "./actions/files.js";
import {
  createProfile,
  deleteProfile,
  profiles,
  resetProfile,
  statusOf,
} from "./actions/profiles.js";
import { screenshot } from "./actions/screenshot.js";
import { snapshot } from "./actions/snapshot.js";
import { focus, open, tabs } from "./actions/tabs.js";
import { recordsOf, text } from "./actions/text.js";
import { ACTIONS, type Action } from "./actions.js";
import type { BrowserCall } from "./index.js";
import { isRefusal, showRefusal } from "./refusal.js";
import { type ActFields, mergeFields } from "./request/act-fields.js";
import { readAction, readKind } from "./request/read-act.js";
import { isRelativeUrl, readTargetId, readUrl } from "./request/read-url.js";
import { invalid } from "./request/read-value.js";

const STEPS = ["back", "forward", "reload"] as const;

const NOTES: readonly string[] = ["sandbox", "network policy"];

const WORK = {
  status: statusOf("status"),
  start: statusOf("start"),
  stop: statusOf("stop"),
  profiles,
  "create-profile": createProfile,
  "delete-profile": deleteProfile,
  "reset-profile": resetProfile,
  tabs,
  open,
  focus,
  close: closeTab,
  snapshot,
  screenshot,
  navigate,
  console: recordsOf("console"),
  errors: recordsOf("errors"),
  requests: recordsOf("requests"),
  text,
  pdf,
  upload,
  download,
  dialog,
  act,
  doctor,
} as const satisfies Record<Action, ActionWork>;

export async function execute(call: BrowserCall): Promise<ToolResult> {
  const { params, ctx, signal } = call;
  const { browsers } = ctx;
  if (browsers === undefined) throw noBrowsers();
  const action = readActionWord(call);
  assertTarget(call);
  const { profile, timeoutMs } = params;
  const targetId = params.targetId === undefined ? undefined : readTargetId(params.targetId);
  const left = createCountdown({ profile, targetId, timeoutMs, signal }, () => ctx.clock.now());
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

async function answer(work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (isRefusal(error)) return showRefusal(error);
    throw error;
  }
}

function readActionWord({ params }: BrowserCall): Action {
  if (params.action !== undefined) return params.action;
  if (params.kind !== undefined || params.request !== undefined) return "act";
  throw invalid(`action is missing: ${ACTIONS.join(", ")}.`, { missing: "action" });
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

function assertTarget({ params, ctx }: BrowserCall): void {
  const { target, node } = params;
  if (target === "node" || (target === undefined && node !== undefined)) {
    const message =
      "target node needs a paired node with a browser, and this version has no nodes; leave target and node out to use the browser of this machine.";
    throw new ToolError("unavailable", message, { reason: "browser_node_unavailable" });
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

async function act(asked: ActionCall): Promise<ToolResult> {
  const { params } = asked.call;
  const { fields, notes } = mergeFields(params.request, params);
  const result = await actAt(readPlace(asked, fields), fields);
  return { ...result, notices: [...notes, ...(result.notices ?? [])] };
}

async function actAt(place: ActionCall, fields: ActFields): Promise<ToolResult> {
  const kind = readKind(fields);
  if (kind === "batch") return batch(place, fields);
  if (kind === "close") return closeTab(place);
  return actOnce(place, readAction(kind, fields));
}

async function actOnce(place: ActionCall, action: PageAction): Promise<ToolResult> {
  const { change, result } = await performAct(place, action);
  const shown = showValue(result);
  return tellChange({
    change,
    done: describeAction(action),
    said: sayOutcome(action),
    ref: "ref" in action ? action.ref : undefined,
    lead: shown.text,
    details: { kind: action.kind, ...toValue(result) },
    notices: shown.notices,
  });
}

async function dialog(asked: ActionCall): Promise<ToolResult> {
  const { dialogId } = asked.call.params;
  const promptText = readPromptText(asked);
  const accept = readAccept(asked);
  const page = await asked.browsers.page(asked.scope);
  const change = await page.answerDialog({
    ...{ ...asked.scope, accept, promptText, dialogId },
  });
  return tellChange({ change, done: accept ? "Accepted" : "Dismissed", details: { accept } });
}

function readPromptText({ call }: ActionCall): string | undefined {
  const { promptText, text } = call.params;
  return promptText ?? text;
}

function readAccept(asked: ActionCall): boolean {
  const { accept } = asked.call.params;
  if (accept !== undefined) return accept;
  if (readPromptText(asked) !== undefined) return true;
  throw invalid("dialog needs accept: true accepts it, false dismisses it.", { missing: "accept" });
}

async function doctor({ browsers, scope }: ActionCall): Promise<ToolResult> {
  const found = await browsers.doctor(scope);
  const findings = found.map((one) => ({ ...one, level: levelOf(one) }));
  const lines = findings.map(({ name, level, text }) => `${level} ${name}: ${text}`);
  const ok = findings.every(({ level }) => level !== "warning");
  return textResult(lines.join("\n"), { ok, findings });
}

function levelOf({ name, isGood }: BrowserFinding): "ok" | "note" | "warning" {
  if (isGood) return "ok";
  return NOTES.includes(name) ? "note" : "warning";
}

async function navigate(asked: ActionCall): Promise<ToolResult> {
  const { targetUrl } = asked.call.params;
  const scope = asked.scope;
  const step = STEPS.find((word) => word === targetUrl?.trim().toLowerCase());
  if (step !== undefined) {
    const page = await asked.browsers.page(asked.scope);
    const change = await page.history({ ...scope, step });
    return tellChange({ change, done: step === "reload" ? "Reloaded" : `Went ${step}` });
  }
  const { url, notes, page } = await readAddress(asked);
  const change = await page.navigate({ ...scope, url });
  return tellChange({ change, done: "Navigated", notices: notes });
}

/** Refuses a bad address before a tab is opened. */
async function readAddress(asked: ActionCall) {
  const { targetUrl } = asked.call.params;
  if (!isRelativeUrl(targetUrl)) {
    const read = readUrl(targetUrl, { action: "navigate" });
    return { ...read, page: await asked.browsers.page(asked.scope) };
  }
  const page: BrowserPage = await asked.browsers.page(asked.scope);
  const { url: base } = await page.tab(asked.scope);
  return { ...readUrl(targetUrl, { action: "navigate", base }), page };
}
